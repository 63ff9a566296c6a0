import pandas as pd
import pytest

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, epochs, later, numbers, seconds
from jobsim.joblog.reading import PLAIN, Reading


def of(*cells):
    return pd.DataFrame({"at": pd.Series(list(cells), dtype="str")})


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01 10:00:00",
        "2026-03-01T10:00:00Z",
        "2026-03-01 10:00:00.000000+00",
        "2026-03-01 12:00:00+02:00",
        "2026-03-01T10:00:00.0000000",
        " 2026-03-01 06:30:00-0330 ",
        "639079560000000000",  # .NET
    ],
)
def test_every_way_of_writing_an_instant_is_read(text):
    notes = Notes()
    assert seconds(of(text), "at", PLAIN, notes)[0] == 1_772_359_200
    assert notes.taken == ()


def test_ways_may_be_mixed():
    cells = of("2026-03-01 10:00:00", "2026-03-01 11:00:00+01", None, "0000-00-00 00:00:00", "")
    notes = Notes()
    found = seconds(cells, "at", PLAIN, notes)
    assert list(found.fillna(-1)) == [1_772_359_200, 1_772_359_200, -1, -1, -1]
    assert notes.taken == ()


@pytest.mark.parametrize("text", ["0000-00-00 00:00:00", "9999-01-01 00:00:00+00", "9999-12-31"])
def test_a_date_that_means_none_is_missing_without_a_note(text):
    notes = Notes()
    assert seconds(of(text), "at", PLAIN, notes).isna().all()
    assert notes.taken == ()


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30 10:00:00", "infinity", "1969-01-01"])
def test_what_is_no_instant_is_missing_and_noted(text):
    notes = Notes()
    assert seconds(of(text), "at", PLAIN, notes).isna().all()
    assert [note.reason for note in notes.taken] == [
        "mended: at that is no instant since 1970, left missing"
    ]


def test_ticks_keep_their_fractions():
    found = seconds(of("639079560001230000"), "at", PLAIN, Notes())
    assert found[0] == pytest.approx(1_772_359_200.123, abs=1e-6)


def test_only_times_without_offset_are_in_the_users_zone():
    cells = of("2026-03-01 10:00:00", "2026-03-01 10:00:00+00")
    found = seconds(cells, "at", Reading(zone="Europe/Berlin"), Notes())
    assert found[1] - found[0] == 3600


def test_epochs_are_seconds_and_nothing_else():
    notes = Notes()
    found = epochs(of("1772359200", "1772359200.5", "0", None, "1772359200000", "x"), "at", notes)
    assert list(found.fillna(-1)) == [1_772_359_200, 1_772_359_200.5, -1, -1, -1, -1]
    assert [note.count for note in notes.taken] == [2]


def test_a_column_that_is_not_there_is_missing():
    assert column(of("1"), "no").isna().all()
    assert numbers(of("inf"), "at").isna().all()


def test_the_later_instant_is_the_one_that_is_known_if_only_one_is():
    nan = float("nan")
    one, other = pd.Series([1.0, 5.0, nan, 1.0, nan]), pd.Series([2.0, 3.0, 4.0, nan, nan])
    assert list(later(one, other).fillna(-1)) == [2, 5, 4, 1, -1]
