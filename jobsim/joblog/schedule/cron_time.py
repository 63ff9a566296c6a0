"""The five time fields of a crontab line, as times on a wall clock.

cronsim reads the fields and knows the days; it follows Debian's cron, so that day-of-month and
day-of-week both have to match where one of them begins with a star, and either will do otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache

import numpy as np
from cronsim import CronSim, CronSimError
from cronsim.cronsim import Field

from jobsim.joblog.faultlist import shown
from jobsim.joblog.schedule.period import Days, Micros
from jobsim.joblog.schedule.walltime import ClockRule, WallTimes
from jobsim.words import nearest

SHORTCUTS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
    "@every_minute": "* * * * *",
}

FIXED = ClockRule(left_out="after", twice="once")
"""Of jobs whose minute and hour are numbers: run right after the hour that was left out, and once
in the hour that comes twice (Vixie's cron, Debian's and cronie, for changes under three hours)."""

REAL_TIME = ClockRule(left_out="never", twice="both")
"""Of jobs with a star as minute or hour, and of all under cronie's CRON_TZ."""

RULE = (
    "when it is set, cron fires fixed times of the hour left out right after it and those of the"
    " hour shown twice once, at the first; entries with * as minute or hour go by real time"
)

ONE_STEPPED = re.compile(r"\b(\w+)-\1/[1-9][0-9]*\b")
"""A range of one value, stepped: that value to cron, but to cronsim all from there on."""

EXTENSIONS = {
    "L or # in the days": re.compile(r"^(?:\S+ ){2}(?:\S*L|\S+ \S+ \S*(?:\dL|#))"),
    "a step behind a single value (5/10), taken as from there to the end": re.compile(
        r"(?:^|[ ,])[^-*,/ ]+/"
    ),
}
"""What cronsim knows and neither Debian's cron nor cronie does."""

OTHERS = {
    "? is Quartz's, * is right": re.compile(r"\?"),
    "H is Jenkins', which draws the value itself": re.compile(r"h\b"),
    "W, the weekday next to a day, is Quartz's": re.compile(r"\dw|^w$"),
    "a range goes upwards, as 22-23,0-2": re.compile(r"[a-z\d]+-[a-z\d]+"),
    "a name has three letters": re.compile(r"[a-z]{4,}"),
}
"""Why a field may be none, the likeliest first."""

INTERVAL = re.compile(r"@(?:every|[0-9]+)", re.IGNORECASE)

SAMPLE_DAY = datetime(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class CronTime:
    """When a line fires.

    Attributes
    ----------
    fields
        The five fields, blanks between them.
    wildcard
        Whether minute or hour begin with a star, so that cron runs it by real time.
    """

    fields: str
    wildcard: bool

    @classmethod
    def of(cls, text: str) -> CronTime:
        """Of five fields or a shortcut such as ``@daily``.

        Raises
        ------
        ValueError
            They are not that; the message says which field.
        """
        fields = SHORTCUTS.get(text.lower(), text)
        if INTERVAL.fullmatch(fields):
            raise ValueError("an interval that has no time of day; */5 * * * * has one")
        if fields.startswith("@"):
            raise ValueError(f"no such shortcut; {nearest(text, [*SHORTCUTS, '@reboot'])}")
        parts = [ONE_STEPPED.sub(r"\1", part) for part in fields.upper().split()]
        if len(parts) != 5:
            raise ValueError(f"{len(parts)} time fields")
        _check(parts)
        wildcard = parts[0].startswith("*") or parts[1].startswith("*")
        return cls(" ".join(parts), wildcard)

    @property
    def extensions(self) -> tuple[str, ...]:
        """What it uses that cron itself refuses."""
        return tuple(what for what, used in EXTENSIONS.items() if used.search(self.fields))

    @property
    def rule(self) -> ClockRule:
        """What cron does with it when the clock is set."""
        return REAL_TIME if self.wildcard else FIXED

    def never_fires(self) -> bool:
        """Whether no year has its days, as 30 February."""
        try:
            CronSim(self.fields, SAMPLE_DAY)
        except CronSimError:
            return True
        return False

    def on(self, days: Days) -> WallTimes:
        """The times at which it fires on those of `days` that it names."""
        minute, hour, *day_fields = self.fields.split()
        matches = _day_match(" ".join(day_fields))
        named = [matches(day) for day in days.astype(object)]
        return WallTimes(days[np.array(named, dtype=bool)], _times_us(minute, hour))


def _check(parts: list[str]) -> None:
    """Each field by itself, as a day that no month has is no fault of the line."""
    for field, part in zip(list(Field)[1:], parts, strict=True):
        try:
            field.parse(part)
        except (CronSimError, ValueError, AssertionError, RecursionError):
            name, text = field.msg().removeprefix("Bad "), part.lower()
            why = next((f" ({why})" for why, like in OTHERS.items() if like.search(text)), "")
            raise ValueError(f"{name} {shown(text)} is none{why}") from None


def _times_us(minute: str, hour: str) -> Micros:
    minutes, hours = Field.MINUTE.parse(minute), Field.HOUR.parse(hour)
    of_day = [3600 * int(h) + 60 * int(m) for h in hours for m in minutes]  # type: ignore[arg-type]
    return np.sort(np.array(of_day, dtype=np.int64)) * 1_000_000


@lru_cache(maxsize=256)
def _day_match(day_fields: str) -> Callable[[date], bool]:
    """Whether a day is one of those that day-of-month, month and day-of-week name."""
    simulated = CronSim(f"0 0 {day_fields}", SAMPLE_DAY)
    match_day = cache(simulated.match_day)
    return lambda day: day.month in simulated.months and match_day(day)
