"""What a clock leaves out when it is set forward.

pandas moves such a time on to the next whole hour, which is wrong wherever the clock is set by
another amount or at another minute (Lord Howe, Chatham, a zone that skips a day).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import numpy as np
import pandas as pd

SECOND = timedelta(seconds=1)


def past_gaps(naive: pd.Series[Any], zone: tzinfo) -> pd.Series[Any]:
    """Local times (datetime64 without zone), those that `zone` never showed moved on.

    Such a time becomes the first that the clock shows after it was set forward; all others, and
    missing ones, stay as they are.
    """
    either = np.full(len(naive), True)
    shown = naive.dt.tz_localize(zone, ambiguous=either, nonexistent="NaT")
    left_out = naive.notna() & shown.isna()
    if not left_out.any():
        return naive
    times, place = np.unique(naive[left_out].to_numpy("datetime64[us]"), return_inverse=True)
    moved = naive.copy()
    moved[left_out] = _ends(times.tolist(), zone)[place]
    return moved


def _ends(times: list[datetime], zone: tzinfo) -> np.ndarray[Any, np.dtype[np.datetime64]]:
    """Where the gaps end in which these times lie, which come in order."""
    ends: list[datetime] = []
    for local in times:
        same_gap = bool(ends) and local < ends[-1]
        ends.append(ends[-1] if same_gap else _end(local, zone))
    return np.array(ends, dtype="datetime64[us]")


def _end(local: datetime, zone: tzinfo) -> datetime:
    """The end of the gap around a local time, found by halving.

    By PEP 495 the two folds of a time in a gap have the offsets from before and after the clock
    is set, so that each is read as an instant on the other side.
    """
    before, after = (_offset(local.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
    whole = local.replace(microsecond=0, tzinfo=UTC)
    early, late = whole - after, whole + SECOND - before
    while late - early > SECOND:
        middle = early + (late - early) // SECOND // 2 * SECOND
        if _offset(middle.astimezone(zone)) == after:
            late = middle
        else:
            early = middle
    return (late + after).replace(tzinfo=None)


def _offset(instant: datetime) -> timedelta:
    return instant.utcoffset() or timedelta(0)
