"""What the times of a table say together."""

import pandas as pd
import pytest

from jobsim.joblog.reading import PLAIN
from jobsim.joblog.tabular import from_frame

SUBMIT = ["2024-05-13 10:00:00", "2024-05-13 10:01:00"]
END = ["2024-05-13 10:00:20", "2024-05-13 10:01:30"]


def log(**columns):
    return from_frame(pd.DataFrame(columns), PLAIN, name="t", source="t.csv")


def test_an_end_less_a_run_time_is_a_start():
    assert log(created_at=SUBMIT, finished_at=END, duration=[5, 10]).jobs["start_s"].tolist() == [
        15,
        80,
    ]


@pytest.mark.parametrize("runs", [[20, 30], [19.5, 30.5]])
def test_run_times_that_begin_with_every_submission_tell_no_start(runs):
    found = log(created_at=SUBMIT, finished_at=END, duration=runs)
    assert found.jobs["start_s"].isna().all()
    assert found.jobs["run_s"].tolist() == runs
    assert any("a wait, if there was one, is in it" in note.reason for note in found.notes)


def test_a_wait_makes_a_start_of_a_submission_and_a_submission_of_a_start():
    assert log(created_at=SUBMIT, wait_s=[5, 6]).jobs["start_s"].tolist() == [5, 66]
    jobs = log(started_at=SUBMIT, finished_at=END, queue_time=[5, 6]).jobs
    assert jobs["submit_s"].tolist() == [0, 59]
    assert jobs["start_s"].tolist() == [5, 65]
