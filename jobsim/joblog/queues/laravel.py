"""Laravel's ``database`` queue driver, and the jobs that it or another driver gave up.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``id``; of a failed job ``uuid``, or its id as ``failed-ID``
``kind``        the payload's ``displayName``, a class
``submit_s``    ``available_at``, when it was due; of a job that was taken before the payload's
                ``createdAt``, as a release writes a new row; of a failed job only the latter
``start_s``     ``reserved_at`` of a job that runs for the first time
``run_s``       never known: a job's row goes when it ends
``outcome``     failed in ``failed_jobs``, else not ended
``owner``       ``queue``
``attempts``    ``attempts``, counted when a job is taken
==============  ===================================================================================

Times are seconds since 1970, but for ``failed_at``, which is the end of a job whose start nobody
kept, and gives nothing. Payloads have ``createdAt`` since Laravel 12 (Horizon's have ``pushedAt``).
A failed job without either cannot be placed and is dropped. Source: Laravel's ``DatabaseQueue``,
``Queue::createObjectPayload`` and ``DatabaseUuidFailedJobProvider``.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, epochs, numbers
from jobsim.joblog.queues.jsoncells import objects, said
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs that wait or run, and those that failed."""
    waiting = _waiting(frames["jobs"], notes)
    notes.add(
        "marked: only what waits, runs or failed is kept; successes are deleted", len(waiting)
    )
    if "failed" not in frames:
        return waiting
    return pd.concat([waiting, read_failed(frames, reading, notes)], ignore_index=True)


def _waiting(jobs: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    payload, tries = objects(jobs["payload"]), numbers(jobs, "attempts").fillna(0)
    due_s, reserved_s = epochs(jobs, "available_at", notes), epochs(jobs, "reserved_at", notes)
    released = (tries > 1) | ((tries == 1) & reserved_s.isna())
    made_s = _made_s(payload, notes)
    notes.add(
        "marked: released for another attempt, its first due time is not kept: its creation"
        " stands, or the time from which it may be tried again",
        released,
    )
    return pd.DataFrame(
        {
            "job_id": jobs["id"],
            "kind": said(payload, "displayName", "job"),
            "submit_s": due_s.mask(released & made_s.notna(), made_s),
            "created_s": epochs(jobs, "created_at", notes),
            "start_s": reserved_s.where(tries == 1),
            "outcome": "unknown",
            "open": True,
            "owner": jobs["queue"],
            "attempts": tries,
        }
    )


def read_failed(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs that failed."""
    jobs = frames["failed"]
    payload = objects(jobs["payload"])
    made_s = _made_s(payload, notes)
    notes.add("marked: failed jobs stay, with no start and no run time", made_s.notna())
    return pd.DataFrame(
        {
            "job_id": column(jobs, "uuid").fillna("failed-" + column(jobs, "id")),
            "kind": said(payload, "displayName", "job"),
            "submit_s": made_s,
            "created_s": made_s,
            "outcome": "failed",
            "open": False,
            "owner": column(jobs, "queue"),
        }
    )


def _made_s(payload: pd.Series[Any], notes: Notes) -> pd.Series[float]:
    made = pd.DataFrame({"createdAt": said(payload, "createdAt", "pushedAt")})
    return epochs(made, "createdAt", notes)


JOBS = Part.of("jobs", "id queue payload attempts reserved_at available_at created_at")
FAILED_JOBS = Part.of("failed_jobs", "id payload failed_at", "uuid queue")

SYSTEM = System(
    "laravel",
    "Laravel's database queue: what waits, runs or failed",
    {"jobs": JOBS, "failed": FAILED_JOBS},
    read,
)
FAILED = System(
    "laravel-failed",
    "Laravel with another queue: what failed",
    {"failed": FAILED_JOBS},
    read_failed,
    view_of=SYSTEM.name,
)
