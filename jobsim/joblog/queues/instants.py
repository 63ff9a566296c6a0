"""Cells of queue tables as instants and numbers, missing where they say none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.localtime import epoch_s, since_1970
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading

OFFSET = r"[0-9](?:\s?[zZ]|[+-][0-9]{2}(?::?[0-9]{2})?)$"
NO_DATE = ("0000-00-00", "9999-")
"""How dates begin that are none: MySQL's, and those of applications that need one to compare."""
TICKS = "[0-9]{18}"
TICK_S, TICKS_AT_1970 = 1e-7, 621_355_968_000_000_000
"""How .NET writes an instant as a number: in ticks since the year 1."""


def column(frame: pd.DataFrame, name: str) -> pd.Series[Any]:
    """A column as text, all missing where the table does not have it."""
    if name in frame.columns:
        return frame[name]
    return pd.Series(np.nan, index=frame.index, dtype="str")


def seconds(frame: pd.DataFrame, name: str, reading: Reading, notes: Notes) -> pd.Series[float]:
    """A column of dates with times as seconds since 1970 (UTC).

    Times without an offset are taken as UTC, which is what these systems write, unless the user
    names another zone. What is no instant from 1970 on becomes missing, and is noted; zero dates
    are missing without a note, as they mean just that.
    """
    text = column(frame, name).str.strip()
    text = text.mask((text == "") | text.str.startswith(NO_DATE))
    ticks = text.str.fullmatch(TICKS, na=False)
    has_offset = text.str.contains(OFFSET, regex=True, na=False)
    aware = pd.to_datetime(text.where(has_offset), format="ISO8601", utc=True, errors="coerce")
    naive = pd.to_datetime(text.mask(has_offset | ticks), format="ISO8601", errors="coerce")
    local = since_1970(naive) if reading.zone is None else epoch_s(naive, reading, notes)
    found = np.where(has_offset, since_1970(aware.dt.tz_localize(None)), local)
    found = np.where(ticks, _from_ticks(text.where(ticks)), found)
    found = np.where(found >= 0, found, np.nan)
    wrong = text.notna() & np.isnan(found)
    notes.add(f"mended: {name} that is no instant since 1970, left missing", wrong)
    return pd.Series(found, index=frame.index)


def _from_ticks(text: pd.Series[Any]) -> pd.Series[float]:
    # Subtracted as whole numbers: floats would lose the milliseconds.
    ticks = text.dropna().astype("int64") - TICKS_AT_1970
    return (ticks * TICK_S).reindex(text.index)


def epochs(frame: pd.DataFrame, name: str, notes: Notes) -> pd.Series[float]:
    """A column of seconds since 1970; what is no such number becomes missing, and is noted."""
    text = column(frame, name)
    found = numbers(frame, name)
    found = found.where((found > 0) & (found < 2.0**33))
    wrong = text.notna() & (text != "0") & found.isna()
    notes.add(f"mended: {name} that is no instant since 1970, left missing", wrong)
    return found


def numbers(frame: pd.DataFrame, name: str) -> pd.Series[float]:
    """A column as finite numbers, missing where it holds none."""
    found = pd.to_numeric(column(frame, name), errors="coerce").astype("float64")
    return found.where(np.isfinite(found))


def later(one: pd.Series[float], other: pd.Series[float]) -> pd.Series[float]:
    """The later of two instants, or the one that is known."""
    return one.where(~(other > one) & one.notna(), other)
