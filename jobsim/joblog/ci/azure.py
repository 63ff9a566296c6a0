"""Builds of Azure Pipelines."""

from __future__ import annotations

from pathlib import Path

from jobsim.joblog.ci.export import Export, Shape
from jobsim.joblog.ci.records import keys, records
from jobsim.joblog.files import read_text_bytes
from jobsim.joblog.reading import PLAIN, UNFINISHED, Reading
from jobsim.joblog.table import JobLog

BUILDS = Shape(
    {
        "id": ("id", "buildNumber"),
        "kind": ("definition.name", "pipeline.name", "definitionName"),
        "submit": ("queueTime",),
        "start": ("startTime",),
        "end": ("finishTime",),
        "run": ("totalTime",),
        "outcome": ("result", "status"),
        "owner": ("requestedFor.displayName", "requestedBy.displayName", "sender"),
    },
    "status",
    {"notStarted": UNFINISHED, "postponed": UNFINISHED, "partiallySucceeded": "completed"},
)


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds builds of Azure Pipelines."""
    names = keys(head)
    return {"startTime", "finishTime"} <= names and bool(names & {"queueTime", "buildNumber"})


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read builds as the REST API or ``az pipelines build list`` gives them, or such a list.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``job_id``      id
    ``kind``        definition.name
    ``submit_s``    queueTime; without it, startTime (marked, and starts are then missing)
    ``start_s``     startTime
    ``run_s``       finishTime less startTime; or totalTime, where one of them is not there
    ``outcome``     result: succeeded, partiallySucceeded completed; failed; canceled cancelled;
                    otherwise unknown
    ``owner``       requestedFor.displayName, requestedBy.displayName, sender
    ==============  ============================================================================

    Raises
    ------
    LogError
        The file cannot be read or records are wrong.
    """
    export = Export(records(read_text_bytes(path), str(path)), BUILDS, reading, path)
    if {"start", "end"} <= export.column.keys():
        export.leave_out("run")
    return export.log()
