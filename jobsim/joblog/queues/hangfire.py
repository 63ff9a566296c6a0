"""Hangfire, the job queue of .NET applications, in SQL Server, PostgreSQL, MySQL or SQLite.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``Job.Id``
``kind``        the class and method in ``InvocationData``
``submit_s``    the first state ``Enqueued``: when it was due; of a job that was never enqueued
                ``EnqueueAt`` of its state ``Scheduled``, else ``Job.CreatedAt``
``start_s``     the first state ``Processing``
``run_s``       ``PerformanceDuration`` of the state ``Succeeded``; of other jobs from the last
                ``Processing`` to ``Failed`` or ``Deleted``
``outcome``     ``Job.StateName``: Succeeded, Failed, Deleted (cancelled); others have not ended
``attempts``    the number of states ``Processing``
==============  ===================================================================================

Times are UTC (SQL Server's have steps of 3.3 ms). Jobs that succeeded or were deleted are removed
with their states after a day by default; failed ones stay. Source: Hangfire's ``IState`` classes
and the schemas of its storages.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, numbers, seconds
from jobsim.joblog.queues.jobs import cannot_tell
from jobsim.joblog.queues.jsoncells import objects, said
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.queues.transitions import END, START, SUBMIT, by_job
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes

STATES = {
    "Enqueued": SUBMIT,
    "Processing": START,
    **dict.fromkeys(("Succeeded", "Failed", "Deleted"), END),
}
OUTCOMES = {"Awaiting": "unfinished", "Deleted": "cancelled"}


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs, each with its states."""
    jobs, states = frames["jobs"], frames.get("states")
    if states is None or states.empty:
        raise cannot_tell("there is no table of states, so that nothing says when a job ran", "Job")
    data = objects(column(states, "data"))
    at_s = seconds(states, "createdat", reading, notes)
    told = by_job(states["jobid"], at_s, states["name"].map(STATES), numbers(states, "id"))
    told["run_s"] = _performed_s(data).reindex(told["end_place"]).set_axis(told.index)
    told["planned_s"] = _planned_s(states, data, reading, notes)
    told = told.reindex(jobs["id"]).set_axis(jobs.index)
    created_s = seconds(jobs, "createdat", reading, notes)
    outcome, open_ = outcomes(jobs["statename"], {**OUTCOMES, **reading.outcomes}, notes)
    notes.add(
        "marked: succeeded jobs are removed after a day by default, failed ones stay", len(jobs)
    )
    return pd.DataFrame(
        {
            "job_id": jobs["id"],
            "kind": _kinds(jobs),
            "submit_s": told["submit_s"].fillna(told["planned_s"]).fillna(created_s),
            "created_s": created_s,
            "start_s": told["start_s"],
            "last_start_s": told["last_start_s"],
            "end_s": told["end_s"],
            "run_s": told["run_s"],
            "outcome": outcome,
            "open": open_ | jobs["statename"].isna(),
            "attempts": told["attempts"],
        }
    )


def _performed_s(data: pd.Series[Any]) -> pd.Series[float]:
    took = pd.DataFrame({"ms": said(data, "PerformanceDuration")})
    return numbers(took, "ms") / 1000


def _planned_s(
    states: pd.DataFrame, data: pd.Series[Any], reading: Reading, notes: Notes
) -> pd.Series[float]:
    """For when each job is scheduled; newer versions write milliseconds since 1970."""
    planned = pd.DataFrame({"EnqueueAt": said(data, "EnqueueAt")})
    milliseconds = numbers(planned, "EnqueueAt")
    text = pd.DataFrame({"EnqueueAt": planned["EnqueueAt"].mask(milliseconds.notna())})
    at_s = (milliseconds / 1000).fillna(seconds(text, "EnqueueAt", reading, notes))
    by_id = at_s.set_axis(states["jobid"])[states["name"].eq("Scheduled").to_numpy()]
    return by_id[~by_id.index.duplicated()]


def _kinds(jobs: pd.DataFrame) -> pd.Series[str]:
    call = objects(jobs["invocationdata"])
    names = said(call, "Type", "t").str.partition(",")[0]
    return names + "." + said(call, "Method", "m")


SYSTEM = System(
    "hangfire",
    "Hangfire (.NET): jobs, with their states",
    {
        "jobs": Part.of("job", "id statename invocationdata createdat"),
        "states": Part.of("state", "id jobid name createdat", "data"),
    },
    read,
)
