"""Solid Queue, the job queue that comes with Rails.

==============  ===================================================================================
column          made of
==============  ===================================================================================
``job_id``      ``active_job_id``: Active Job makes a new row, with this id, for each retry
``kind``        ``class_name``
``submit_s``    when the first was due: the later of ``created_at`` and ``scheduled_at``
``start_s``     of a job that is running now, and was not tried before, its claim's ``created_at``
``run_s``       never known: the claim is deleted when the job ends
``outcome``     completed with ``finished_at``, failed with a failed execution, else not ended
``priority``    ``priority``, 0 first
``attempts``    the number of rows; a discarded or retried attempt counts as finished in its row
==============  ===================================================================================

``finished_at`` is not the run's length after the due time, but wait and run together, so it gives
no run time. Finished jobs are deleted after a day by default, failed ones stay. Times are UTC.
Source: Solid Queue's schema, ``SolidQueue::Job`` and its README.
"""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.instants import column, later, numbers, seconds
from jobsim.joblog.queues.system import Frames, Part, System
from jobsim.joblog.reading import Reading


def read(frames: Frames, reading: Reading, notes: Notes) -> pd.DataFrame:
    """The jobs, rows of one Active Job joined."""
    rows = frames["jobs"]
    created_s = seconds(rows, "created_at", reading, notes)
    attempts = pd.DataFrame(
        {
            "job_id": column(rows, "active_job_id").fillna(rows["id"]),
            "kind": rows["class_name"],
            "submit_s": later(created_s, seconds(rows, "scheduled_at", reading, notes)),
            "created_s": created_s,
            "start_s": _claimed(rows, frames.get("claimed"), reading, notes),
            "end_s": seconds(rows, "finished_at", reading, notes),
            "outcome": _outcomes(rows, frames.get("failed")),
            "priority": numbers(rows, "priority"),
        }
    )
    attempts["open"] = attempts["outcome"] == "unknown"
    notes.add(
        "marked: the tables keep no start and no run time of finished jobs", ~attempts["open"]
    )
    notes.add(
        "marked: finished jobs are deleted after a day by default, failed ones stay", len(rows)
    )
    return _joined(attempts, notes)


def _claimed(
    rows: pd.DataFrame, claimed: pd.DataFrame | None, reading: Reading, notes: Notes
) -> pd.Series[float]:
    if claimed is None:
        return pd.Series(float("nan"), index=rows.index)
    since_s = seconds(claimed, "created_at", reading, notes).set_axis(claimed["job_id"])
    return rows["id"].map(since_s[~since_s.index.duplicated()]).astype("float64")


def _outcomes(rows: pd.DataFrame, failed: pd.DataFrame | None) -> pd.Series[str]:
    found = pd.Series("unknown", index=rows.index, dtype="str")
    found = found.mask(rows["finished_at"].notna(), "completed")
    return found if failed is None else found.mask(rows["id"].isin(failed["job_id"]), "failed")


def _joined(attempts: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """One row a job: the first attempt's submission, the last one's outcome."""
    attempts = attempts.sort_values("submit_s", kind="stable")
    again = attempts["job_id"].duplicated(keep=False)
    notes.add("mended: attempts joined to their jobs", again)
    waits = attempts["open"] & attempts["start_s"].isna()
    attempts = attempts.assign(
        start_s=attempts["start_s"].mask(again), attempts=1 - waits.astype("float64")
    )
    by_job = attempts.groupby("job_id", sort=False)
    last = by_job[["outcome", "open", "end_s"]].last()
    first = attempts.drop_duplicates("job_id").set_index("job_id")
    return first.assign(**last, attempts=by_job["attempts"].sum()).reset_index()


SYSTEM = System(
    "solid-queue",
    "Solid Queue (Rails): jobs, without starts and run times of what has finished",
    {
        "jobs": Part.of(
            "solid_queue_jobs",
            "id class_name created_at scheduled_at finished_at",
            "active_job_id priority",
        ),
        "claimed": Part.of("solid_queue_claimed_executions", "job_id created_at"),
        "failed": Part.of("solid_queue_failed_executions", "job_id created_at"),
    },
    read,
)
