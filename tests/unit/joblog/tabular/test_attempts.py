"""Attempts joined to their jobs."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.notes import Note, Notes
from jobsim.joblog.tabular.attempts import joined


def rows(*tries: tuple) -> pd.DataFrame:
    frame = pd.DataFrame(tries, columns=["job_id", "submit_s", "start_s", "run_s", "outcome"])
    return frame.assign(attempts=np.nan)


def test_a_job_is_submitted_with_its_first_attempt_and_ends_as_its_last():
    notes = Notes()
    jobs = joined(
        rows((1, 5.0, 6.0, 3.0, "failed"), (2, 0, 1, 1, "completed"), (1, 10, 11, 4, "completed")),
        notes,
    )
    assert (
        jobs.to_dict("records")
        == [
            {
                "job_id": 1,
                "submit_s": 5,
                "start_s": 6,
                "run_s": 4,
                "outcome": "completed",
                "attempts": 2,
            },
            {
                "job_id": 2,
                "submit_s": 0,
                "start_s": 1,
                "run_s": 1,
                "outcome": "completed",
                "attempts": np.nan,
            },
        ]
        or jobs["attempts"].tolist()[0] == 2
    )
    assert notes.taken == (Note("mended: attempts at one job, joined", 2),)


def test_the_same_row_a_second_time_is_no_attempt():
    notes = Notes()
    jobs = joined(rows((1, 5.0, 6.0, 3.0, "failed"), (1, 5.0, 6.0, 3.0, "failed")), notes)
    assert jobs["attempts"].isna().all()
    assert notes.taken == (Note("dropped: the same row a second time", 1),)


def test_the_order_of_rows_does_not_matter_where_starts_are_known():
    tries = [(1, 5.0, 6.0, 3.0, "failed"), (1, 5.0, 20.0, 1.0, "completed")]
    one, other = (joined(rows(*order), Notes()) for order in (tries, tries[::-1]))
    assert one.iloc[0].drop("attempts").tolist() == other.iloc[0].drop("attempts").tolist()


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100), st.floats(100, 200)), max_size=20))
def test_there_is_one_row_a_job_and_no_attempt_is_lost(tries):
    frame = rows(*((job, submit, start, 1.0, "failed") for job, submit, start in tries))
    jobs = joined(frame.astype({"submit_s": float, "start_s": float}), Notes())
    assert jobs["job_id"].is_unique
    assert jobs["attempts"].fillna(1).sum() == len(frame.drop_duplicates())
    assert set(jobs["job_id"]) == set(frame["job_id"])
