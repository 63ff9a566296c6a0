"""The calendar of a log: which instant, hour and weekday its seconds are, and in which zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from jobsim.joblog.describe.times import Floats
from jobsim.joblog.describe.words import duration
from jobsim.joblog.table import JobLog, instant_after

DAY_S = 86400.0

WEEKDAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@dataclass(frozen=True, slots=True)
class Calendar:
    """What a log's seconds are on a clock on the wall.

    Attributes
    ----------
    origin
        The instant (UTC) of the log's zero; None: it has no dates, days and weeks begin at its
        zero.
    zone
        The IANA time zone whose clocks are meant; None: UTC.
    """

    origin: datetime | None
    zone: str | None = None

    @classmethod
    def of(cls, log: JobLog) -> Calendar:
        """That of a log."""
        return cls(log.origin, log.zone)

    @property
    def clock(self) -> tzinfo:
        """The zone."""
        return UTC if self.zone is None else ZoneInfo(self.zone)

    @property
    def name(self) -> str:
        """What its hours and days are, in words."""
        return (self.zone or "UTC") if self.origin else "days from the log's zero"

    @property
    def weekdays(self) -> tuple[str, ...]:
        """What the days of a week are called."""
        return WEEKDAYS if self.origin else ("day 1", *"234567")

    def at(self, t_s: float) -> datetime | None:
        """The instant on its clock, or None where no calendar reaches it."""
        utc = instant_after(self.origin, t_s)
        try:
            return None if utc is None else utc.astimezone(self.clock)
        except OverflowError:
            return None

    def says(self, t_s: float) -> str:
        """When that is: an instant, or the time since the log's zero where none is known."""
        at = self.at(t_s)
        return f"{duration(t_s)} after the log's zero" if at is None else f"{at:%Y-%m-%d %H:%M %Z}"

    def since_monday_s(self, t_s: Floats) -> Floats:
        """The seconds from a Monday at 0:00 to each of these, as the clock on the wall shows them.

        It shows an hour twice where it is set back, and leaves one out where it is set forward.
        """
        if self.origin is None:
            return t_s
        midnight = self.origin.replace(hour=0, minute=0, second=0, microsecond=0)
        zero_s = self.origin.weekday() * DAY_S + (self.origin - midnight).total_seconds()
        return t_s + (zero_s + self._ahead_s(t_s))

    def _ahead_s(self, t_s: Floats) -> Floats | float:
        """How far the clock is ahead of UTC at each of these."""
        reached = self.origin and len(t_s) and self.at(float(t_s.max()))
        if self.zone is None or self.origin is None or not reached:
            return 0.0
        zero = np.datetime64(self.origin.replace(tzinfo=None), "s")
        utc = pd.DatetimeIndex(zero + (t_s // 1).astype("timedelta64[s]"))
        shown = utc.tz_localize(UTC).tz_convert(self.zone).tz_localize(None)
        return (shown - utc).total_seconds().to_numpy()
