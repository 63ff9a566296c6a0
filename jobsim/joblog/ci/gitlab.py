"""Jobs and pipelines of GitLab CI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from jobsim.joblog.ci.export import Export, Shape
from jobsim.joblog.ci.records import keys, records
from jobsim.joblog.files import read_text_bytes
from jobsim.joblog.reading import PLAIN, UNFINISHED, Reading
from jobsim.joblog.table import JobLog

NOT_BEGUN = ("manual", "preparing", "waiting_for_resource", "waiting_for_callback", "canceling")

JOBS = Shape(
    {
        "id": ("id",),
        "kind": ("name", "source"),
        "submit": ("created_at",),
        "start": ("started_at",),
        "end": ("finished_at",),
        "run": ("duration",),
        "outcome": ("status",),
        "owner": ("user.username", "user.name"),
    },
    "status",
    dict.fromkeys(NOT_BEGUN, UNFINISHED),
)

TIMEOUTS = ("job_execution_timeout", "stuck_or_timeout_failure")
"""Reasons of a failure that say that a job was ended after too long."""

NO_RUN_TIMES = (
    "marked: a list of pipelines has no starts and ends; its jobs have (GET /projects/ID/jobs)"
)


LONGEST_S = 1e8
"""No job waits for years."""


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds jobs or pipelines of GitLab CI."""
    names = keys(head)
    jobs = {"created_at", "started_at", "finished_at"} <= names and bool(
        names & {"queued_duration", "stage"}
    )
    return jobs or {"iid", "project_id", "ref", "sha", "source", "created_at"} <= names


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read jobs or pipelines as the REST API gives them.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``job_id``      id; of jobs that were retried, their pipeline's and their name
    ``kind``        name, or what started the pipeline (source)
    ``submit_s``    started_at less queued_duration, the instant from which a runner could take
                    the job; created_at, when its pipeline was made, where these are not known
    ``start_s``     started_at
    ``run_s``       duration, or finished_at less started_at
    ``outcome``     status: success completed; failed (timeout where failure_reason says so);
                    canceled, skipped cancelled; otherwise unknown
    ``owner``       user.username
    ==============  ============================================================================

    Raises
    ------
    LogError
        The file cannot be read or records are wrong.
    """
    export = Export(records(read_text_bytes(path), str(path)), JOBS, reading, path)
    if not export.column.keys() & {"start", "end", "run"}:
        export.notes.add(NO_RUN_TIMES, len(export.frame))
    _by_reason(export)
    _from_queued(export)
    pipeline, name = export.cells("pipeline.id"), export.cells("name")
    key = pipeline.astype("str") + "/" + name.astype("str")
    if pipeline.notna().all() and key.duplicated().any():
        export.key = key
    return export.log()


def _by_reason(export: Export) -> None:
    """Have the reason of a failure say that it was a time-out."""
    late = export.cells("failure_reason").isin(TIMEOUTS)
    if late.any() and export.column.get("outcome") == "status":
        export.frame["status"] = export.frame["status"].mask(late, "timeout")


def _from_queued(export: Export) -> None:
    """Submit jobs when they could be taken, not when their pipeline was made."""
    queued_s = pd.to_numeric(export.cells("queued_duration"), errors="coerce").astype("float64")
    queued_s = queued_s.where(queued_s.between(0, LONGEST_S))
    if export.column.get("submit") != "created_at" or not queued_s.notna().any():
        return
    ready = _instants(export.cells("started_at")) - pd.to_timedelta(queued_s, unit="s")
    created = _instants(export.cells("created_at"))
    known = ready.notna() & (ready >= created)
    texts = ready.dt.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    export.frame["created_at"] = export.frame["created_at"].mask(known, texts)
    what = (
        "mended: submitted when it could be taken (started_at less queued_duration), not when its"
        " pipeline was made"
    )
    export.notes.add(what, known & (ready > created))


def _instants(cells: pd.Series[Any]) -> pd.Series[Any]:
    texts = cells.astype("str").where(cells.notna())
    found: pd.Series[Any] = pd.to_datetime(texts, format="ISO8601", errors="coerce", utc=True)
    return found
