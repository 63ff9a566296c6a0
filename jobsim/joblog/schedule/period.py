"""From when to when a schedule is played out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from jobsim.joblog.faultlist import refuse
from jobsim.joblog.reading import Reading

DAY_S = 86400
MOST_DAYS = 3660
"""Ten years: what a schedule says of a later time, it will hardly say then."""
MOST_US = MOST_DAYS * DAY_S * 1_000_000

SAY = "say from when and how long: --from 2026-01-01 --for 30d"
RUN = "and to replay it, how long each run takes: --assume-run 5m"
"""No schedule knows it."""

Days = np.ndarray[tuple[int], np.dtype[np.datetime64]]
"""Days of a calendar, as datetime64[D]."""

Micros = np.ndarray[tuple[int], np.dtype[np.int64]]
"""Instants or times of day in microseconds, so that no fraction of a second is rounded."""


@dataclass(frozen=True, slots=True)
class Period:
    """The time over which a schedule is played out: `begin_us` is in it, `end_us` is not.

    Both are microseconds since 1970, UTC.
    """

    begin_us: int
    end_us: int

    @classmethod
    def of(cls, reading: Reading, path: Path) -> Period:
        """The period that the user said; a begin without offset is in the user's zone, or UTC.

        Raises
        ------
        LogError
            Begin or length are not said, or no calendar holds them.
        """
        begin, span_s = reading.begin, reading.span_s
        if begin is None or span_s is None:
            refuse(str(path), "a schedule has no dates of its own", f"{SAY}; {RUN}")
        if not 0 < span_s <= MOST_DAYS * DAY_S:
            refuse(str(path), f"--for {span_s:g}s: above 0 and {MOST_DAYS} d at most", SAY)
        if begin.tzinfo is None:
            begin = begin.replace(tzinfo=reading.zone_info or UTC)
        if not 1970 < begin.year < 2200:
            refuse(str(path), f"--from {begin}: a year from 1971 to 2199", SAY)
        begin_us = micros(begin)
        return cls(begin_us, begin_us + round(span_s * 1e6))

    @property
    def origin(self) -> datetime:
        """The begin as an instant."""
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=self.begin_us)

    @property
    def days(self) -> Days:
        """Every day that any place on earth has during the period, and one more at either end."""
        first, last = (
            np.datetime64(edge_us, "us").astype("datetime64[D]")
            for edge_us in (self.begin_us, self.end_us)
        )
        return np.arange(first - 2, last + 3)

    def holds(self, instants_us: Micros) -> np.ndarray[tuple[int], np.dtype[np.bool]]:
        """Which of these instants lie in the period."""
        return (instants_us >= self.begin_us) & (instants_us < self.end_us)


def micros(instant: datetime) -> int:
    """An instant in microseconds since 1970, UTC."""
    return (instant - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
