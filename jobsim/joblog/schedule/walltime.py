"""Times on a wall clock as instants, by each scheduler's rule for what happens when it is set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any, Literal

import numpy as np
import pandas as pd

from jobsim.joblog.clock_gaps import past_gaps
from jobsim.joblog.notes import Notes
from jobsim.joblog.schedule.period import Days, Micros, Period

NEVER = "dropped: at a time that the clock left out, such a firing never happens"
AFTER = "marked: at a time that the clock left out, fired right after it"
ONCE = "marked: at a time that the clock showed twice, fired the first time only"
BOTH = "marked: at a time that the clock showed twice, fired both times"


@dataclass(frozen=True, slots=True)
class WallTimes:
    """Each of some times of day on each of some days, as a clock on the wall shows them.

    Attributes
    ----------
    days
        Days in order.
    times_us
        Times of day in order, in microseconds since midnight.
    """

    days: Days
    times_us: Micros

    def __len__(self) -> int:
        return len(self.days) * len(self.times_us)

    def local(self) -> pd.Series[Any]:
        """All of them in order, as datetime64[us] without zone."""
        midnights_us = self.days.astype("datetime64[us]").astype(np.int64)
        local_us = (midnights_us[:, None] + self.times_us[None, :]).ravel()
        return pd.Series(local_us.view("datetime64[us]"))


@dataclass(frozen=True, slots=True)
class ClockRule:
    """What becomes of a firing when the clock is set.

    Attributes
    ----------
    left_out
        At a time that the clock leaves out (set forward): it fires right ``after``, or ``never``.
    twice
        At a time that the clock shows twice (set back): it fires ``once``, at the first, or
        ``both`` times.
    """

    left_out: Literal["after", "never"]
    twice: Literal["once", "both"]


def instants_us(
    times: WallTimes,
    zone: tzinfo,
    rule: ClockRule,
    period: Period,
    notes: Notes,
    since_us: int | None = None,
) -> Micros:
    """The instants of the period at which the clock of `zone` shows `times`, in order.

    What the rule did to firings of the period when the clock was set is noted. With `since_us`,
    those from then on until the period are given too.
    """
    local = times.local()
    kept = period if since_us is None else replace(period, begin_us=since_us)
    fires = _plain_us(local, zone)
    if fires is None:
        fires = _ruled_us(local, zone, rule, period, notes)
    return np.sort(fires[kept.holds(fires)])


def _plain_us(local: pd.Series[Any], zone: tzinfo) -> Micros | None:
    """The instants, or None where the clock shows some of the times never or twice."""
    plain = local.dt.tz_localize(zone, ambiguous="NaT", nonexistent="NaT")
    return None if plain.hasnans else _us(plain)


def _ruled_us(
    local: pd.Series[Any], zone: tzinfo, rule: ClockRule, period: Period, notes: Notes
) -> Micros:
    """The instants by the rule, and notes on what it did in the period."""
    moved = past_gaps(local, zone)
    shown = (moved == local).to_numpy()
    first, second = (
        _us(moved.dt.tz_localize(zone, ambiguous=np.full(len(local), is_first)))
        for is_first in (True, False)
    )
    never = ~shown & (rule.left_out == "never")
    again = first != second
    notes.add(NEVER, never & period.holds(first))
    notes.add(AFTER, ~shown & ~never & period.holds(first))
    notes.add(BOTH if rule.twice == "both" else ONCE, again & period.holds(second))
    once = first[~never]
    return np.concatenate([once, second[again]]) if rule.twice == "both" else once


def _us(instants: pd.Series[Any]) -> Micros:
    utc = instants.dt.tz_convert(None)
    instants_us: Micros = utc.to_numpy(dtype="datetime64[us]").view(np.int64)
    return instants_us


def repeated_us(
    starts_us: Micros, every_us: int, for_us: int | None, period: Period
) -> tuple[Micros, Micros, Micros]:
    """How often, and from which step on, each start repeats itself within the period.

    A start repeats every `every_us` until the next start, or until `for_us` after it, the end
    included. Returns the starts, the first step of each that lies in the period (0 is the start
    itself), and the number of steps from there on; `stepped_us` makes instants of them.
    """
    ends_us = np.append(starts_us[1:], period.end_us)
    if for_us is not None:
        ends_us = np.minimum(ends_us, starts_us + for_us + 1)
    ends_us = np.minimum(ends_us, period.end_us)
    first = np.maximum(0, -((starts_us - period.begin_us) // every_us))
    past_last = -((starts_us - ends_us) // every_us)
    return starts_us, first, np.maximum(0, past_last - first)


def stepped_us(starts_us: Micros, first: Micros, counts: Micros, every_us: int) -> Micros:
    """The instants of `repeated_us`."""
    before = np.repeat(np.cumsum(counts) - counts, counts)
    steps = np.arange(counts.sum()) - before + np.repeat(first, counts)
    instants: Micros = np.repeat(starts_us, counts) + steps * every_us
    return instants
