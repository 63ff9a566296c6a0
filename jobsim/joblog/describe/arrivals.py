"""When jobs were submitted: how fast, how evenly, in which rhythm, and when not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from jobsim.joblog.describe.calendar import DAY_S, Calendar
from jobsim.joblog.describe.gaps import Gap, expected_gap_s, longest_gaps
from jobsim.joblog.describe.times import Floats, known, resolution_s

HOUR_S, WEEK_S = 3600.0, 7 * DAY_S
HOURS = 7 * 24

Field: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float64]]

PARTS = 48
"""How many parts of the span are counted, to show how arrivals went over time."""

WIDTHS_S = (0.001, 0.01, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0, DAY_S)
WINDOW_JOBS, FEWEST_WINDOWS = 10, 30
"""The dispersion is that of windows with about this many jobs each, if there are this many."""

EVEN = 6.0
"""How many standard errors a dispersion may be from 1, and still be that of independent ones."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The fullest minute or hour: how many jobs were submitted in it, and when it began."""

    jobs: int
    from_s: float


@dataclass(frozen=True, slots=True)
class Dispersion:
    """How unevenly jobs arrive: variance / mean of the numbers that arrive in equal windows.

    It is 1 for independent arrivals (a Poisson process), 0 for a clockwork; Cox and Lewis, The
    Statistical Analysis of Series of Events, 1966, call it the index of dispersion. `error` is
    what it may be off 1 by chance, sqrt(2 / (windows - 1)).
    """

    index: float
    error: float
    window_s: float

    @property
    def is_bursty(self) -> bool:
        """More uneven than independent arrivals, beyond chance and by more than a half."""
        return self.index > max(1 + EVEN * self.error, 1.5)

    @property
    def is_regular(self) -> bool:
        """More even than independent arrivals, beyond chance and by more than a half."""
        return self.index < min(1 - EVEN * self.error, 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class Week:
    """Jobs in each hour of the week, and the seconds of each that the log spans; both 7 x 24."""

    jobs: Field
    covered_s: Field

    def rates(self, axis: int | None = None) -> tuple[float, ...]:
        """Jobs an hour by hour of the day (axis 0), by weekday (1), or of all in a row."""
        jobs, covered_s = (
            each.ravel() if axis is None else each.sum(axis=axis)
            for each in (self.jobs, self.covered_s)
        )
        return tuple((HOUR_S * jobs / np.maximum(covered_s, 1.0)).tolist())


@dataclass(frozen=True, slots=True)
class Arrivals:
    """When jobs were submitted.

    Attributes
    ----------
    over_time
        Jobs in each of `PARTS` equal parts of the span.
    by_hour, by_weekday
        Jobs an hour in each hour of the day and on each weekday from Monday on, by the log's
        calendar. None where the span has fewer than two of them.
    by_week_hour
        The same for each hour of the week, 7 x 24 in a row.
    gaps
        The longest times without a submission; `gap_expected_s` is how long the longest of as
        many independent arrivals would be.
    dispersion
        How unevenly they arrive; None for a few jobs.
    tied_share, most_at_once
        The share of jobs that were submitted at the same instant as another, and the most of them.
    resolution_s
        What all times of submission are multiples of, where that is at least 1 ms.
    """

    over_time: tuple[int, ...]
    by_hour: tuple[float, ...] | None
    by_weekday: tuple[float, ...] | None
    by_week_hour: tuple[float, ...] | None
    gaps: tuple[Gap, ...]
    gap_expected_s: float | None
    dispersion: Dispersion | None
    tied_share: float
    most_at_once: int
    resolution_s: float | None


def arrivals(submit_s: Floats, calendar: Calendar) -> Arrivals:
    """What these instants, ascending, say of arrivals."""
    batches = np.diff(np.flatnonzero(np.diff(submit_s, prepend=-np.inf, append=np.inf)))
    span_s = float(submit_s[-1] - submit_s[0])
    week = week_hours(submit_s, calendar)
    is_days, is_weeks = span_s >= 2 * DAY_S, span_s >= 2 * WEEK_S
    return Arrivals(
        over_time=over_time(submit_s),
        by_hour=week.rates(axis=0) if is_days else None,
        by_weekday=week.rates(axis=1) if is_weeks else None,
        by_week_hour=week.rates() if is_weeks else None,
        gaps=longest_gaps(submit_s),
        gap_expected_s=expected_gap_s(submit_s),
        dispersion=dispersion(submit_s),
        tied_share=float(batches[batches > 1].sum() / len(submit_s)),
        most_at_once=int(batches.max()),
        resolution_s=resolution_s(submit_s - submit_s[0]),
    )


def peak(submit_s: Floats, width_s: float) -> Peak:
    """The fullest of the intervals of this width that follow one another from second 0."""
    intervals = submit_s // width_s
    firsts = np.flatnonzero(np.diff(intervals, prepend=-1.0))
    counts = np.diff(firsts, append=len(submit_s))
    fullest = counts.argmax()
    return Peak(int(counts[fullest]), float(intervals[firsts[fullest]] * width_s))


def over_time(submit_s: Floats, parts: int = PARTS) -> tuple[int, ...]:
    """How many of the instants, ascending, fall into each of equal parts of their span."""
    edges_s = np.linspace(submit_s[0], submit_s[-1], parts + 1)
    left = np.searchsorted(submit_s, edges_s[:-1], side="left")
    return tuple(np.diff(left, append=len(submit_s)).tolist())


def week_hours(submit_s: Floats, calendar: Calendar) -> Week:
    """Jobs in each hour of the week, 7 x 24, and how much of each hour the log spans.

    The week begins on a Monday at 0:00 by the calendar, or at the log's zero where it has none.
    """
    shown_s = calendar.since_monday_s(submit_s)
    hours = (shown_s // HOUR_S).astype("int64") % HOURS
    covered_s = _covered_s(float(shown_s[-1])) - _covered_s(float(shown_s[0]))
    return Week(
        np.bincount(hours, minlength=HOURS).reshape(7, 24).astype("float64"),
        covered_s.reshape(7, 24),
    )


def dispersion(submit_s: Floats) -> Dispersion | None:
    """The index of dispersion in windows of about `WINDOW_JOBS` jobs."""
    from_s = submit_s - submit_s[0]
    rate_per_s = len(submit_s) / from_s[-1] if from_s[-1] else 0.0
    width_s = next((width for width in WIDTHS_S if width * rate_per_s >= WINDOW_JOBS), None)
    windows = int(from_s[-1] // width_s) if width_s else 0
    if width_s is None or windows < FEWEST_WINDOWS:
        return None
    whole = from_s[from_s < windows * width_s]
    counts = np.bincount((whole // width_s).astype("int64"), minlength=windows)
    index = known(counts.var(ddof=1) / counts.mean())
    return None if index is None else Dispersion(index, (2 / (windows - 1)) ** 0.5, width_s)


def _covered_s(until_s: float) -> Floats:
    """How much of each hour of the week has passed, from the first week's begin until then."""
    weeks, rest_s = divmod(until_s, WEEK_S)
    part_s = np.clip(rest_s - HOUR_S * np.arange(HOURS), 0, HOUR_S)
    return np.asarray(weeks * HOUR_S + part_s)
