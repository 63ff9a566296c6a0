"""One component of a systemd calendar event: ``*``, or a list of values, ranges, repetitions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from jobsim.joblog.faultlist import shown
from jobsim.joblog.schedule.period import Micros

SECOND_US = 1_000_000

PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?:\.\.([0-9]+(?:\.[0-9]+)?))?(?:/([0-9]+(?:\.[0-9]+)?))?")


@dataclass(frozen=True)
class Component:
    """The values of one component, as ranges, which may overlap."""

    ranges: tuple[range, ...]

    def __len__(self) -> int:
        return sum(map(len, self.ranges))

    def values(self) -> Micros:
        """Each value once, in order."""
        return np.unique(np.concatenate([np.arange(r.start, r.stop, r.step) for r in self.ranges]))


@dataclass(frozen=True)
class Scale:
    """What the values of a component are.

    Attributes
    ----------
    low, high
        The least and the greatest.
    one
        From one value to the next.
    number
        Makes a value of its text.
    downwards
        Whether repetition goes towards the least, as days do that count from the month's end.
    """

    name: str
    low: int
    high: int
    one: int
    number: Callable[[str], int] = int
    downwards: bool = False

    def component(self, text: str) -> Component:
        """Read a component; ValueError if it is none of this scale."""
        if text == "*":
            return Component((range(self.low, self.high + 1, self.one),))
        try:
            return Component(tuple(map(self._range, text.split(","))))
        except ValueError:
            raise ValueError(f"{self.name} {shown(text)} is none") from None

    def _range(self, text: str) -> range:
        """``a``, ``a..b``, ``a..b/step``, or ``a/step``, which goes on to the scale's end."""
        match = PART.fullmatch(text)
        if match is None:
            raise ValueError
        first = self._within(self.number(match[1]))
        last = self._within(self.number(match[2])) if match[2] else first
        step = self.one if match[3] is None else self._step(match[3])
        if match[3] and not match[2]:
            return self._onwards(first, step)
        if last < first:
            raise ValueError
        return range(first, last + 1, step)

    def _onwards(self, first: int, step: int) -> range:
        towards, end = (-1, self.low) if self.downwards else (1, self.high)
        self._within(first + towards * step)
        return range(first, end + towards, towards * step)

    def _step(self, text: str) -> int:
        step = round(Decimal(text) * self.one) if self.one > 1 else int(text)
        if step <= 0:
            raise ValueError
        return step

    def _within(self, value: int) -> int:
        if not self.low <= value <= self.high:
            raise ValueError
        return value


def _year(text: str) -> int:
    """Two digits are of 1970 to 2069."""
    year = int(text)
    return year if year >= 100 else year + (2000 if year < 70 else 1900)


def _micros(text: str) -> int:
    return round(Decimal(text) * SECOND_US)


YEAR = Scale("year", 1970, 2199, 1, _year)
MONTH = Scale("month", 1, 12, 1)
DAY = Scale("day", 1, 31, 1)
DAY_FROM_END = replace(DAY, high=28, downwards=True)
"""The first days of a long month cannot be named from its end, as not every month has them."""

HOUR = Scale("hour", 0, 23, 1)
MINUTE = Scale("minute", 0, 59, 1)
SECOND = Scale("second", 0, 60 * SECOND_US - 1, SECOND_US, _micros)
"""In microseconds."""
