"""The triggers of a Windows task that have a time: when they start it."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import shown
from jobsim.joblog.schedule.day_parts import DayParts, Numbers
from jobsim.joblog.schedule.period import Days, Period
from jobsim.joblog.schedule.task_xml import Node
from jobsim.joblog.schedule.walltime import WallTimes

BY_TIME = ("TimeTrigger", "CalendarTrigger")

MONTHS = tuple(calendar.month_name)[1:]
WEEKDAYS = tuple(calendar.day_name)
LAST = "Last"
MINUTE_US = 60_000_000
LOOK_BACK_DAYS = 3_000
"""Any calendar trigger has fired in that time, be it on a 29 February only."""

Named = np.ndarray[tuple[int], np.dtype[np.bool]]


@dataclass(frozen=True)
class Repetition:
    """How a trigger goes on after it has fired: every so often, until so long after, or on."""

    every_us: int
    for_us: int | None


@dataclass(frozen=True)
class Trigger:
    """A trigger with a time.

    Attributes
    ----------
    node
        Its element.
    start
        When it comes into force, and the time of day at which it fires; with an offset, it keeps
        to that offset the year round.
    end
        When it goes out of force, or None.
    """

    node: Node
    start: datetime
    end: datetime | None
    repetition: Repetition | None

    @classmethod
    def of(cls, node: Node) -> Trigger:
        """Read a trigger; ValueError if what it says is no time."""
        start = node.said("StartBoundary")
        if not start:
            raise ValueError("StartBoundary is missing")
        end = node.said("EndBoundary")
        return cls(node, _instant(start), _instant(end) if end else None, _repetition(node))

    @property
    def offset(self) -> tzinfo | None:
        """The offset that it keeps to, or None where it goes by the machine's clock."""
        return self.start.tzinfo

    def days(self, period: Period) -> Days:
        """Every day whose start may lead to a firing in the period."""
        if self.node.name == "TimeTrigger":
            return np.array([np.datetime64(self.start.date(), "D")])
        back = 0 if self.repetition is None else LOOK_BACK_DAYS
        return np.arange(period.days[0] - back, period.days[-1] + 1)

    def on(self, days: Days) -> WallTimes:
        """The starts on those of `days` that it names, repetitions left out."""
        first = np.datetime64(self.start.date(), "D")
        days = days[days >= first]
        return WallTimes(days[self._names(days, first)], np.array([_of_day_us(self.start)]))

    def _names(self, days: Days, first: np.datetime64) -> Named:
        if self.node.name == "TimeTrigger":
            return np.ones(len(days), dtype=bool)
        schedule = next((child for child in self.node.children() if child.name in SCHEDULES), None)
        if schedule is None:
            raise ValueError("no ScheduleByDay, ByWeek, ByMonth or ByMonthDayOfWeek")
        return SCHEDULES[schedule.name](schedule, days, first)


def duration_us(text: str) -> int:
    """An ISO 8601 duration, such as PT15M, in microseconds; ValueError if it is none."""
    try:
        if not text.startswith("P"):
            raise ValueError
        return round(pd.Timedelta(text) / pd.Timedelta(microseconds=1))
    except (ValueError, OverflowError):
        raise ValueError(f"{shown(text)} is no duration, as PT15M or P1D") from None


def _by_day(schedule: Node, days: Days, first: np.datetime64) -> Named:
    every = _number(schedule.said("DaysInterval", "1"), 999)
    named: Named = (days - first).astype(np.int64) % every == 0
    return named


def _by_week(schedule: Node, days: Days, first: np.datetime64) -> Named:
    """Weeks begin on Sunday, and the one that the trigger comes into force in is the first."""
    every = _number(schedule.said("WeeksInterval", "1"), 999)
    parts, first_week = DayParts.of(days), DayParts.of(np.array([first])).week
    in_week: Named = (parts.week - first_week) % every == 0
    return _on_weekdays(schedule, parts) & in_week


def _by_month(schedule: Node, days: Days, first: np.datetime64) -> Named:
    parts, texts = DayParts.of(days), _listed(schedule, "DaysOfMonth", "Day")
    named = [_number(text, 31) for text in texts if text != LAST]
    last = (parts.to_end == 1) & (LAST in texts)
    on_day: Named = np.isin(parts.day, named) | last
    return on_day & _in_months(schedule, parts)


def _by_month_day_of_week(schedule: Node, days: Days, first: np.datetime64) -> Named:
    parts = DayParts.of(days)
    texts = _listed(schedule, "Weeks", "Week") or ["1", "2", "3", "4", LAST]
    weeks = [_number(text, 4) for text in texts if text != LAST]
    last = (parts.to_end <= 7) & (LAST in texts)
    in_week: Named = np.isin((parts.day + 6) // 7, weeks) | last
    return _on_weekdays(schedule, parts) & in_week & _in_months(schedule, parts)


SCHEDULES: dict[str, Callable[[Node, Days, np.datetime64], Named]] = {
    "ScheduleByDay": _by_day,
    "ScheduleByWeek": _by_week,
    "ScheduleByMonth": _by_month,
    "ScheduleByMonthDayOfWeek": _by_month_day_of_week,
}
"""Which of some days each kind of calendar trigger names, if it comes into force on the first."""


def _listed(schedule: Node, path: str, name: str) -> list[str]:
    """The texts of a list whose elements all have one name."""
    for child in schedule.children(f"{path}/*"):
        if child.name != name:
            raise ValueError(f"{path} has no {shown(child.name)}; <{name}>{LAST}</{name}> is right")
    return schedule.texts(f"{path}/{name}")


def _in_months(schedule: Node, parts: DayParts) -> Named:
    named: Named = np.isin(parts.month, _numbers_of(schedule, "Months", MONTHS) + 1)
    return named


def _on_weekdays(schedule: Node, parts: DayParts) -> Named:
    named: Named = np.isin(parts.weekday, _numbers_of(schedule, "DaysOfWeek", WEEKDAYS))
    return named


def _numbers_of(schedule: Node, path: str, known: tuple[str, ...]) -> Numbers:
    """The numbers of the days or months that are named; of all, where there is no such list."""
    found = [child.name for child in schedule.children(f"{path}/*")]
    for name in found:
        if name not in known:
            raise ValueError(f"{path} has no {shown(name)}")
    return np.array([known.index(name) for name in found or known])


def _number(text: str, most: int) -> int:
    if not re.fullmatch("[0-9]{1,3}", text) or not 1 <= int(text) <= most:
        raise ValueError(f"{shown(text)} is no number from 1 to {most}")
    return int(text)


def _instant(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{shown(text)} is no instant, as 2026-01-31T02:30:00") from None


def _of_day_us(instant: datetime) -> int:
    since = timedelta(hours=instant.hour, minutes=instant.minute, seconds=instant.second)
    return since // timedelta(microseconds=1) + instant.microsecond


def _repetition(node: Node) -> Repetition | None:
    interval = node.said("Repetition/Interval")
    if not interval:
        return None
    every_us, duration = duration_us(interval), node.said("Repetition/Duration")
    if every_us < MINUTE_US:
        raise ValueError(f"Interval {shown(interval)} is under a minute")
    return Repetition(every_us, duration_us(duration) if duration else None)
