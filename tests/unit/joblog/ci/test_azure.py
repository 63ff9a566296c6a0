"""Builds of Azure Pipelines."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.errors import LogError
from jobsim.joblog.ci import azure


def build(**members):
    return {
        "id": 41,
        "buildNumber": "20260504.1",
        "status": "completed",
        "result": "succeeded",
        "queueTime": "2026-05-04T09:59:50.1234567Z",
        "startTime": "2026-05-04T10:00:00.1234567Z",
        "finishTime": "2026-05-04T10:02:00.6234567Z",
        "definition": {"id": 3, "name": "nightly"},
        "requestedFor": {"displayName": "Ann Lee", "id": "x"},
        "priority": "normal",
    } | members


def test_a_build_has_all_that_the_api_says(read):
    log = read(azure, {"count": 1, "value": [build()]})
    assert log.jobs.iloc[0].dropna().to_dict() == pytest.approx(
        {
            "job_id": 41,
            "kind": "nightly",
            "submit_s": 0.0,
            "start_s": 10.0,
            "run_s": 120.5,
            "outcome": "completed",
            "owner": "Ann Lee",
        }
    )


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("succeeded", "completed"),
        ("partiallySucceeded", "completed"),
        ("failed", "failed"),
        ("canceled", "cancelled"),
    ],
)
def test_the_result_says_how_a_build_ended(read, result, outcome):
    assert read(azure, [build(result=result)]).jobs["outcome"].tolist() == [outcome]


@pytest.mark.parametrize("status", ["inProgress", "notStarted", "postponed", "cancelling"])
def test_a_build_that_had_not_ended_has_no_run_time(read, status):
    members = {"status": status, "result": "none", "finishTime": None}
    log = read(azure, [build(), build(id=42, **members)])
    assert log.jobs["run_s"].isna().tolist() == [False, True]
    assert log.jobs["outcome"].tolist()[0] == "completed"


def test_a_list_without_queue_times_has_starts_for_submissions_and_is_marked(read, noted):
    short = {
        "id": 7,
        "buildNumber": "20260504.2",
        "result": "succeeded",
        "startTime": "2026-05-04T10:00:00.25Z",
        "finishTime": "2026-05-04T10:00:30.9526383Z",
        "totalTime": "00:00:30.7026383",
        "reason": "schedule",
        "sender": "user1",
    }
    log = read(azure, [short | {"id": n} for n in range(25)])
    assert np.allclose(log.jobs["run_s"], 30.7026383, atol=1e-5)
    assert log.jobs["start_s"].isna().all()
    assert log.jobs["owner"].unique().tolist() == ["user1"]
    assert noted(log, "submissions are not logged") == 25
    assert noted(log, "every run succeeded") == 25


def test_total_times_are_run_times_where_ends_are_not_there(read):
    found = build(totalTime="1.00:00:01.5", startTime="2026-05-04T10:00:00Z")
    del found["finishTime"]
    text = [found | {"finishTime": None}]
    assert read(azure, text).jobs["run_s"].tolist() == [86_401.5]


def record(kind, **members):
    return {
        "id": kind,
        "parentId": None,
        "type": kind,
        "name": f"my {kind}",
        "startTime": "2026-05-04T10:00:00.12Z",
        "finishTime": "2026-05-04T10:02:00.12Z",
        "state": "completed",
        "result": "succeeded",
        "workerName": "agent 1",
        "attempt": 1,
    } | members


def test_of_a_timeline_the_jobs_are_jobs(read, noted):
    waiting = {"startTime": None, "finishTime": None, "state": "pending", "result": None}
    records = [
        *(record("Stage"), record("Task"), record("Job", result="failed", attempt=2)),
        record("Job", id="next", **waiting),
    ]
    log = read(azure, {"records": records, "changeId": 5})
    assert log.jobs["kind"].tolist() == ["my Job"]
    assert log.jobs["run_s"].tolist() == [120]
    assert log.jobs["outcome"].tolist() == ["failed"]
    assert log.jobs["attempts"].tolist() == [2]
    assert noted(log, "a stage, phase or task") == 2


def test_a_timeline_without_jobs_is_refused(read):
    with pytest.raises(LogError, match="no record of the timeline is a job"):
        read(azure, {"records": [record("Task")]})
