"""systemd's time spans, such as ``1h 30min``."""

from __future__ import annotations

import re
from decimal import Decimal

from jobsim.joblog.faultlist import shown

UNITS_US = {
    **dict.fromkeys(("us", "usec", "µs", "μs"), 1),
    **dict.fromkeys(("ms", "msec"), 1_000),
    **dict.fromkeys(("", "s", "sec", "second", "seconds"), 1_000_000),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60_000_000),
    **dict.fromkeys(("h", "hr", "hour", "hours"), 3_600_000_000),
    **dict.fromkeys(("d", "day", "days"), 86_400_000_000),
    **dict.fromkeys(("w", "week", "weeks"), 604_800_000_000),
    **dict.fromkeys(("M", "month", "months"), 2_629_800_000_000),
    **dict.fromkeys(("y", "year", "years"), 31_557_600_000_000),
}
"""As in systemd.time(7): a month is 30.44 days and a year 365.25; without a unit, seconds."""

TERM = re.compile(r"\s*([0-9]{1,12}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})\s*([A-Za-zµμ]*)")


def span_us(text: str) -> int:
    """A time span in microseconds.

    Raises
    ------
    ValueError
        It is none.
    """
    terms = TERM.findall(text)
    if not terms or TERM.sub("", text).strip() or any(unit not in UNITS_US for _, unit in terms):
        raise ValueError(f"{shown(text)} is no time span, as 90, 15min or 1h 30min")
    return sum(round(Decimal(number) * UNITS_US[unit]) for number, unit in terms)
