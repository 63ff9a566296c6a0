"""Run times and waits, held against points in time."""

import pandas as pd

from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.tabular import from_frame

TIMES = {
    "queued_at": ["2024-05-13 10:00:00", "2024-05-13 10:01:00"],
    "started_at": ["2024-05-13 10:00:10", "2024-05-13 10:01:20"],
    "finished_at": ["2024-05-13 10:00:15", "2024-05-13 10:01:30"],
}


def log(columns, reading=PLAIN):
    return from_frame(pd.DataFrame(columns), reading, name="t", source="t.csv")


def test_a_duration_from_submission_to_end_is_no_run_time():
    found = log(TIMES | {"elapsed_s": [15, 30]})
    assert found.jobs["run_s"].tolist() == [5, 10]
    assert any("goes from submission to end" in note.reason for note in found.notes)


def test_a_duration_that_is_said_to_be_the_run_time_is():
    reading = Reading(columns={"run": "elapsed_s"})
    assert log(TIMES | {"elapsed_s": [15, 30]}, reading).jobs["run_s"].tolist() == [15, 30]


def test_a_duration_that_leaves_out_pauses_is_a_run_time():
    assert log(TIMES | {"elapsed_s": [4, 7]}).jobs["run_s"].tolist() == [4, 7]


def test_a_delay_that_was_asked_for_is_no_wait():
    assert log({"timestamp": TIMES["queued_at"], "delay": [0, 5]}).jobs["start_s"].isna().all()


def test_minutes_are_called_so():
    found = log({"queued_at": TIMES["queued_at"], "run_minutes": [1, 2]})
    assert "guessed: numbers in 'run_minutes' are minutes" in [note.reason for note in found.notes]
