"""systemd's calendar events, such as ``Mon..Fri *-*-* 10:00:00 Europe/Berlin``.

The notation is that of systemd.time(7): weekdays, a date, a time and a zone, each of which may be
left out; a component is ``*`` or a list of values, ranges ``a..b`` and repetitions ``a/step`` or
``a..b/step``; ``~`` before the day counts it from the end of the month.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import numpy as np

from jobsim.joblog.faultlist import shown
from jobsim.joblog.schedule.calendar_component import (
    DAY,
    DAY_FROM_END,
    HOUR,
    MINUTE,
    MONTH,
    SECOND,
    SECOND_US,
    YEAR,
    Component,
)
from jobsim.joblog.schedule.day_parts import DayParts
from jobsim.joblog.schedule.period import Days, Micros
from jobsim.joblog.schedule.walltime import WallTimes

SHORTHANDS = {
    "minutely": "*-*-* *:*:00",
    "hourly": "*-*-* *:00:00",
    "daily": "*-*-* 00:00:00",
    "monthly": "*-*-01 00:00:00",
    "weekly": "Mon *-*-* 00:00:00",
    "quarterly": "*-01,04,07,10-01 00:00:00",
    **dict.fromkeys(("yearly", "annually", "anually"), "*-01-01 00:00:00"),
    **dict.fromkeys(
        ("semiannually", "semi-annually", "biannually", "bi-annually"), "*-01,07-01 00:00:00"
    ),
}

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY_OF = {name[:length]: n for n, name in enumerate(WEEKDAYS) for length in (3, len(name))}

MOST_TIMES = 200_000
"""Times of day that one calendar event may have: more than one a second has no meaning."""

DATE = re.compile(r"(?:(?P<year>[^-~]+)-)?(?P<month>[^-~]+)(?P<sign>[-~])(?P<day>[^-~]+)")
TIME = re.compile(r"(?P<hour>[^:]+):(?P<minute>[^:]+)(?::(?P<second>[^:]+))?")
WEEKDAY_LIST = re.compile(r"[A-Za-z]+(?:(?:\.\.|-|,)[A-Za-z]+)*,?")


@dataclass(frozen=True)
class CalendarEvent:
    """When something fires: the days and times whose every component is among those named.

    Attributes
    ----------
    weekdays
        Monday is 0.
    from_end
        Whether `day` counts from the end of the month, 1 being its last day.
    second_us
        In microseconds.
    zone
        Whose clock it is, or None for the machine's.
    """

    weekdays: frozenset[int]
    year: Component
    month: Component
    day: Component
    from_end: bool
    hour: Component
    minute: Component
    second_us: Component
    zone: tzinfo | None

    @classmethod
    def of(cls, text: str) -> CalendarEvent:
        """Read a calendar event.

        Raises
        ------
        ValueError
            It is none; the message says which part of it.
        """
        if text.startswith("@"):
            return _at(text)
        words, zone = _without_zone(text.split())
        if not words:
            raise ValueError(f"{shown(text)} names no time")
        if len(words) == 1:
            words = SHORTHANDS.get(words[0].lower(), words[0]).split()
        weekdays = frozenset(range(7))
        if WEEKDAY_LIST.fullmatch(words[0]):
            weekdays = _weekdays(words.pop(0))
        date = words.pop(0) if words and ":" not in words[0] else "*-*-*"
        time = words.pop(0) if words else "00:00:00"
        if words:
            raise ValueError(f"{shown(text)} is no calendar event")
        return cls(weekdays=weekdays, zone=zone, **_date(date), **_time(time))

    def on(self, days: Days) -> WallTimes:
        """The times at which it fires on those of `days` that it names.

        Raises
        ------
        ValueError
            It has more times a day than a schedule may have.
        """
        return WallTimes(days[self._names(days)], self._times_us())

    def _names(self, days: Days) -> np.ndarray[tuple[int], np.dtype[np.bool]]:
        parts = DayParts.of(days)
        named: np.ndarray[tuple[int], np.dtype[np.bool]] = (
            np.isin(parts.weekday, list(self.weekdays))
            & np.isin(parts.year, self.year.values())
            & np.isin(parts.month, self.month.values())
            & np.isin(parts.to_end if self.from_end else parts.day, self.day.values())
        )
        return named

    def _times_us(self) -> Micros:
        most = len(self.hour) * len(self.minute) * len(self.second_us)
        if most > MOST_TIMES:
            raise ValueError(f"it fires {most:,} times a day; {MOST_TIMES:,} at most")
        hours, minutes, seconds_us = (
            component.values() for component in (self.hour, self.minute, self.second_us)
        )
        of_hour = (minutes[:, None] * 60 * SECOND_US + seconds_us).ravel()
        times_us: Micros = (hours[:, None] * 3600 * SECOND_US + of_hour).ravel()
        return times_us


def _at(text: str) -> CalendarEvent:
    """``@1767225600``, an instant in seconds since 1970."""
    if not re.fullmatch(r"@[0-9]{1,10}", text):
        raise ValueError(f"{shown(text)} is no instant in seconds since 1970")
    instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(text[1:]))
    return CalendarEvent.of(f"{instant:%Y-%m-%d %H:%M:%S} UTC")


def _without_zone(words: list[str]) -> tuple[list[str], tzinfo | None]:
    if words and words[-1].upper() == "UTC":
        return words[:-1], UTC
    if words and words[-1][0].isalpha() and words[-1] in _zones():
        return words[:-1], ZoneInfo(words[-1])
    return words, None


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _weekdays(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.removesuffix(",").split(","):
        ends = [WEEKDAY_OF.get(name.lower(), -1) for name in re.split(r"\.\.|-", part)]
        if -1 in ends or ends[0] > ends[-1]:
            raise ValueError(f"weekdays {shown(part)} are none, from Mon to Sun")
        found.update(range(ends[0], ends[-1] + 1))
    return frozenset(found)


def _date(text: str) -> dict[str, Any]:
    match = DATE.fullmatch(text)
    if match is None:
        raise ValueError(f"date {shown(text)} is none, as 2026-01-31 or *-*-01")
    from_end = match["sign"] == "~" and match["day"] != "*"
    return {
        "year": YEAR.component(match["year"] or "*"),
        "month": MONTH.component(match["month"]),
        "day": (DAY_FROM_END if from_end else DAY).component(match["day"]),
        "from_end": from_end,
    }


def _time(text: str) -> dict[str, Any]:
    match = TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"time {shown(text)} is none, as 10:00 or *:00/15")
    return {
        "hour": HOUR.component(match["hour"]),
        "minute": MINUTE.component(match["minute"]),
        "second_us": SECOND.component(match["second"] or "0"),
    }
