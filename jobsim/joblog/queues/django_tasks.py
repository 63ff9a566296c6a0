"""Django's tasks with the database backend (django-tasks, django-tasks-db).

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``id``
``kind``        ``task_path``
``submit_s``    when it was due: the later of ``enqueued_at`` and ``run_after``
``start_s``     ``started_at``
``run_s``       from ``started_at`` to ``finished_at``
``outcome``     ``status``: SUCCESSFUL (before: SUCCEEDED, COMPLETE) or FAILED, else not ended
``owner``       ``queue_name``
``priority``    ``priority``, the largest first
==============  ===================================================================================

Each task is tried once. Finished rows stay until ``prune_db_task_results`` is run. Times are UTC.
Source: django-tasks' model ``DBTaskResult``.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, later, numbers, seconds
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The tasks that are not pruned."""
    tasks = frames["tasks"]
    enqueued_s, started_s, finished_s, after_s = (
        seconds(tasks, name, reading, notes)
        for name in ("enqueued_at", "started_at", "finished_at", "run_after")
    )
    outcome, open_ = outcomes(tasks["status"], reading.outcomes, notes)
    return pd.DataFrame(
        {
            "job_id": tasks["id"],
            "kind": tasks["task_path"],
            "submit_s": later(enqueued_s, after_s).where(enqueued_s.notna()),
            "created_s": enqueued_s,
            "start_s": started_s,
            "end_s": finished_s,
            "outcome": outcome,
            "open": open_,
            "owner": column(tasks, "queue_name"),
            "priority": numbers(tasks, "priority"),
        }
    )


SYSTEM = System(
    "django-tasks",
    "Django's tasks with the database backend: tasks, with starts and ends",
    {
        "tasks": Part.of(
            "dbtaskresult",
            "id status enqueued_at started_at finished_at task_path",
            "run_after priority queue_name",
        )
    },
    read,
)
