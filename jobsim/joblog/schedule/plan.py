"""A firing plan: the scheduled starts of each kind, as a job log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading
from jobsim.joblog.schedule.period import Micros, Period
from jobsim.joblog.schedule.walltime import (
    ClockRule,
    WallTimes,
    instants_us,
    repeated_us,
    stepped_us,
)
from jobsim.joblog.schema import category
from jobsim.joblog.table import JobLog

MOST_FIRINGS = 5_000_000

NO_ZONE = "marked: the schedule names no zone, its clock is taken as UTC (--zone says another)"
LATIN_1 = "guessed: the file is no UTF-8, its letters are taken as Latin-1"
NO_RUN_TIME = (
    "marked: a schedule does not say how long a job runs, run time missing; --assume-run 30s"
    " states it, jobsim record run --append jobs.csv -- COMMAND records it"
)


@dataclass(frozen=True, eq=False)
class Entry:
    """One entry of a schedule, played out.

    Attributes
    ----------
    kind
        What it starts.
    owner
        The user it runs as, or None where the schedule does not say.
    fires_us
        The instants at which it fires within the period, in microseconds since 1970, UTC.
    remarks
        What must be known of these firings; each becomes a note that counts them.
    """

    kind: str
    owner: str | None
    fires_us: Micros
    remarks: tuple[str, ...] = ()


class Plan:
    """The firing plan of one file in the making.

    Raises
    ------
    LogError
        The user has not said for which period.
    """

    def __init__(self, path: Path, reading: Reading) -> None:
        self.path = path
        self.reading = reading
        self.period = Period.of(reading, path)
        self.notes = Notes()
        self.faults = FaultList(str(path))
        self._of_all = [
            *([] if reading.assume_run_s else [NO_RUN_TIME]),
            *([] if reading.zone else [NO_ZONE]),
        ]
        self._entries: list[Entry] = []
        self._firings = 0

    def text(self) -> str:
        """The text of the file, in Latin-1 where it is no UTF-8.

        Raises
        ------
        LogError
            It cannot be read, is empty or binary.
        """
        data = read_text_bytes(self.path)
        try:
            return data.decode()
        except UnicodeDecodeError:
            self._of_all.append(LATIN_1)
            return data.decode("latin-1")

    @property
    def zone(self) -> tzinfo:
        """The zone of the machine's clock, as the user said it; else UTC."""
        return self.reading.zone_info or UTC

    def fired_by(self, rule: str) -> str:
        """The remark on whose clock that is, and what the scheduler does when it is set."""
        zone = self.reading.zone or "UTC"
        return f"marked: fired by the clock of {zone}" + (f"; {rule}" if zone != "UTC" else "")

    def by_clock(
        self,
        times: WallTimes,
        zone: tzinfo,
        rule: ClockRule,
        line: int,
        since_us: int | None = None,
    ) -> Micros:
        """The instants at which the clock of `zone` shows `times`, by `rule` when it is set.

        With `since_us`, those before the period too, from then on.
        """
        self._bound(len(times), line)
        return instants_us(times, zone, rule, self.period, self.notes, since_us)

    def repeated(self, starts_us: Micros, every_us: int, for_us: int | None, line: int) -> Micros:
        """Each start, and again every `every_us` until the next one, or `for_us` after it."""
        if not len(starts_us):
            return starts_us
        starts_us, first, counts = repeated_us(starts_us, every_us, for_us, self.period)
        self._bound(int(counts.sum()), line)
        return stepped_us(starts_us, first, counts, every_us)

    def add(self, entry: Entry) -> None:
        """Take an entry into the plan."""
        self._firings += len(entry.fires_us)
        self._entries.append(entry)
        for remark in entry.remarks:
            self.notes.add(remark, len(entry.fires_us))

    def log(self) -> JobLog:
        """The plan: a job for each firing, its clock at 0 when the period begins.

        Raises
        ------
        LogError
            The file is at fault, or nothing fires in the period.
        """
        self.faults.raise_if_any()
        if not self._firings:
            dropped = "".join(f"; {note.reason}" for note in self.notes.taken)
            refuse(
                str(self.path),
                f"nothing fires in the period{dropped}",
                "a longer --for, or a schedule with a time in it",
            )
        for remark in self._of_all:
            self.notes.add(remark, self._firings)
        return JobLog.of(
            self._columns(),
            name=log_name(self.path),
            source=str(self.path),
            origin=self.period.origin,
            notes=self.notes.taken,
        )

    def _columns(self) -> dict[str, Any]:
        fires_us = np.concatenate([entry.fires_us for entry in self._entries])
        counts = [len(entry.fires_us) for entry in self._entries]
        return {
            "submit_s": (fires_us - self.period.begin_us) / 1e6,
            "run_s": np.full(len(fires_us), np.nan),
            "kind": _words([entry.kind for entry in self._entries], counts),
            "owner": _words([entry.owner for entry in self._entries], counts),
        }

    def _bound(self, more: int, line: int) -> None:
        if self._firings + more > MOST_FIRINGS:
            refuse(
                str(self.path),
                f"with this entry there are more than {MOST_FIRINGS:,} firings",
                "a shorter --for, or fewer entries, is right",
                line,
            )


def entries(log: JobLog) -> pd.DataFrame:
    """What a plan starts and how often: a row for each kind and owner, the most frequent first.

    Returns
    -------
    DataFrame
        ``kind``, ``owner``, ``firings``, ``first_s`` and ``last_s`` (seconds since the log's
        origin), ``every_s`` (the median time from one firing to the next, missing where there is
        but one) and ``longest_gap_s``.
    """
    jobs = log.jobs[["kind", "owner", "submit_s"]]
    by = jobs.groupby(["kind", "owner"], observed=True, dropna=False, sort=True)["submit_s"]
    gaps = by.diff().groupby([jobs["kind"], jobs["owner"]], observed=True, dropna=False)
    table = by.agg(firings="count", first_s="min", last_s="max")
    table = table.assign(every_s=gaps.median(), longest_gap_s=gaps.max())
    sorted_table: pd.DataFrame = table.sort_values("firings", ascending=False, kind="stable")
    return sorted_table.reset_index()


def _words(words: Sequence[str | None], counts: Sequence[int]) -> pd.Categorical[str]:
    """Each word as often as its count says; None is missing."""
    codes, known = pd.factorize(np.array(words, dtype=object))
    return category(np.repeat(codes, counts), list(known))
