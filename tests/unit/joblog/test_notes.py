"""Counting what a reader does to a log."""

import pandas as pd
import pytest

from jobsim.joblog.notes import Note, Notes


def test_what_concerns_no_job_is_not_noted():
    notes = Notes()
    notes.add("dropped: nothing", pd.Series([False, False]))
    notes.add("dropped: nothing", 0)
    assert notes.taken == ()


def test_the_same_reason_twice_adds_up():
    notes = Notes([Note("mended: a", 1)])
    notes.add("mended: a", pd.Series([True, False, True]))
    notes.add("marked: b", 4)
    assert notes.taken == (Note("mended: a", 3), Note("marked: b", 4))


def test_a_reason_of_no_known_kind_is_the_readers_fault():
    with pytest.raises(ValueError, match="begins with one of dropped"):
        Notes().add("lost: a", 1)
