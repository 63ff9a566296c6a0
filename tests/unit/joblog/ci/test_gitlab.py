"""Jobs and pipelines of GitLab CI."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.joblog.ci import gitlab


def job(**members):
    return {
        "id": 11,
        "status": "success",
        "stage": "test",
        "name": "unit",
        "ref": "main",
        "created_at": "2026-05-04T10:00:00.000Z",
        "started_at": "2026-05-04T10:05:00.000+00:00",
        "finished_at": "2026-05-04T10:06:00.500Z",
        "duration": 60.5,
        "queued_duration": 4.0,
        "user": {"username": "ann", "name": "Ann"},
        "pipeline": {"id": 6},
        "failure_reason": None,
    } | members


def test_a_job_is_submitted_when_a_runner_could_take_it(read, noted):
    log = read(gitlab, [job(), job(id=12, name="first", queued_duration=300)])
    assert log.jobs["kind"].tolist() == ["first", "unit"]
    assert log.jobs["submit_s"].tolist() == [0, 296]
    assert log.jobs["start_s"].tolist() == [300, 300]
    assert log.jobs["run_s"].tolist() == [60.5, 60.5]
    assert log.jobs["owner"].tolist() == ["ann", "ann"]
    assert noted(log, "submitted when it could be taken") == 1


def test_a_job_that_did_not_start_is_submitted_with_its_pipeline(read):
    waiting = {"started_at": None, "finished_at": None, "duration": None, "queued_duration": 7}
    log = read(gitlab, [job(), job(id=12, name="e2e", status="pending", **waiting)])
    assert log.jobs["submit_s"].tolist() == [0, 296]
    assert log.jobs["run_s"].tolist() == pytest.approx([np.nan, 60.5], nan_ok=True)
    assert log.jobs["outcome"].tolist() == ["unknown", "completed"]


@pytest.mark.parametrize(
    ("members", "outcome"),
    [
        ({"status": "failed", "failure_reason": "script_failure"}, "failed"),
        ({"status": "failed", "failure_reason": "job_execution_timeout"}, "timeout"),
        ({"status": "failed", "failure_reason": "stuck_or_timeout_failure"}, "timeout"),
        ({"status": "canceled"}, "cancelled"),
        ({"status": "skipped", "started_at": None}, "cancelled"),
        ({"status": "manual", "started_at": None, "finished_at": None}, "unknown"),
    ],
)
def test_status_and_reason_say_how_a_job_ended(read, members, outcome):
    assert read(gitlab, [job(**members)]).jobs["outcome"].tolist() == [outcome]


def test_retried_jobs_are_attempts_at_one_job(read, noted):
    retried = job(
        id=19, started_at="2026-05-04T10:10:00Z", finished_at="2026-05-04T10:10:09Z", duration=9
    )
    log = read(gitlab, [retried, job(status="failed"), job(id=13, name="lint")])
    assert log.jobs["job_id"].tolist() == ["6/unit", "6/lint"]
    first = log.jobs.iloc[0]
    assert (first["start_s"], first["run_s"], first["attempts"]) == (4, 9, 2)
    assert first["outcome"] == "completed"
    assert noted(log, "attempts at one job, joined") == 2


def test_a_list_of_pipelines_has_no_run_times_and_says_where_they_are(read, noted):
    pipeline = {
        "id": 6,
        "iid": 2,
        "project_id": 1,
        "sha": "0f",
        "ref": "main",
        "status": "success",
        "source": "push",
        "created_at": "2026-05-04T10:00:00.000Z",
        "updated_at": "2026-05-04T10:09:00.000Z",
        "web_url": "https://gitlab.example.com/x/-/pipelines/6",
    }
    log = read(gitlab, [pipeline, pipeline | {"id": 7, "source": "schedule"}])
    assert log.jobs["kind"].tolist() == ["push", "schedule"]
    assert log.jobs["run_s"].isna().all()
    assert noted(log, "a list of pipelines has no starts and ends") == 2
