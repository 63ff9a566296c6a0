"""Procrastinate, a job queue of Python applications in PostgreSQL.

Triggers write each change of a job's state to ``procrastinate_events``, so that all is exact.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``id``
``kind``        ``task_name``
``submit_s``    when it was due: the later of its event ``deferred`` and the instant of the first
                event ``scheduled``, if that was written before it started
``start_s``     its first event ``started``
``run_s``       from the last ``started`` to the ``succeeded``, ``failed``, ``cancelled``,
                ``aborted`` or ``deferred_for_retry`` after it
``outcome``     ``status``; todo, doing and aborting have not ended
``priority``    ``priority``, the largest first
``attempts``    the number of ``started``
==============  ===================================================================================

Source: Procrastinate's ``schema.sql`` and its documentation of job statistics.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import later, numbers, seconds
from jobsim.joblog.queues.jobs import cannot_tell
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.queues.transitions import END, START, SUBMIT, by_job
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes

EVENTS = {
    "deferred": SUBMIT,
    "started": START,
    **dict.fromkeys(("succeeded", "failed", "cancelled", "aborted", "deferred_for_retry"), END),
}
STATUSES = {"aborted": "cancelled", "aborting": "unfinished"}


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs, each with its events."""
    jobs, events = frames["jobs"], frames.get("events")
    if events is None or events.empty:
        raise cannot_tell(
            "procrastinate_events is not there or empty, so that nothing says when a job came",
            "procrastinate_jobs",
        )
    at_s, order = seconds(events, "at", reading, notes), numbers(events, "id")
    told = by_job(events["job_id"], at_s, events["type"].map(EVENTS), order)
    told["planned_s"] = _planned(events.assign(at_s=at_s, order=order))
    told = told.reindex(jobs["id"]).set_axis(jobs.index)
    outcome, open_ = outcomes(jobs["status"], {**STATUSES, **reading.outcomes}, notes)
    return pd.DataFrame(
        {
            "job_id": jobs["id"],
            "kind": jobs["task_name"],
            "submit_s": later(told["submit_s"], told["planned_s"]).where(told["submit_s"].notna()),
            "created_s": told["submit_s"],
            "start_s": told["start_s"],
            "last_start_s": told["last_start_s"],
            "end_s": told["end_s"],
            "outcome": outcome,
            "open": open_,
            "priority": numbers(jobs, "priority"),
            "attempts": told["attempts"],
        }
    )


def _planned(events: pd.DataFrame) -> pd.Series[float]:
    """For when each job was scheduled first; a retry schedules anew, but after a start."""
    events = events.sort_values("order")
    started = events["type"].eq("started").groupby(events["job_id"]).cumsum() > 0
    first = events[events["type"].eq("scheduled") & ~started].drop_duplicates("job_id")
    return first.set_index("job_id")["at_s"]


SYSTEM = System(
    "procrastinate",
    "Procrastinate (Python): jobs, with every transition from their events",
    {
        "jobs": Part.of("procrastinate_jobs", "id task_name status", "priority"),
        "events": Part.of("procrastinate_events", "id job_id type at"),
    },
    read,
)
