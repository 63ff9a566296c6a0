"""Oban, the job queue of Elixir applications, in PostgreSQL, MySQL or SQLite.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``id``
``kind``        ``worker``
``submit_s``    when it was due: the later of ``inserted_at`` and ``scheduled_at``; of a job that
                was tried again ``inserted_at``, as a retry writes its own ``scheduled_at``
``start_s``     ``attempted_at``, if it was tried once: each attempt overwrites it
``run_s``       from ``attempted_at`` to ``completed_at``, ``discarded_at`` or ``cancelled_at``
``outcome``     ``state``: completed, discarded (failed), cancelled; the others have not ended
``priority``    ``priority``, 0 first
``attempts``    ``attempt``
==============  ===================================================================================

Times are UTC. The pruner deletes finished jobs, after a minute unless told otherwise. Sources:
Oban's documentation of ``Oban.Job``, the job lifecycle and ``Oban.Plugins.Pruner``.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import later, numbers, seconds
from jobsim.joblog.queues.jobs import first_due, only_start
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes

STATES = {
    "discarded": "failed",
    **dict.fromkeys(
        ("available", "scheduled", "executing", "retryable", "suspended"), "unfinished"
    ),
}


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs that Oban has not pruned."""
    jobs = frames["jobs"]
    at = {
        name: seconds(jobs, f"{name}_at", reading, notes)
        for name in ["inserted", "scheduled", "attempted", "completed", "discarded", "cancelled"]
    }
    tries = numbers(jobs, "attempt")
    outcome, open_ = outcomes(jobs["state"], {**STATES, **reading.outcomes}, notes)
    notes.add("marked: finished jobs are pruned, after a minute by default", len(jobs))
    return pd.DataFrame(
        {
            "job_id": jobs["id"],
            "kind": jobs["worker"],
            "submit_s": first_due(
                at["inserted"],
                later(at["inserted"], at["scheduled"]),
                tries,
                at["attempted"],
                notes,
            ),
            "created_s": at["inserted"],
            "start_s": only_start(at["attempted"], tries, notes),
            "last_start_s": at["attempted"],
            "end_s": at["completed"].fillna(at["discarded"]).fillna(at["cancelled"]),
            "outcome": outcome,
            "open": open_,
            "priority": numbers(jobs, "priority"),
            "attempts": tries,
        }
    )


SYSTEM = System(
    "oban",
    "Oban (Elixir): jobs that are not pruned yet",
    {
        "jobs": Part.of(
            "oban_jobs",
            "id state worker inserted_at scheduled_at attempted_at completed_at",
            "attempt priority discarded_at cancelled_at",
        )
    },
    read,
)
