"""Rows of sacct as attempts at jobs: steps, parts and second looks at one attempt joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.notes import Notes

REQUEUED_WITHIN_S = 3600.0
"""Slurm submits a requeued job anew at once, or minutes later if it had ended by itself."""

UNITS_MB = {"": 2.0**-20, "K": 2.0**-10, "M": 1.0, "G": 2.0**10, "T": 2.0**20, "P": 2.0**30}
"""What one of each of sacct's units is; with ``--noconvert`` it writes bytes."""


def without_steps(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """The rows of jobs, each with the most memory that a task of any of its steps used.

    sacct prints a row for each step of a job (``12.batch``, ``12.extern``, ``12.0``), and only
    those have memory. 0 means that no sample was taken.
    """
    job_id = rows["jobid"].str.partition(".")[0]
    is_step = job_id != rows["jobid"]
    peak_mb = _memory_mb(rows["maxrss"]).groupby(job_id).max() if "maxrss" in rows else None
    jobs = rows[~is_step]
    notes.add("mended: steps of a job, joined to it", is_step & job_id.isin(jobs["jobid"]))
    notes.add(
        "dropped: steps of jobs that are not in the log", is_step & ~job_id.isin(jobs["jobid"])
    )
    return jobs.assign(memory_mb=np.nan if peak_mb is None else jobs["jobid"].map(peak_mb))


def without_parts(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """Heterogeneous jobs as one: ``12+1`` is submitted, starts and ends with ``12+0``."""
    parts = rows["jobid"].str.partition("+")
    is_part = (parts[1] == "+") & (parts[2] != "0") & (parts[0] + "+0").isin(rows["jobid"])
    notes.add("mended: parts of a heterogeneous job (12+1), joined to its first", is_part)
    pending = rows["jobid"].str.endswith("]")
    notes.add("marked: tasks of an array that had not started, one row for all of them", pending)
    return rows[~is_part]


def once(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """Each attempt once: of rows with the same job and submission, the one that knows its end.

    Files put together have jobs twice that ran over the seam: first running, later ended.
    """
    key = ["jobid", "submit_s"]
    if not rows.duplicated(key).any():
        return rows
    ended_last = rows.sort_values("run_s", key=pd.isna, ascending=False, kind="stable")
    kept = ended_last.drop_duplicates(key, keep="last").sort_index()
    notes.add("dropped: a second row of the same attempt", len(rows) - len(kept))
    return kept


def told_apart(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """Ids that Slurm gave to another job later get the submission appended.

    It is the same job, requeued, where the owner is the same and the attempt before ended when
    this one was submitted.
    """
    if rows["jobid"].is_unique:
        return rows
    tries = rows[rows["jobid"].duplicated(keep=False)].sort_values("submit_s", kind="stable")
    by_id = tries.groupby("jobid", sort=False)
    gap_s = tries["submit_s"] - by_id["end_s"].shift()
    is_first = ~tries["jobid"].duplicated()
    owner, before = tries["owner"].fillna(""), by_id["owner"].shift().fillna("")
    other = ~is_first & ((gap_s > REQUEUED_WITHIN_S) | (owner != before))
    notes.add("mended: an id that was given to another job again, told apart", other)
    nth = other.groupby(tries["jobid"]).cumsum()
    names = tries["jobid"].where(nth == 0, tries["jobid"] + "#" + (nth + 1).astype("str"))
    return rows.assign(jobid=names.reindex(rows.index).fillna(rows["jobid"]))


def _memory_mb(cells: pd.Series[str]) -> pd.Series[Any]:
    parts = cells.str.extract(r"^([0-9]+(?:\.[0-9]+)?)([KMGTP]?)$")
    found = pd.to_numeric(parts[0]) * parts[1].map(UNITS_MB)
    return found.where(found > 0)
