"""Steps, parts of heterogeneous jobs, arrays and requeued jobs become one row a job."""

from __future__ import annotations

import numpy as np
import pytest


def test_steps_only_give_their_job_the_memory_of_the_largest(read, job, noted):
    log = read(
        job(JobID="7"),
        job(JobID="7.batch", User="", MaxRSS="1024K"),
        job(JobID="7.extern", User="", MaxRSS="0"),
        job(JobID="7.0", User="", MaxRSS="1.5M"),
        job(JobID="8"),
        job(JobID="8.batch", User="", MaxRSS="0"),
        job(JobID="9_1"),
        job(JobID="9_1.batch", User="", MaxRSS="2097152"),
    )
    assert log.jobs["job_id"].tolist() == ["7", "8", "9_1"]
    assert log.jobs["memory_mb"].tolist() == pytest.approx([1.5, np.nan, 2], nan_ok=True)
    assert noted(log, "steps of a job, joined") == 5


def test_steps_without_their_job_are_dropped_and_counted(read, job, noted):
    log = read(job(JobID="7"), job(JobID="8.batch"))
    assert log.jobs["job_id"].tolist() == [7]
    assert noted(log, "dropped: steps of jobs that are not in the log") == 1


def test_tasks_of_an_array_are_jobs_and_pending_ones_share_a_row(read, job, noted):
    pending = {"State": "PENDING", "Start": "Unknown", "End": "Unknown", "Elapsed": "00:00:00"}
    log = read(job(JobID="5_1"), job(JobID="5_2"), job(JobID="5_[3-9%2]", **pending))
    assert log.jobs["job_id"].tolist() == ["5_1", "5_2", "5_[3-9%2]"]
    assert noted(log, "tasks of an array that had not started") == 1


def test_a_heterogeneous_job_is_one_job(read, job, noted):
    step = job(JobID="7+1.0", MaxRSS="2048K")
    log = read(job(JobID="7+0"), job(JobID="7+1"), step, job(JobID="8+1"), job(JobID="9"))
    assert log.jobs["job_id"].tolist() == ["7+0", "8+1", "9"]
    assert log.jobs["memory_mb"].fillna(0).tolist() == [2, 0, 0]
    assert noted(log, "heterogeneous") == 1


def test_attempts_at_a_requeued_job_are_joined(read, job, noted):
    log = read(
        job(JobID="7", State="NODE_FAIL"),
        job(JobID="7", Submit="2024-03-05T10:02:01", Start="2024-03-05T10:10:00",
            End="2024-03-05T10:11:00", Elapsed="00:01:00"),
        job(JobID="8", Submit="2024-03-05T10:00:01"),
    )  # fmt: skip
    assert log.jobs["job_id"].tolist() == [7, 8]
    first = log.jobs.iloc[0]
    assert (first["submit_s"], first["start_s"], first["run_s"]) == (0, 30, 60)
    assert (first["outcome"], first["attempts"]) == ("completed", 2)
    assert noted(log, "attempts at one job, joined") == 2


def test_a_job_requeued_and_still_pending_has_not_ended(read, job):
    log = read(
        job(JobID="7", State="REQUEUED"),
        job(JobID="7", Submit="2024-03-05T10:02:01", Start="Unknown", End="Unknown",
            Elapsed="00:00:00", State="PENDING"),
    )  # fmt: skip
    assert log.jobs["outcome"].tolist() == ["unknown"]
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["start_s"].tolist() == [30]


@pytest.mark.parametrize(
    "later", [{"Submit": "2024-09-05T10:00:00"}, {"Submit": "2024-03-05T10:02:01", "User": "bob"}]
)
def test_an_id_given_to_another_job_is_told_apart(read, job, noted, later):
    later |= {"Start": "2024-09-05T10:00:30", "End": "2024-09-05T10:02:00"}
    log = read(job(JobID="7"), job(JobID="8"), job(JobID="7", **later))
    assert log.jobs["job_id"].tolist() == ["7", "8", "7#2"]
    assert log.jobs["attempts"].isna().all()
    assert noted(log, "an id that was given to another job again") == 1


@pytest.mark.parametrize("order", [1, -1])
def test_of_files_put_together_the_row_that_knows_the_end_is_taken(read, job, noted, order):
    running = job(JobID="7", State="RUNNING", End="Unknown", Elapsed="00:01:00")
    log = read(*[running, job(JobID="7"), job(JobID="7")][::order])
    assert log.jobs["run_s"].tolist() == [90]
    assert log.jobs["attempts"].isna().all()
    assert noted(log, "dropped: a second row of the same attempt") == 2


def test_raw_ids_name_jobs_where_there_are_no_others(read, job):
    header = "JobIDRaw|Submit|State"
    log = read(job(header, JobIDRaw="41"), job(header, JobIDRaw="41.batch"), header=header)
    assert log.jobs["job_id"].tolist() == [41]
