"""django-q and django-q2: the tasks that have ended.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``id``
``kind``        ``func``
``submit_s``    ``started``: despite its name the instant at which the task was put on the queue
``start_s``     never known
``run_s``       never known: from ``started`` to ``stopped`` is wait and run together
``outcome``     ``success``
``owner``       ``group``
``attempts``    ``attempt_count``
==============  ===================================================================================

The table keeps the last 250 successes by default (``save_limit``), and all failures. What waits is
pickled in ``django_q_ormq`` and not read. Source: django-q's ``tasks.async_task`` and ``Task``, and
its documentation of ``time_taken``.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, numbers, seconds
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The tasks that have ended."""
    tasks = frames["tasks"]
    outcome, open_ = outcomes(tasks["success"], reading.outcomes, notes, "success")
    notes.add("marked: no start is kept, so that wait and run time are unknown", len(tasks))
    notes.add("marked: only the last successes are kept (save_limit), all failures", len(tasks))
    return pd.DataFrame(
        {
            "job_id": tasks["id"],
            "kind": tasks["func"],
            "submit_s": seconds(tasks, "started", reading, notes),
            "outcome": outcome,
            "open": open_,
            "owner": column(tasks, "group"),
            "attempts": numbers(tasks, "attempt_count"),
        }
    )


SYSTEM = System(
    "django-q",
    "django-q, django-q2: tasks that have ended, with wait and run time not told apart",
    {"tasks": Part.of("django_q_task", "id func started stopped success", "group attempt_count")},
    read,
)
