"""Rows of sacct as attempts at jobs: steps, parts and second looks at one attempt joined."""

from __future__ import annotations

import numpy as np
import pandas as pd

from jobsim.joblog.notes import Notes

REQUEUED_WITHIN_S = 3600.0
"""Slurm submits a requeued job anew at once, or minutes later if it had ended by itself."""

STEP = r"\..*"

UNITS_MB = {"": 2.0**-20, "K": 2.0**-10, "M": 1.0, "G": 2.0**10, "T": 2.0**20, "P": 2.0**30}
"""What one of each of sacct's units is; with ``--noconvert`` it writes bytes."""


def without_steps(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """The rows of jobs, each with the most memory that a task of any of its steps used.

    sacct prints a row for each step of a job (``12.batch``, ``12.extern``, ``12.0``), and only
    those have memory. 0 means that no sample was taken.
    """
    is_step = rows["jobid"].str.contains(".", regex=False)
    if not is_step.any():
        return rows.assign(memory_mb=_memory_mb(rows))
    job_id = rows["jobid"].where(
        ~is_step, rows.loc[is_step, "jobid"].str.replace(STEP, "", regex=True)
    )
    codes, found = pd.factorize(job_id)
    has_job = np.zeros(len(found), dtype=bool)
    has_job[codes[~is_step]] = True
    notes.add("mended: steps of a job, joined to it", is_step & has_job[codes])
    notes.add("dropped: steps of jobs that are not in the log", is_step & ~has_job[codes])
    peak_mb = _memory_mb(rows).groupby(codes).transform("max")
    return rows[~is_step].assign(memory_mb=peak_mb[~is_step])


def without_parts(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """Heterogeneous jobs as one: ``12+1`` is submitted, starts and ends with ``12+0``.

    Its memory is that of the largest task of any part.
    """
    pending = rows["jobid"].str.endswith("]")
    notes.add("marked: tasks of an array that had not started, one row for all of them", pending)
    parts = rows.loc[rows["jobid"].str.contains("+", regex=False), "jobid"]
    if parts.empty:
        return rows
    names = parts.str.partition("+")
    later = parts[(names[2] != "0") & (names[0] + "+0").isin(list(parts))]
    notes.add("mended: parts of a heterogeneous job (12+1), joined to its first", len(later))
    peak_mb = rows.loc[parts.index, "memory_mb"].groupby(names[0]).transform("max")
    return rows.assign(memory_mb=peak_mb.combine_first(rows["memory_mb"])).drop(index=later.index)


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


def _memory_mb(rows: pd.DataFrame) -> pd.Series[float]:
    """MaxRSS of each row, NaN where none was taken."""
    if "maxrss" not in rows:
        return pd.Series(np.nan, index=rows.index)
    codes, texts = pd.factorize(rows["maxrss"])
    parts = pd.Series(texts).str.extract(r"^([0-9]+(?:\.[0-9]+)?)([KMGTP]?)$")
    found = pd.to_numeric(parts[0]) * parts[1].map(UNITS_MB)
    return pd.Series(found.where(found > 0).to_numpy()[codes], index=rows.index)
