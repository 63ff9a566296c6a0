"""Runs and jobs of GitHub Actions, from the REST API, from gh, and as CSV."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError, UsageError
from jobsim.joblog.ci import azure, github, gitlab
from jobsim.joblog.schema import schema


def run(**members):
    return {
        "id": 29_000_000_001,
        "name": "Tests",
        "status": "completed",
        "conclusion": "success",
        "created_at": "2026-05-04T10:00:00Z",
        "run_started_at": "2026-05-04T10:00:00Z",
        "updated_at": "2026-05-04T10:01:30Z",
        "run_attempt": 1,
        "actor": {"login": "ann", "id": 5},
        "repository": {"id": 7, "name": "shop"},
    } | members


def job(**members):
    return {
        "id": 81,
        "run_id": 4,
        "run_attempt": 1,
        "name": "build",
        "workflow_name": "Tests",
        "status": "completed",
        "conclusion": "success",
        "created_at": "2026-05-04T10:00:00Z",
        "started_at": "2026-05-04T10:00:20Z",
        "completed_at": "2026-05-04T10:01:00Z",
        "runner_name": "runner 3",
        "steps": [{"name": "checkout", "started_at": "2026-05-04T10:00:21Z"}],
    } | members


def test_a_run_has_no_start_but_a_run_time_that_is_marked(read, noted):
    log = read(github, {"total_count": 1, "workflow_runs": [run()]})
    assert log.jobs.iloc[0].dropna().to_dict() == {
        "job_id": 29_000_000_001,
        "kind": "Tests",
        "submit_s": 0.0,
        "run_s": 90.0,
        "outcome": "completed",
        "owner": "ann",
        "attempts": 1.0,
    }
    assert log.origin == datetime(2026, 5, 4, 10, tzinfo=UTC)
    assert noted(log, "a run is timed from its trigger") == 1


def test_a_run_that_was_started_again_ran_as_long_as_its_last_attempt(read):
    again = run(
        run_attempt=3,
        run_started_at="2026-05-04T12:00:00Z",
        updated_at="2026-05-04T12:00:10Z",
    )
    log = read(github, [again])
    assert log.jobs[["submit_s", "run_s", "attempts"]].iloc[0].tolist() == [0, 10, 3]


@pytest.mark.parametrize(
    ("conclusion", "outcome"),
    [
        ("success", "completed"),
        ("neutral", "completed"),
        ("failure", "failed"),
        ("startup_failure", "failed"),
        ("cancelled", "cancelled"),
        ("timed_out", "timeout"),
        ("stale", "cancelled"),
    ],
)
def test_the_conclusion_says_how_a_run_ended(read, conclusion, outcome):
    log = read(github, [run(conclusion=conclusion)])
    assert log.jobs["outcome"].tolist() == [outcome]
    assert log.jobs["run_s"].tolist() == [90]


@pytest.mark.parametrize("status", ["queued", "in_progress", "waiting", "pending", "requested"])
def test_a_run_that_had_not_ended_has_no_run_time(read, noted, status):
    log = read(github, [run(status=status, conclusion=None)])
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["outcome"].tolist() == ["unknown"]
    assert noted(log, "not ended when the log was made") == 1


def test_a_skipped_run_did_not_run_no_time(read, noted):
    log = read(github, [run(conclusion="skipped")])
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["outcome"].tolist() == ["cancelled"]
    assert noted(log, "skipped") == 1


def test_runs_on_two_pages_are_there_once(read, noted):
    pages = [run(id=2, updated_at="2026-05-04T10:02:00Z"), run(id=1), run(id=2)]
    log = read(github, {"workflow_runs": pages})
    assert log.jobs.sort_values("job_id")["run_s"].tolist() == [90, 120]
    assert noted(log, "comes a second time") == 1


def test_the_newest_may_come_first(read):
    runs = [run(id=n, created_at=f"2026-05-04T10:0{n}:00Z") for n in (3, 2, 1)]
    assert read(github, {"workflow_runs": runs}).jobs["job_id"].tolist() == [1, 2, 3]


def test_what_gh_lists_is_read(read):
    listed = {
        "attempt": 2,
        "conclusion": "failure",
        "createdAt": "2026-05-04T10:00:00Z",
        "databaseId": 9,
        "displayTitle": "Mend it",
        "name": "Mend it",
        "startedAt": "2026-05-04T10:05:00Z",
        "status": "completed",
        "updatedAt": "2026-05-04T10:05:07Z",
        "workflowName": "Tests",
    }
    log = read(github, [listed, listed | {"databaseId": 10, "conclusion": "", "status": "queued"}])
    assert log.jobs["kind"].tolist() == ["Tests", "Tests"]
    assert log.jobs["run_s"].tolist() == pytest.approx([7, np.nan], nan_ok=True)
    assert log.jobs["attempts"].tolist() == [2, 2]


def test_runs_as_csv_are_read(read, noted):
    text = (
        "run_id,name,status,conclusion,event,branch,created_at,duration_seconds\n"
        "12,Lint,completed,failure,push,main,2026-05-04T10:05:00Z,30\n"
        "11,Tests,completed,success,push,main,2026-05-04T10:00:00Z,61\n"
        "10,Tests,in_progress,,push,main,2026-05-04T09:59:00Z,7\n"
    )
    log = read(github, text)
    assert log.jobs["job_id"].tolist() == [10, 11, 12]
    assert log.jobs["run_s"].tolist() == pytest.approx([np.nan, 61, 30], nan_ok=True)
    assert log.jobs["start_s"].isna().all()
    assert log.jobs["outcome"].tolist() == ["unknown", "completed", "failed"]


def test_durations_in_milliseconds_are_seconds(read):
    text = "run_id,conclusion,created_at,run_duration_ms\n1,success,2026-05-04T10:05:00Z,2500\n"
    assert read(github, text).jobs["run_s"].tolist() == [2.5]


def test_a_job_waits_for_its_runner(read, noted):
    log = read(github, {"total_count": 1, "jobs": [job()]})
    assert log.jobs.iloc[0].dropna().to_dict() == {
        "job_id": 81,
        "kind": "Tests / build",
        "submit_s": 0.0,
        "start_s": 20.0,
        "run_s": 40.0,
        "outcome": "completed",
        "attempts": 1.0,
    }
    assert noted(log, "trigger") == 0


def test_a_job_cancelled_before_a_runner_took_it_did_not_start(read, noted):
    cancelled = job(id=82, conclusion="cancelled", runner_name="", name="deploy")
    log = read(github, {"jobs": [job(), cancelled]})
    assert log.jobs["start_s"].isna().tolist() == [False, True]
    assert log.jobs["run_s"].isna().tolist() == [False, True]
    assert noted(log, "cancelled before a runner took it") == 1


def test_jobs_of_several_attempts_at_a_run_are_attempts_at_one_job(read, noted):
    again = job(
        id=99,
        run_attempt=2,
        created_at="2026-05-04T11:00:00Z",
        started_at="2026-05-04T11:00:05Z",
        completed_at="2026-05-04T11:00:06Z",
    )
    log = read(github, {"jobs": [again, job(conclusion="failure"), job(id=83, name="lint")]})
    assert log.jobs["job_id"].tolist() == ["4/build", "4/lint"]
    first = log.jobs.iloc[0]
    assert (first["submit_s"], first["start_s"], first["run_s"]) == (0, 20, 1)
    assert (first["outcome"], first["attempts"]) == ("completed", 2)
    assert noted(log, "attempts at one job, joined") == 2


def test_jobs_of_one_attempt_with_the_same_name_are_jobs_of_their_own(read):
    assert len(read(github, {"jobs": [job(id=1), job(id=2), job(id=3, run_attempt=2)]})) == 3


def test_a_column_that_the_user_names_is_taken(read):
    log = read(github, [run(head_branch="main")], columns={"kind": "head_branch"})
    assert log.jobs["kind"].tolist() == ["main"]


def test_a_member_of_a_member_that_the_user_names_is_taken(read):
    log = read(github, [run()], columns={"kind": "repository.name"})
    assert log.jobs["kind"].tolist() == ["shop"]


def test_a_column_that_is_not_there_is_refused_with_the_nearest(read):
    with pytest.raises(UsageError, match=r"no 'headbranch' for --map kind=.*head_branch"):
        read(github, [run(head_branch="main")], columns={"kind": "headbranch"})


def test_a_word_that_the_user_explains_is_taken(read):
    log = read(github, [run(conclusion="neutral")], outcomes={"neutral": "failed"})
    assert log.jobs["outcome"].tolist() == ["failed"]


def test_a_time_that_is_none_is_told(read):
    with pytest.raises(
        LogError, match=r"column created_at: row 2: 'yesterday' is no point in time"
    ):
        read(github, [run(id=1), run(id=2, created_at="yesterday")])


def test_runs_without_a_creation_are_refused(read):
    nothing = dict.fromkeys(("created_at", "run_started_at"))
    with pytest.raises(LogError, match="no run says when it was created; one of created_at"):
        read(github, [run(**nothing)])


def test_only_runs_that_succeeded_are_marked(read, noted):
    runs = [run(id=n) for n in range(30)]
    assert noted(read(github, {"workflow_runs": runs}), "every run succeeded") == 30
    runs.append(run(id=99, conclusion="failure"))
    assert noted(read(github, {"workflow_runs": runs}), "every run succeeded") == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[{"id": 1, "created_at": "2026-05-04", "status": "done"}]',
        "id,status,created_at\n1,success,2026-05-04T10:05:00Z\n",
        '{"name": "x", "specification": {"tasks": []}}',
        "JobID|State|Submit\n",
    ],
)
def test_other_files_are_not_claimed(text):
    for service in (github, azure, gitlab):
        assert not service.looks_like(text.encode())


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_exports_are_refused_or_give_a_right_table(tmp_path, data):
    kind = data.draw(st.sampled_from([run, job]))
    wild = st.none() | st.integers() | st.text(max_size=8) | st.lists(st.none(), max_size=1)
    members = st.dictionaries(st.sampled_from([*kind()]), wild, max_size=3)
    found = [kind(**each) for each in data.draw(st.lists(members, min_size=1, max_size=4))]
    text = json.dumps({"workflow_runs": found})
    path = tmp_path / "runs.json"
    path.write_text(text[: data.draw(st.sampled_from([len(text), len(text) // 2]))])
    for service in (github, azure, gitlab):
        with suppress(LogError):
            schema().validate(service.read(path).jobs)


def test_jobs_as_the_command_line_shows_a_run(read):
    job = {
        "databaseId": 7,
        "name": "lint",
        "status": "completed",
        "conclusion": "success",
        "startedAt": "2026-05-04T10:00:00Z",
        "completedAt": "2026-05-04T10:02:26Z",
        "steps": [{"name": "Set up job", "startedAt": "2026-05-04T10:00:01Z"}],
    }
    log = read(github, {"jobs": [job], "name": "checks"})
    assert log.jobs[["job_id", "kind", "run_s", "outcome"]].iloc[0].tolist() == [
        *(7, "lint", 146, "completed")
    ]
