"""The year of lines that name none, and the instants of all."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.cronlog.syslog import LEAP_YEAR, Stamp
from jobsim.joblog.localtime import Seconds, epoch_s
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading

DAY_S = 86400.0
HALF_YEAR_S = 183 * DAY_S

LATEST = (
    "guessed: the year, which the log does not name: the latest in which no line is in the future"
    " (--from says when the log begins)"
)
OF_THE_USER = "assumed: the year, which the log does not name, from --from"
OF_OTHERS = "guessed: the year, which these lines do not name, from the lines that do"


def instants_s(
    stamps: Sequence[Stamp], reading: Reading, notes: Notes, of_jobs: Any = True
) -> Seconds:
    """When each line was written, in seconds since 1970; lines in the order of the file.

    A line without a year has that of the line before, or the next or last year where the month
    would else leap back or forth by more than half a year. The first year is taken, in this
    order, from a line of the file that names one, from ``reading.begin``, or so that it is the
    latest in which no line is in the future. Notes count the lines that `of_jobs` masks.

    Raises
    ------
    ValueError
        A 29 February in a year that has none.
    """
    t_s = np.array([stamp.t_s for stamp in stamps], dtype="float64")
    clock = np.array([stamp.clock for stamp in stamps])
    yearless = clock == "yearless"
    if yearless.any():
        t_s[yearless] = _dated(t_s, yearless, reading, notes, yearless & of_jobs)
    local = clock != "utc"
    if local.any():
        naive = pd.Series(pd.to_datetime(t_s[local], unit="s"))
        t_s[local] = epoch_s(naive, reading, Notes())
        epoch_s(naive[(local & of_jobs)[local]], reading, notes)
    return t_s


def in_year(stamp: Stamp, year: int) -> Stamp:
    """A stamp without a year, in the year that the line says elsewhere."""
    (t_s,) = _moved_s(np.array([stamp.t_s]), np.array([year]))
    return Stamp("local", float(t_s))


def now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


def _dated(t_s: Seconds, yearless: Any, reading: Reading, notes: Notes, counted: Any) -> Seconds:
    of_year_s = t_s[yearless]
    step_s = np.diff(of_year_s, prepend=of_year_s[0])
    later = np.cumsum((step_s < -HALF_YEAR_S).astype("int64") - (step_s > HALF_YEAR_S))
    if not yearless.all():
        first = _first_by_others(t_s, yearless, later)
        notes.add(OF_OTHERS, counted)
    elif reading.begin is not None:
        first = reading.begin.year - int(later.min())
        notes.add(OF_THE_USER, counted)
    else:
        first = _latest_first(of_year_s, later)
        notes.add(LATEST, counted)
    return _in_years(of_year_s, first + later)


def _first_by_others(t_s: Seconds, yearless: Any, later: Any) -> int:
    """The first year, by the line with a year and the one without that are next to each other."""
    dated, undated = np.flatnonzero(~yearless), np.flatnonzero(yearless)
    at = min(int(np.searchsorted(undated, dated[0])), len(undated) - 1)
    known_s, of_year_s = float(t_s[dated[0]]), t_s[undated[[at]]]
    year = datetime.fromtimestamp(known_s, UTC).year
    return min(
        (year - 1, year, year + 1),
        key=lambda each: abs(_moved_s(of_year_s, np.array([each]))[0] - known_s),
    ) - int(later[at])


def _latest_first(of_year_s: Seconds, later: Any) -> int:
    """The latest first year in which no line is in the future and each has a day that exists."""
    until = now()
    until_s = until.timestamp() + DAY_S
    for first in range(until.year + 1 - int(later.max()), until.year - 12 - int(later.max()), -1):
        moved_s = _moved_s(of_year_s, first + later)
        if moved_s.max() <= until_s and not _has_no_day(of_year_s, first + later).any():
            return first
    return until.year - int(later.max())


def _in_years(of_year_s: Seconds, years: Any) -> Seconds:
    wrong = _has_no_day(of_year_s, years)
    if wrong.any():
        raise ValueError(f"there is no 29 February in {years[wrong][0]}")
    return _moved_s(of_year_s, years)


def _moved_s(of_year_s: Seconds, years: Any) -> Seconds:
    """Times of `LEAP_YEAR` moved to these years: the same month, day and time of day."""
    when = of_year_s.astype("datetime64[s]")
    month = when.astype("datetime64[M]")
    into_month_s = of_year_s - month.astype("datetime64[s]").astype("float64")
    moved = month + (years - LEAP_YEAR) * 12
    seconds: Seconds = moved.astype("datetime64[s]").astype("float64") + into_month_s
    return seconds


def _has_no_day(of_year_s: Seconds, years: Any) -> Any:
    of_leap_day = of_year_s.astype("datetime64[s]").astype("datetime64[D]") == np.datetime64(
        f"{LEAP_YEAR}-02-29"
    )
    leap = np.array([calendar.isleap(int(year)) for year in np.unique(years)])
    return of_leap_day & ~leap[np.searchsorted(np.unique(years), years)]
