"""Reading the Standard Workload Format: what its numbers mean for jobs."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import refuse
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import LARGEST, OUTCOMES, category
from jobsim.joblog.swf_lines import (
    FIELDS,
    NUMBER,
    PARTS,
    Header,
    job_lines,
    read_header,
    read_lines,
)
from jobsim.joblog.table import JobLog

FAILED, COMPLETED, CANCELLED = 0, 1, 5
GOES_ON, LAST_COMPLETED, LAST_FAILED = PARTS

OUTCOME_OF = {
    FAILED: "failed",
    COMPLETED: "completed",
    CANCELLED: "cancelled",
    LAST_COMPLETED: "completed",
    LAST_FAILED: "failed",
}

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

ABSOLUTE_S = (5e8, 2.0**32)
"""A log whose first submission is in here (1985 to 2106) counts from 1970, not from its start; and
a start that is not in here is none: makers who do not know it write 0."""


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is SWF: its first job line is 18 numbers."""
    first = next((fields for _, fields in job_lines(head)), [])[: len(FIELDS)]
    return len(first) == len(FIELDS) and all(map(NUMBER.fullmatch, first))


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read an SWF file, plain or gzip.

    Run times, waits and memory that the log gives as -1 (or below) become missing, jobs without
    a submit time are dropped, lines out of order are sorted, and each of it is counted in the
    log's notes. The clock begins at the first submission.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``job_id``      field 1; ``7#2`` where an earlier line has that number
    ``kind``        the executable's number (14); the queue (15, or a name in field 20) where
                    the log numbers fewer than two executables
    ``submit_s``    field 2
    ``start_s``     submit time and wait (3)
    ``run_s``       field 4
    ``outcome``     status (11): 1 completed, 0 failed, 5 cancelled, otherwise unknown
    ``owner``       user (12)
    ``memory_mb``   used memory of each processor (7, in kB) times processors (5)
    ``attempts``    the number of part lines (status 2, 3, 4), where a job has them
    ==============  ============================================================================

    Raises
    ------
    LogError
        The file cannot be read or lines are wrong; every fault is listed, up to a limit.
    """
    data = read_text_bytes(path)
    lines = read_lines(data, str(path))
    header, notes = read_header(data), Notes()
    jobs = _submitted(_told_apart(_joined(lines, notes), notes), notes)
    if jobs.empty:
        refuse(str(path), "no job has a submit time", "field 2 in seconds")
    log = JobLog.of(
        _columns(jobs, header, notes),
        name=log_name(path),
        source=str(path),
        origin=_origin(jobs["submit_s"].min(), header.start),
        zone=_zone(header.zone),
        notes=notes.taken,
    )
    return log.from_zero()


def _joined(lines: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """One row a job: part lines only count as attempts, unless no line sums their job up."""
    is_part = lines["status"].isin(PARTS)
    if not is_part.any():
        return lines.assign(attempts=np.nan)
    notes.add("mended: lines that are parts of one job, joined", is_part)
    parts, jobs = lines[is_part], lines[~is_part]
    orphans = parts[~parts["job_id"].isin(jobs["job_id"])]
    jobs = pd.concat([jobs, _summed(orphans)]).sort_index()
    return jobs.assign(attempts=jobs["job_id"].map(parts["job_id"].value_counts()))


def _summed(parts: pd.DataFrame) -> pd.DataFrame:
    """The parts of each job as one line: the first one's, with all run times and the last end."""
    by_job = parts.groupby("job_id")
    run_s = parts["run_s"].where(parts["run_s"] >= 0).groupby(parts["job_id"]).sum(min_count=1)
    first = parts.drop_duplicates("job_id")
    return first.assign(
        run_s=first["job_id"].map(run_s).fillna(-1),
        status=first["job_id"].map(by_job["status"].last()),
    )


def _told_apart(jobs: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """Each job under a number of its own, also in files put together of others."""
    numbers = jobs["job_id"].astype("int64")
    if numbers.is_unique:
        return jobs.assign(job_id=numbers)
    again = jobs.duplicated()
    notes.add("dropped: the same line a second time", again)
    jobs, names = jobs[~again], numbers[~again].astype("str")
    nth = names.groupby(names).cumcount()
    notes.add("mended: a job number that an earlier line has, told apart (7#2)", nth > 0)
    return jobs.assign(job_id=names.where(nth == 0, names + "#" + (nth + 1).astype("str")))


def _submitted(jobs: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    unknown = jobs["submit_s"] < 0
    notes.add("dropped: submit time unknown (below 0)", unknown)
    jobs = jobs[~unknown]
    early = jobs["submit_s"] < jobs["submit_s"].cummax()
    notes.add("mended: submitted before a job on an earlier line, sorted", early)
    return jobs


def _columns(jobs: pd.DataFrame, header: Header, notes: Notes) -> dict[str, Any]:
    run_s, wait_s = jobs["run_s"], jobs["wait_s"]
    outcome = _outcomes(jobs["status"], notes)
    cancelled = outcome == "cancelled"
    never_ended = run_s < -1
    never_started = (run_s == -1) & cancelled
    notes.add("mended: run time far below 0, never ended, left missing", never_ended)
    notes.add("mended: cancelled before it started (run time -1), left missing", never_started)
    notes.add("mended: run time unknown (-1), left missing", (run_s == -1) & ~cancelled)
    notes.add("mended: wait unknown (below 0), start left missing", wait_s < 0)
    return {
        "job_id": jobs["job_id"],
        "kind": _kinds(jobs, header),
        "submit_s": jobs["submit_s"],
        "start_s": jobs["submit_s"] + wait_s.where((wait_s >= 0) & ~never_started),
        "run_s": run_s.where(run_s >= 0),
        "outcome": outcome.mask(never_ended, "unknown"),
        "owner": _numbered(jobs["user"], "user"),
        "memory_mb": _memory_mb(jobs["used_kb"], jobs["processors"]),
        "attempts": jobs["attempts"],
    }


def _memory_mb(used_kb: pd.Series[float], processors: pd.Series[float]) -> pd.Series[float]:
    memory_mb = used_kb * processors / 1024
    return memory_mb.where((used_kb >= 0) & (processors > 0) & (memory_mb < LARGEST))


def _outcomes(status: pd.Series[float], notes: Notes) -> pd.Series[Any]:
    foreign = ~status.isin([-1, GOES_ON, *OUTCOME_OF])
    notes.add("mended: status that the format does not have, outcome unknown", foreign)
    codes = np.full(len(status), OUTCOMES.index("unknown"), dtype="int8")
    for number, outcome in OUTCOME_OF.items():
        codes[status == number] = OUTCOMES.index(outcome)
    return pd.Series(category(codes, OUTCOMES), index=status.index)


def _kinds(jobs: pd.DataFrame, header: Header) -> pd.Series[Any]:
    applications = jobs["executable"].where(jobs["executable"] >= 0)
    if applications.nunique() > 1:
        return _numbered(jobs["executable"], "app")
    if (jobs["queue_name"] != "").any():
        return jobs["queue_name"].where(jobs["queue_name"] != "")
    if (jobs["queue"] >= 0).any():
        return _numbered(jobs["queue"], "queue", header.queues)
    return _numbered(jobs["executable"], "app")


def _numbered(
    numbers: pd.Series[float], prefix: str, names: dict[int, str] | None = None
) -> pd.Series[Any]:
    """Numbers as text: the name, where it says more and only one has it; else prefix-number."""
    codes, found = pd.factorize(numbers.where(numbers >= 0), sort=True)
    known = list((names or {}).values())
    words = [(names or {}).get(int(number), "") for number in found]
    texts = [
        word if word and not word.isdigit() and known.count(word) == 1 else f"{prefix}-{number:.0f}"
        for word, number in zip(words, found, strict=True)
    ]
    return pd.Series(category(codes, texts), index=numbers.index)


def _origin(first_s: float, start: str | None) -> datetime | None:
    """The instant of second 0, from the header or from submit times that count from 1970."""
    low_s, high_s = ABSOLUTE_S
    if low_s <= first_s <= high_s:
        return EPOCH
    start_s = int(start) if start and re.fullmatch("[0-9]{9,10}", start) else 0
    return EPOCH + timedelta(seconds=start_s) if low_s <= start_s <= high_s else None


def _zone(name: str | None) -> str | None:
    """The header's time zone, if there is one of that name."""
    try:
        return None if name is None else ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
