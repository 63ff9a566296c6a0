"""Durations and rates as people write them: ``250ms``, ``90s``, ``15m``, ``3h``; ``3/h``."""

from __future__ import annotations

import re
from math import inf

from jobsim.errors import UsageError

UNITS_S = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}

_DURATION = re.compile(r"\s*([0-9.]+(?:e[+-]?[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def parse_duration_s(text: str | float) -> float:
    """Seconds; a bare number is seconds already.

    Raises
    ------
    UsageError
        Not a duration, or a negative one.
    """
    found = _DURATION.fullmatch(str(text))
    unit = (found[2].lower() or "s") if found else ""
    try:
        if found and unit in UNITS_S:
            return _finite(float(found[1]) * UNITS_S[unit])
    except ValueError:
        pass
    raise UsageError(f"{text!r} is not a duration; write 250ms, 90s, 15m, 3h or 2d")


def _finite(number: float) -> float:
    if not 0 <= number < inf:
        raise ValueError
    return number


def parse_rate_per_s(text: str | float) -> float:
    """Events a second, from ``3/h`` or a bare number a second.

    Raises
    ------
    UsageError
        Not a rate, or a negative one.
    """
    amount, slash, per = str(text).partition("/")
    try:
        if not slash:
            return _finite(float(amount))
        if per.strip() in UNITS_S:
            return _finite(float(amount) / UNITS_S[per.strip()])
    except ValueError:
        pass
    raise UsageError(f"{text!r} is not a rate; write 3/h, 0.5/s or 2/d")


def format_duration(seconds: float | None) -> str:
    """A duration for people, with three significant figures at most."""
    if seconds is None:
        return "-"
    for unit, size in (("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3)):
        if abs(seconds) >= size * (2 if size > 1 else 1):
            return f"{seconds / size:.3g} {unit}"
    return "0 s" if seconds == 0 else f"{seconds * 1e6:.3g} µs"
