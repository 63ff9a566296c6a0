"""Local times as instants, with what a time zone's clock changes do to them said aloud.

A clock that is set back shows an hour twice, one that is set forward leaves an hour out. A log
that writes local times without an offset does not say which of the two was meant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.clock_gaps import past_gaps
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading

Seconds = np.ndarray[tuple[int], np.dtype[np.float64]]


def epoch_s(naive: pd.Series[Any], reading: Reading, notes: Notes) -> Seconds:
    """Local times (datetime64 without zone, NaT where unknown) as seconds since 1970, UTC.

    Without ``reading.zone`` they are taken as UTC, and marked. A time in the hour that the clock
    showed twice is taken as the first of the two, unless the cells around it, in the log's order,
    tell which it was; one in the hour that was left out is moved to that hour's end. Both are
    noted.
    """
    known = naive.notna()
    if reading.zone_info is None:
        notes.add("marked: times name no zone, taken as UTC (--zone says another)", known)
        return since_1970(naive)
    zone: Any = reading.zone_info
    as_is = naive.dt.tz_localize(zone, ambiguous="NaT", nonexistent="NaT")
    doubtful = known & as_is.isna()
    if not doubtful.any():
        return since_1970(as_is.dt.tz_convert(None))
    shown = past_gaps(naive, zone)
    first, second = (
        since_1970(
            shown.dt.tz_localize(zone, ambiguous=np.full(len(naive), is_first)).dt.tz_convert(None)
        )
        for is_first in (True, False)
    )
    twice = known.to_numpy() & (first != second)
    notes.add(
        f"mended: a local time that {reading.zone} never showed (clock set forward), moved to the"
        " end of the hour that was left out",
        doubtful.to_numpy() & ~twice,
    )
    if not twice.any():
        return first
    second_meant = _second_meant(first, second, twice)
    notes.add(
        f"mended: a local time that {reading.zone} showed twice (clock set back), taken as the"
        " first, or as the second where the order of the log says so",
        twice,
    )
    return np.where(second_meant, second, first)


def since_1970(utc: pd.Series[Any]) -> Seconds:
    """Instants of UTC (datetime64 without zone) as seconds, NaN where missing."""
    micros = utc.to_numpy().astype("datetime64[us]").astype("int64")
    return np.where(utc.isna(), np.nan, micros / 1e6)


def _second_meant(first: Seconds, second: Seconds, twice: np.ndarray[Any, Any]) -> Any:
    """Which of the doubtful cells must be the second time round, in a log in order of time.

    In each run of neighbours that lie in the doubled hour the clock seems to jump back once: what
    comes after the jump is the second. In a log that goes backwards, what comes before it.
    """
    places = np.flatnonzero(~np.isnan(first))
    known = first[places]
    steps = np.sign(np.diff(known[~twice[places]]))
    backwards = steps.size and (steps < 0).sum() > (steps > 0).sum()
    order = places[::-1] if backwards else places
    meant = np.zeros(len(first), dtype=bool)
    latest, after_jump = -np.inf, False
    for place in order:
        if not twice[place]:
            latest, after_jump = -np.inf, False
            continue
        after_jump = after_jump or first[place] < latest
        latest = max(latest, first[place])
        meant[place] = after_jump
    return meant
