"""Numbers as a person says them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from jobsim.joblog.table import instant_after

BARS = "▁▂▃▄▅▆▇█"
NOTHING = "·"

PLAIN_BARS = str.maketrans(NOTHING + BARS + "±", ".12345678~")
"""For terminals that know no bars: digits."""


def duration(seconds: float) -> str:
    """Seconds as a person says them: three digits, and the unit that fits."""
    for unit, size_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size_s:
            return f"{seconds / size_s:,.{2 if seconds < 10 * size_s else 1}f} {unit}"
    return f"{seconds:.3g} s" if seconds >= 1 or seconds == 0 else f"{1000 * seconds:.3g} ms"


def percent(share: float) -> str:
    """A share as a person says it; what is there is never said to be nothing."""
    return "under 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"


def bars(values: Sequence[float]) -> str:
    """One bar a value, as high as its share of the greatest; a dot for nothing."""
    top = max(values, default=0)
    return "".join(
        NOTHING if value <= 0 else BARS[min(int(len(BARS) * value / top), len(BARS) - 1)]
        for value in values
    )


def instant(origin: datetime | None, t_s: float) -> str:
    """When something was: a UTC instant, or the time since the log's zero where none is known."""
    at = instant_after(origin, t_s)
    return f"{duration(t_s)} after the log's zero" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"
