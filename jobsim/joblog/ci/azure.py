"""Builds of Azure Pipelines, and the jobs in the timelines of builds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jobsim.joblog.ci.export import Export, Shape
from jobsim.joblog.ci.records import Record, keys, records
from jobsim.joblog.faultlist import refuse
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


JOBS = Shape(
    {
        "id": ("id",),
        "kind": ("name",),
        "start": ("startTime",),
        "end": ("finishTime",),
        "outcome": ("result", "state"),
        "attempts": ("attempt",),
    },
    "state",
    BUILDS.outcomes,
)

PARTS = "dropped: a stage, phase or task of a timeline, whose time is in that of its job"


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds builds of Azure Pipelines, or their timelines."""
    names = keys(head)
    builds = bool(names & {"queueTime", "buildNumber"})
    timelines = {"parentId", "workerName"} <= names
    return {"startTime", "finishTime"} <= names and (builds or timelines)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read builds as the REST API or ``az pipelines build list`` gives them, or timelines.

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

    Of timelines (``GET .../builds/ID/timeline``) a job is one, its name is the kind, and nothing
    says when it was queued.

    Raises
    ------
    LogError
        The file cannot be read or records are wrong.
    """
    found = records(read_text_bytes(path), str(path))
    if any("parentId" in each for each in found):
        return _timelines(found, reading, path)
    export = Export(found, BUILDS, reading, path)
    if {"start", "end"} <= export.column.keys():
        export.leave_out("run")
    return export.log()


def _timelines(found: Sequence[Record], reading: Reading, path: Path) -> JobLog:
    jobs = [each for each in found if each.get("type") == "Job"]
    if not jobs:
        refuse(str(path), "no record of the timeline is a job", 'records with "type": "Job"')
    export = Export(jobs, JOBS, reading, path)
    export.notes.add(PARTS, len(found) - len(jobs))
    return export.log()
