"""From what a queue system's tables say of each job to a job log: what cannot be is mended."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import refuse
from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.system import CannotTellError
from jobsim.joblog.schema import LARGEST
from jobsim.joblog.table import JobLog

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

RECORD = "watch the table instead: jobsim record table --database URL --table {table} --every 2s"

COLUMNS = {
    "job_id": "text",
    "submit_s": "seconds since 1970, when it was due",
    "created_s": "seconds since 1970, when its row was made, which may be before it was due",
    "start_s": "seconds since 1970, when its first attempt started",
    "end_s": "seconds since 1970, when its last attempt ended",
    "last_start_s": "seconds since 1970, when its last attempt started, where that is not start_s",
    "run_s": "how long its last attempt ran, where that is not the time from start to end",
    "open": "whether it had not ended when the tables were read",
    "outcome": "as in the tidy table",
    "kind": "text",
    "owner": "text",
    "priority": "number",
    "attempts": "number",
}
"""What a system's reader gives; all but the first two may be left out."""


def as_log(jobs: pd.DataFrame, notes: Notes, *, name: str, source: str, table: str) -> JobLog:
    """The log of jobs with `COLUMNS`, with what cannot be dropped or left missing, and noted.

    Raises
    ------
    LogError
        No job is left.
    """
    jobs = jobs.assign(job_id=_words(jobs["job_id"])).reset_index(drop=True)
    rows = len(jobs)
    jobs = _due(_unlike(_submitted(jobs, notes), notes), notes)
    notes = _of_what_is_left(notes, rows, len(jobs))
    if jobs.empty:
        refuse(source, f"no job is left of {table}: {_dropped(notes)}", RECORD.format(table=table))
    open_ = _column(jobs, "open", fill=False).astype(bool)
    notes.add("marked: had not ended when the tables were read, no run time", open_)
    log = JobLog.of(
        {
            "job_id": jobs["job_id"],
            "kind": _words(_column(jobs, "kind")),
            "submit_s": jobs["submit_s"],
            "start_s": _starts(jobs, notes),
            "run_s": _runs(jobs, notes).mask(open_),
            "outcome": _column(jobs, "outcome", fill="unknown").fillna("unknown"),
            "priority": _numbers(jobs, "priority", low=-LARGEST),
            "owner": _words(_column(jobs, "owner")),
            "attempts": _numbers(jobs, "attempts", low=0),
        },
        name=name,
        source=source,
        origin=EPOCH,
        notes=notes.taken,
    )
    return log.from_zero()


def cannot_tell(wrong: str, table: str) -> CannotTellError:
    """The error of tables that cannot make a log, with the command that would get one."""
    return CannotTellError(wrong, RECORD.format(table=table))


def only_start(
    start_s: pd.Series[float], attempts: pd.Series[float], notes: Notes
) -> pd.Series[float]:
    """The first attempt's start, of tables in which each attempt's replaces the one before."""
    lost = (attempts > 1) & start_s.notna()
    notes.add("marked: tried again, the first attempt's start is not kept and left missing", lost)
    return start_s.mask(lost)


def first_due(
    created_s: pd.Series[float],
    due_s: pd.Series[float],
    attempts: pd.Series[float],
    started_s: pd.Series[float],
    notes: Notes,
) -> pd.Series[float]:
    """When each job was due first, of tables in which a retry writes its own due time.

    `started_s` is when the last attempt started: if that was before the job is due, a further one
    is due.
    """
    lost = ((attempts > 1) | (started_s < due_s)) & created_s.notna()
    notes.add("marked: tried again, its first due time is not kept and its creation stands", lost)
    return due_s.mask(lost, created_s)


def _of_what_is_left(notes: Notes, rows: int, left: int) -> Notes:
    """What is marked in all rows, as marked in those that are left."""
    return Notes(
        replace(note, count=left)
        if note.count == rows and note.reason.startswith("marked: ")
        else note
        for note in notes.taken
    )


def _dropped(notes: Notes) -> str:
    """What became of the rows of tables of which no job is left."""
    dropped = [note for note in notes.taken if note.reason.startswith("dropped: ")]
    said = [f"{note.count} {note.reason.removeprefix('dropped: ')}" for note in dropped]
    return ", ".join(said) or "it has no rows"


def _submitted(jobs: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    unknown = jobs["submit_s"].isna()
    notes.add("dropped: when it was submitted is not known", unknown)
    nameless = jobs["job_id"].isna() & ~unknown
    notes.add("dropped: the job has no id", nameless)
    return jobs[~unknown & ~nameless]


def _unlike(jobs: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    again = jobs["job_id"].duplicated()
    notes.add("dropped: a second row of one job", again)
    return jobs[~again].reset_index(drop=True)


def _due(jobs: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """Without what no worker could have taken: it was never due.

    It was cancelled before, or waits for an instant that had not come when the tables were read:
    that was when the latest row was made or changed, or later.
    """
    if "created_s" not in jobs.columns or jobs.empty:
        return jobs
    known = [_column(jobs, name).astype("float64") for name in ("created_s", "start_s", "end_s")]
    read_s = np.nanmax([-np.inf, *(each.max() for each in known)])
    if not np.isfinite(read_s):
        return jobs
    _, start_s, end_s = known
    cancelled = _column(jobs, "outcome").eq("cancelled")
    unstarted = start_s.isna() & _column(jobs, "last_start_s").isna()
    withdrawn = unstarted & cancelled & (end_s < jobs["submit_s"])
    notes.add("dropped: cancelled before it was due", withdrawn)
    waits = unstarted & (cancelled | _column(jobs, "open", fill=False).astype(bool)) & ~withdrawn
    early: pd.Series[bool] = waits & (jobs["submit_s"] > read_s)
    notes.add("dropped: not due yet at the latest instant that the tables know of", early)
    return jobs[~withdrawn & ~early].reset_index(drop=True)


def _starts(jobs: pd.DataFrame, notes: Notes) -> pd.Series[float]:
    start_s = _column(jobs, "start_s").astype("float64")
    early = start_s < jobs["submit_s"]
    notes.add("mended: started before it was submitted, start left missing", early)
    return start_s.mask(early)


def _runs(jobs: pd.DataFrame, notes: Notes) -> pd.Series[float]:
    """The stated run time, or the time from the last start to the end."""
    start_s = _column(jobs, "last_start_s").astype("float64")
    start_s = start_s.fillna(_column(jobs, "start_s").astype("float64"))
    spans_s = _column(jobs, "end_s").astype("float64") - start_s
    run_s = _column(jobs, "run_s").astype("float64").fillna(spans_s)
    notes.add("mended: ended before it started, run time left missing", run_s < 0)
    return run_s.where((run_s >= 0) & (run_s < LARGEST))


def _numbers(jobs: pd.DataFrame, name: str, low: float) -> pd.Series[float]:
    found = _column(jobs, name).astype("float64")
    return found.where((found >= low) & (found < LARGEST))


def _words(cells: pd.Series[Any]) -> pd.Series[Any]:
    """Names as the tidy table has them: printable, no blanks around; empty is missing."""
    text = cells.astype("str")
    words = {each: _printable(each) for each in text.dropna().unique()}
    return text.map(words).replace("", np.nan)


def _printable(word: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in word).strip()


def _column(jobs: pd.DataFrame, name: str, fill: Any = np.nan) -> pd.Series[Any]:
    return jobs[name] if name in jobs.columns else pd.Series(fill, index=jobs.index)
