"""Runs and jobs of GitHub Actions."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from jobsim.joblog.ci.export import Export, Shape, without_starts
from jobsim.joblog.ci.records import csv_names, keys, records
from jobsim.joblog.files import read_text_bytes
from jobsim.joblog.reading import PLAIN, UNFINISHED, Reading
from jobsim.joblog.table import JobLog

OUTCOME_OF = {"stale": "cancelled", "action_required": UNFINISHED, "requested": UNFINISHED}
"""A stale run never came to an end; one that needs an action has not begun."""

RUNS = Shape(
    {
        "id": ("id", "run_id", "databaseId"),
        "kind": ("workflowName", "workflow_name", "name"),
        "submit": ("created_at", "createdAt"),
        "start": ("run_started_at", "startedAt", "created_at", "createdAt"),
        "end": ("updated_at", "updatedAt"),
        "run": ("duration_seconds", "duration_s", "run_duration_ms", "duration_ms", "duration"),
        "outcome": ("conclusion", "status"),
        "owner": ("actor.login", "triggering_actor.login", "actor"),
        "attempts": ("run_attempt", "attempt"),
    },
    "status",
    OUTCOME_OF,
)

JOBS = Shape(
    {
        "id": ("id", "job_id", "databaseId"),
        "kind": ("name",),
        "submit": ("created_at", "createdAt"),
        "start": ("started_at", "startedAt"),
        "end": ("completed_at", "completedAt"),
        "outcome": ("conclusion", "status"),
        "attempts": ("run_attempt",),
    },
    "status",
    OUTCOME_OF,
)

NO_STARTS = (
    "marked: a run is timed from its trigger: the wait for a runner is in its run time, and any"
    " later change to it; the jobs of runs say when they started (GET .../actions/runs/ID/jobs)"
)


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds runs or jobs of GitHub Actions."""
    names = keys(head)
    runs = "workflow_runs" in names or {"run_started_at", "run_attempt"} <= names
    jobs = {"run_id", "runner_name", "started_at"} <= names
    listed = {"createdAt", "conclusion"} <= names and bool(
        names & {"databaseId", "workflowName", "workflowDatabaseId", "headBranch"}
    )
    viewed = {"startedAt", "completedAt", "conclusion"} <= names
    return runs or jobs or listed or viewed or _is_csv(head)


def _is_csv(head: bytes) -> bool:
    names = csv_names(head)
    return (
        "conclusion" in names
        and bool(names & {"created_at", "createdAt", "run_started_at"})
        and bool(names & {"run_id", "databaseId", "workflow_name", "workflowName", "head_branch"})
    )


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read runs or jobs as the REST API or ``gh run --json`` gives them, or a CSV of runs.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``job_id``      id (databaseId, run_id)
    ``kind``        the workflow's name; of jobs with theirs behind it
    ``submit_s``    created_at
    ``start_s``     of jobs started_at, if a runner took it; of runs nothing: run_started_at is
                    when an attempt was triggered
    ``run_s``       of jobs completed_at less started_at; of runs a column of durations, or
                    updated_at less run_started_at (marked)
    ``outcome``     conclusion: success, neutral completed; failure, startup_failure failed;
                    cancelled, skipped, stale cancelled; timed_out timeout; otherwise unknown
    ``owner``       actor
    ``attempts``    run_attempt
    ==============  ============================================================================

    Jobs of one run with the same name in several attempts are attempts at one job.

    Raises
    ------
    LogError
        The file cannot be read or records are wrong.
    """
    found = records(read_text_bytes(path), str(path))
    if any("completed_at" in each or "completedAt" in each for each in found):
        return _jobs(Export(found, JOBS, reading, path)).log()
    export = Export(found, RUNS, reading, path)
    if "run" in export.column:
        # An end less a duration would be no start, as a runner may have taken the run later.
        export.leave_out("start", "end")
    return without_starts(export.log(), NO_STARTS)


def _jobs(export: Export) -> Export:
    """Jobs that no runner took did not start; those of several attempts share an id."""
    runner = export.cells("runner_name")
    if runner.notna().any():
        never = export.words().eq("cancelled") & runner.isna()
        what = "mended: cancelled before a runner took it, start and run time left missing"
        export.blank(("start", "end"), never, what)
    run, name, attempt = (export.cells(path) for path in ("run_id", "name", "run_attempt"))
    workflow = export.cells("workflow_name")
    if workflow.notna().any() and "kind" not in export.reading.columns:
        export.frame["name"] = (workflow + " / " + name).fillna(name)
    key = run.astype("str") + "/" + name.astype("str")
    names_tell = not pd.DataFrame({"key": key, "attempt": attempt}).duplicated().any()
    if run.notna().all() and names_tell and key.duplicated().any():
        export.key = key
    return export
