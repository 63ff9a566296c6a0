"""When rows fall due."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.notes import Notes
from jobsim.record.due import SLACK_S, falling_due, without_the_undue

SECONDS = st.one_of(st.just(np.nan), st.floats(0, 100))


def series(*values: float) -> pd.Series:
    return pd.Series(values, dtype="float64")


@given(st.lists(st.tuples(SECONDS, SECONDS, SECONDS), min_size=1, max_size=30))
def test_no_job_falls_due_before_its_row_came_or_after_it_was_taken(rows):
    due_s, came_s, start_s = (series(*column) for column in zip(*rows, strict=True))
    found = falling_due(due_s, came_s, start_s, "run_at", Notes())
    assert not (found <= came_s).any()
    assert not (start_s < found - SLACK_S).any()
    assert found.dropna().isin(due_s).all()


def test_one_job_in_many_that_is_taken_early_leaves_the_others_due():
    notes, many = Notes(), [50.0] * 20
    start_s = series(10, *[51.0] * 19)
    found = falling_due(series(*many), series(*[0.0] * 20), start_s, "run_at", notes)
    assert found.notna().sum() == 19
    assert notes.taken[0].reason.startswith("marked: taken before it was due")


def test_a_job_that_was_taken_is_kept_whenever_it_was_due():
    jobs = pd.DataFrame({"due_s": [90.0], "start_s": [89.0], "end_s": [np.nan]})
    assert len(without_the_undue(jobs, 60, Notes())) == 1
