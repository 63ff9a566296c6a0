"""pg-boss, a job queue of Node.js applications in PostgreSQL, from version 4 on.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``id``
``kind``        ``name``, the queue's
``submit_s``    when it was due: the later of ``createdon`` and ``startafter``; of a job that was
                tried again ``createdon``, as a retry writes its own ``startafter``
``start_s``     ``startedon``, if it was tried once: each attempt overwrites it
``run_s``       from ``startedon`` to ``completedon``, which failed and cancelled jobs have as well
``outcome``     ``state``: completed, failed, cancelled, expired (timeout); others have not ended
``priority``    ``priority``, the largest first
``attempts``    ``retrycount`` and the first
==============  ===================================================================================

Since version 10 the columns are written ``created_on`` and so on, and the rows are in a partition
of ``job`` for each queue; before, finished jobs move to ``archive`` after 12 hours. All tables that
have the columns are read together. Older versions put a notice of each job that ended on a queue
``__state__completed__NAME``; it is no job and dropped. Finished jobs are deleted after days that
the user chooses.
Source: pg-boss's ``plans`` and its documentation of the job table.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import later, numbers, seconds
from jobsim.joblog.queues.jobs import first_due, only_start
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes

NOTICE = "__state__completed__"
STATES = {"expired": "timeout", **dict.fromkeys(("created", "retry", "active"), "unfinished")}


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs of all its tables."""
    # A table shows the rows of its partitions too, which is no second row of the job.
    jobs = pd.concat([*frames.values()]).drop_duplicates("id", ignore_index=True)
    notice = jobs["name"].str.startswith(NOTICE, na=False)
    notes.add("dropped: the notice that another job ended", notice)
    jobs = jobs[~notice].reset_index(drop=True)
    created_s, after_s, started_s, completed_s = (
        seconds(jobs, name, reading, notes)
        for name in ("createdon", "startafter", "startedon", "completedon")
    )
    tries = (numbers(jobs, "retrycount").fillna(0) + 1).where(started_s.notna(), 0)
    outcome, open_ = outcomes(jobs["state"], {**STATES, **reading.outcomes}, notes)
    notes.add("marked: finished jobs are deleted after some days", len(jobs))
    return pd.DataFrame(
        {
            "job_id": jobs["id"],
            "kind": jobs["name"],
            "submit_s": first_due(created_s, later(created_s, after_s), tries, started_s, notes),
            "created_s": created_s,
            "start_s": only_start(started_s, tries, notes),
            "last_start_s": started_s,
            "end_s": completed_s,
            "outcome": outcome,
            "open": open_,
            "priority": numbers(jobs, "priority"),
            "attempts": tries,
        }
    )


NEEDS = "id name state createdon startafter startedon completedon retrycount"

SYSTEM = System(
    "pg-boss",
    "pg-boss (Node.js): jobs, with those archived or in partitions",
    {"jobs": Part.of("job", NEEDS, "priority"), "others": Part.of("", NEEDS, "priority")},
    read,
)
