"""A job log: the tidy table of real jobs, and what must travel with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from jobsim.errors import Fault, LogError, UsageError
from jobsim.joblog.check import check, check_names
from jobsim.joblog.faultlist import FaultList, refuse
from jobsim.joblog.notes import Note, Notes
from jobsim.joblog.schema import tidy, trimmed
from jobsim.words import counted

NO_RUN_TIMES = (
    "no job of this log has a run time, so that it cannot be replayed (jobsim log describe shows"
    " what was read)"
)
RECORD_ONE = (
    "state one for all (--assume-run 30s), or record them:"
    " jobsim record run --append jobs.csv -- COMMAND"
)


@dataclass(frozen=True, eq=False, repr=False)
class JobLog:
    """A job log.

    Attributes
    ----------
    jobs
        The tidy table, one row a job, sorted by ``submit_s`` (jobs submitted at one instant in
        the order of the log), with a RangeIndex. `jobsim.joblog.schema.COLUMNS` says what each
        column means. Unknown is missing, never -1 or 0.
    name
        A short name for tables and plots.
    source
        Where the jobs come from: a path, or the specification of a drawn load.
    origin
        The instant (UTC) at which the log's clock shows 0, or None where unknown.
    notes
        What was dropped or mended while reading.
    workers
        How many workers the load was made for, or None; the default of ``--workers``.
    zone
        The IANA time zone in which it was recorded, or is to be looked at: hours and weekdays are
        shown in it. None: UTC. The times themselves do not depend on it.
    """

    jobs: pd.DataFrame
    name: str
    source: str
    origin: datetime | None = None
    notes: tuple[Note, ...] = ()
    workers: int | None = None
    zone: str | None = None

    def __post_init__(self) -> None:
        if self.origin is not None and self.origin.utcoffset() != timedelta(0):
            raise ValueError(f"origin {self.origin} must be in UTC")
        if self.zone is not None:
            ZoneInfo(self.zone)  # says if there is none

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Any] | pd.DataFrame,
        *,
        name: str,
        source: str = "memory",
        line_of: Callable[[int], int] | None = None,
        faults: FaultList | None = None,
        **travelling: Any,
    ) -> JobLog:
        """A log of these columns, any missing ones filled in, validated and sorted.

        Parameters
        ----------
        columns
            Equally long columns of the tidy table (a DataFrame has them too), at least
            ``submit_s`` and ``run_s``, in any order of jobs.
        line_of
            Gives the line of a row (numbered from 0) in its file, for messages.
        faults
            What was already found wrong while reading the file.
        travelling
            ``origin``, ``notes``, ``workers``, ``zone``.

        Raises
        ------
        LogError
            A cell is not what its column holds; every fault is listed, up to a limit.
        """
        given = {str(column): cells for column, cells in columns.items()}
        check_names(list(given), source, None)
        try:
            jobs = tidy(given, len(given["submit_s"]))
        except ValueError as error:
            refuse(source, str(error), "what jobsim.joblog.schema.COLUMNS says of it")
        jobs = check(jobs, faults or FaultList(source), line_of)
        return cls(jobs=_sorted(jobs), name=name, source=source, **travelling)

    def first(self, n: int) -> JobLog:
        """The first `n` jobs by submission."""
        if n < 1:
            raise UsageError(f"--jobs {n}: a number of jobs, 1 or more")
        return replace(self, jobs=trimmed(self.jobs.iloc[:n]))

    def window(self, from_s: float, to_s: float) -> JobLog:
        """The jobs submitted from `from_s` until before `to_s`; the clock then begins at `from_s`.

        Raises
        ------
        UsageError
            No job was submitted then.
        """
        submit_s = self.jobs["submit_s"].to_numpy()
        low, high = np.searchsorted(submit_s, [from_s, to_s])
        if low >= high:
            last_s = float(submit_s[-1]) if len(self) else 0.0
            raise UsageError(
                f"--window {from_s:g}s..{to_s:g}s: no job was submitted then;"
                f" the log's submissions go from {self.begins_s:g}s to {last_s:g}s"
            )
        return replace(self, jobs=trimmed(self.jobs.iloc[low:high]))._with_zero_at(from_s)

    def denser(self, load: float) -> JobLog:
        """The same jobs with arrivals `load` times as dense, and run times as they were.

        Logged starts belong to the load as it was, so they become missing unless `load` is 1.
        """
        if not (0 < load < float("inf")):
            raise UsageError(f"--load {load:g}: a number above 0")
        if load == 1:
            return self
        submit_s = self.jobs["submit_s"] / load
        return replace(self, jobs=self.jobs.assign(submit_s=submit_s, start_s=np.nan))

    def runnable(self) -> JobLog:
        """The jobs with a known run time, which are those that can be replayed.

        Raises
        ------
        LogError
            There is none.
        """
        known = self.jobs["run_s"].notna()
        if known.all():
            return self
        if not known.any():
            raise LogError([Fault(self.source, None, "run_s", NO_RUN_TIMES, RECORD_ONE)])
        notes = Notes(self.notes)
        notes.add("dropped: run time unknown, cannot be replayed", ~known)
        return replace(self, jobs=trimmed(self.jobs[known]), notes=notes.taken)

    def assuming(self, run_s: float) -> JobLog:
        """The same log with `run_s` as the run time of each job whose own is not known."""
        unknown = self.jobs["run_s"].isna()
        notes = Notes(self.notes)
        notes.add(f"assumed: a run time of {run_s:g} s, as the user stated", unknown)
        return replace(self, jobs=self.jobs.fillna({"run_s": run_s}), notes=notes.taken)

    def from_zero(self) -> JobLog:
        """The same log with its clock at 0 when the first job is submitted."""
        first_s = self.begins_s
        if first_s == 0:
            return self
        reason = f"moved: the clock begins at the first submission (was at {first_s:.15g} s)"
        noted = replace(self, notes=(*self.notes, Note(reason, len(self))))
        return noted._with_zero_at(first_s)

    @property
    def begins_s(self) -> float:
        """When the first job was submitted; 0 where there is none."""
        return float(self.jobs["submit_s"].iloc[0]) if len(self) else 0.0

    def __len__(self) -> int:
        return len(self.jobs)

    def __repr__(self) -> str:
        span_h = self.jobs["submit_s"].max() / 3600 if len(self) else 0.0
        origin = "" if self.origin is None else f" from {self.origin:%Y-%m-%d %H:%M} UTC"
        return f"JobLog({self.name!r}, {counted(len(self), 'job')} in {span_h:,.1f} h{origin})"

    def _repr_html_(self) -> str:
        # Imported here, since what describes a log needs to know what a log is.
        from jobsim.joblog.describe import describe, page

        return page(describe(self)) if len(self) else f"<p>{escape(repr(self))}</p>"

    def _with_zero_at(self, zero_s: float) -> JobLog:
        jobs = self.jobs.assign(
            submit_s=self.jobs["submit_s"] - zero_s, start_s=self.jobs["start_s"] - zero_s
        )
        return replace(self, jobs=jobs, origin=instant_after(self.origin, zero_s))


def instant_after(origin: datetime | None, t_s: float) -> datetime | None:
    """The instant `t_s` seconds after `origin`, or None where no calendar reaches it."""
    try:
        return None if origin is None else origin + timedelta(seconds=t_s)
    except OverflowError:
        return None


def _sorted(jobs: pd.DataFrame) -> pd.DataFrame:
    if jobs["submit_s"].is_monotonic_increasing:
        return jobs
    return jobs.sort_values("submit_s", kind="stable", ignore_index=True)
