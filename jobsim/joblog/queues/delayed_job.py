"""delayed_job, a job queue of Rails applications.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``id``
``kind``        the class named in ``handler`` (YAML), or the method of a delayed call; ``tag`` in
                the table of inst-jobs, which descends from delayed_job
``submit_s``    when it was due: the later of ``created_at`` and ``run_at``; of a job that failed
                before ``created_at``, as a retry writes its own ``run_at``
``start_s``     ``locked_at`` of a job that runs for the first time
``run_s``       never known: the lock is taken off a failed job, and a successful one is deleted
``outcome``     failed with ``failed_at``, else not ended
``owner``       ``queue``
``priority``    ``priority``, the smallest first
``attempts``    ``attempts``, which counts failures, and the one that runs
==============  ===================================================================================

Only what waits, runs or has failed for good (where ``destroy_failed_jobs`` is off) has a row.
Times are UTC unless the application says otherwise. Source: delayed_job's README and backend.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, later, numbers, seconds
from jobsim.joblog.queues.jobs import first_due
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading

JOB_CLASS = r"(?m)^\s*job_class:\s*['\"]?(?P<kind>[\w:]+)"
METHOD = r"(?m)^method(?:_name)?:\s*:?(?P<kind>[\w?!]+)"
CLASS = r"\A---\s*!ruby/(?:object|struct):(?P<kind>[\w:]+)"


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs that wait, run, or failed for good."""
    jobs = frames["jobs"]
    created_s, due_s = (seconds(jobs, name, reading, notes) for name in ("created_at", "run_at"))
    locked_s = seconds(jobs, "locked_at", reading, notes)
    failed_s = seconds(jobs, "failed_at", reading, notes)
    failed = failed_s.notna()
    failures = numbers(jobs, "attempts").fillna(0)
    runs = locked_s.notna() & ~failed
    notes.add("marked: only what waits, runs or failed is kept; successes are deleted", len(jobs))
    tries = failures + runs
    return pd.DataFrame(
        {
            "job_id": jobs["id"],
            "kind": column(jobs, "tag").fillna(_kinds(jobs["handler"])),
            "submit_s": first_due(
                created_s, later(created_s, due_s), failures + 1, locked_s, notes
            ),
            "created_s": created_s,
            "start_s": locked_s.where(runs & (failures == 0)),
            "end_s": failed_s,
            "outcome": pd.Series("unknown", index=jobs.index).mask(failed, "failed"),
            "open": ~failed,
            "owner": column(jobs, "queue"),
            "priority": numbers(jobs, "priority"),
            "attempts": tries,
        }
    )


def _kinds(handlers: pd.Series[str]) -> pd.Series[str]:
    found = handlers.str.extract(JOB_CLASS)["kind"]
    for pattern in (METHOD, CLASS):
        found = found.fillna(handlers.str.extract(pattern)["kind"])
    return found


SYSTEM = System(
    "delayed-job",
    "delayed_job (Rails): what waits, runs or has failed for good",
    {
        "jobs": Part.of(
            "delayed_jobs",
            "id priority attempts handler run_at locked_at failed_at",
            "created_at queue tag",
        )
    },
    read,
)
