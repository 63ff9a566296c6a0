"""The results that Celery keeps in a database: its own backend's, and django-celery-results'.

Celery's own table ``celery_taskmeta`` has one time, ``date_done``, that each change of state
overwrites: nothing in it can be a submission or a start, so it is refused.

django-celery-results' table ``django_celery_results_taskresult``:

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``task_id``
``kind``        ``task_name`` (only with ``result_extended``)
``submit_s``    ``date_created``, when the row was made
``start_s``     ``date_started`` (only with ``task_track_started``), if rows are made before that
``run_s``       from ``date_started`` to ``date_done``
``outcome``     ``status``: SUCCESS, FAILURE, REVOKED (cancelled); others have not ended
``owner``       ``worker``
==============  ===================================================================================

A row is made by the first result that is stored: the start, where starts are tracked, else the
end. Only an application that makes rows itself when it publishes a task has waits, which is seen
from rows that were made more than a second before their start. Otherwise starts stand for
submissions. Results are deleted after a day by default. Times are UTC. Sources: the models
``celery.backends.database.models.Task`` and ``django_celery_results.models.TaskResult``, and
``DatabaseBackend._store_result``.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, seconds
from jobsim.joblog.queues.jobs import cannot_tell
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes

STATES = {"RETRY": "unfinished", "RECEIVED": "unfinished", "STARTED": "unfinished"}
AT_ONCE_S = 1.0


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs of django-celery-results."""
    rows = frames["results"]
    created_s, started_s, done_s = (
        seconds(rows, f"date_{name}", reading, notes) for name in ("created", "started", "done")
    )
    outcome, open_ = outcomes(rows["status"], {**STATES, **reading.outcomes}, notes)
    made_when_published = bool((started_s - created_s > AT_ONCE_S).any())
    if not made_when_published:
        notes.add(
            "marked: submission times are not logged, starts stand for them, or ends where starts"
            " are not tracked (task_track_started)",
            len(rows),
        )
    notes.add("marked: results are deleted after a day by default", len(rows))
    return pd.DataFrame(
        {
            "job_id": rows["task_id"],
            "kind": column(rows, "task_name"),
            "submit_s": created_s if made_when_published else started_s.fillna(created_s),
            "start_s": started_s if made_when_published else float("nan"),
            "last_start_s": started_s,
            "end_s": done_s.where(~open_),
            "outcome": outcome,
            "open": open_,
            "owner": column(rows, "worker"),
        }
    )


def refuse(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """Celery's own table cannot be a log."""
    raise cannot_tell(
        "celery_taskmeta has only the time of a task's last change (date_done), and nothing that"
        " can be its submission or its start",
        "celery_taskmeta",
    )


DJANGO = System(
    "django-celery-results",
    "Celery's results kept by Django: tasks, with starts where these are tracked",
    {
        "results": Part.of(
            "django_celery_results_taskresult",
            "task_id status date_created date_done",
            "task_name worker date_started",
        )
    },
    read,
)
OWN = System(
    "celery",
    "Celery's own results: no submissions and no starts",
    {"results": Part.of("celery_taskmeta", "task_id status date_done")},
    refuse,
)
