"""Cells of any table as instants: ISO 8601 and its relatives, epochs, seconds since a start."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.localtime import Seconds, epoch_s, since_1970
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import INSTANT_UNITS, Reading
from jobsim.joblog.tabular.missing import blanked
from jobsim.joblog.tabular.numbers import as_numbers

YEAR_1985_S, YEAR_2106_S = 5e8, 2.0**32
"""Numbers in here count seconds since 1970; a thousand times as large, milliseconds; and so on."""

EPOCHS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
UNIT_NAMES = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}

OFFSET = r"(?:[zZ]|[+-][0-9]{2}:?[0-9]{2}|[+-][0-9]{2})$"
DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

RELATIVES = (
    (r"\.[0-9]{10}", r"(\.[0-9]{9})[0-9]+", r"\1"),
    (",", r"(:[0-9]{2}),([0-9]{1,9})", r"\1.\2"),
)
"""What ISO 8601 allows and pandas does not read: a sign of it, a pattern, and what to put."""

DATES = (
    *("%Y/%m/%d", "%Y%m%d", "%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y"),
    *("%d %b %Y", "%d-%b-%Y", "%b %d %Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y"),
)
TIMES = (" %H:%M:%S.%f", " %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p", "")
FORMATS = (
    *(date + time for date in DATES for time in TIMES),
    *("%Y%m%d%H%M%S", "%Y%m%dT%H%M%S", "%d/%b/%Y:%H:%M:%S %z", "%a %b %d %H:%M:%S %Y"),
    *("%a, %d %b %Y %H:%M:%S %z", "%a, %d %b %Y %H:%M:%S"),
)
"""Tried where cells are not ISO 8601; the format must fit every cell."""


@dataclass(frozen=True, slots=True)
class Instants:
    """A column as instants.

    Attributes
    ----------
    seconds
        Since 1970 (UTC) where `absolute`, else since a beginning that only the log knows; NaN
        where missing.
    absolute
        None where no cell holds an instant.
    wrong
        Cells that hold something, and no instant.
    dates_only
        No cell has a time of day.
    unit
        Of columns of numbers: a key of `INSTANT_UNITS`.
    formats
        Of columns in which more than one format fits every cell: those formats.
    """

    seconds: Seconds
    absolute: bool | None
    wrong: np.ndarray[Any, np.dtype[np.bool_]]
    dates_only: bool = False
    unit: str | None = None
    formats: tuple[str, ...] = ()


def instants(cells: pd.Series[Any], reading: Reading, notes: Notes, unit: str = "") -> Instants:
    """Make instants of a column's cells.

    Parameters
    ----------
    unit
        What the user says of the column: a key of `INSTANT_UNITS`, or a strptime format.
    """
    cells = blanked(cells)
    if cells.dtype.kind == "M":
        return _found(_of_datetimes(cells, reading, notes), cells)
    numbers = None if "%" in unit else as_numbers(cells)
    if numbers is not None and (unit or not _are_compact(numbers)):
        return _of_numbers(numbers, unit)
    return _of_texts(_texts(cells), reading, notes, unit)


def _of_datetimes(cells: pd.Series[Any], reading: Reading, notes: Notes) -> Seconds:
    if isinstance(cells.dtype, pd.DatetimeTZDtype):
        return since_1970(cells.dt.tz_convert(None))
    return epoch_s(cells, reading, notes)


def _found(seconds: Seconds, cells: pd.Series[Any], **known: Any) -> Instants:
    wrong = cells.notna().to_numpy() & np.isnan(seconds)
    absolute = True if len(wrong) > wrong.sum() and not np.isnan(seconds).all() else None
    whole_days = bool(absolute) and bool((seconds[~np.isnan(seconds)] % 86400 == 0).all())
    return Instants(seconds, absolute, wrong, **({"dates_only": whole_days} | known))


def _texts(cells: pd.Series[Any]) -> pd.Series[Any]:
    return cells.astype("str").str.removesuffix(".0").where(cells.notna())


def _are_compact(numbers: Seconds) -> bool:
    """Whether these numbers are dates written without signs, as 20240131123000 or 20240131."""
    known = numbers[~np.isnan(numbers)]
    if not len(known) or (known % 1).any():
        return False
    low, high = float(known.min()), float(known.max())
    return any(19 * power <= low and high < 22 * power for power in (1e12, 1e6))


def _of_numbers(numbers: Seconds, unit: str) -> Instants:
    known = numbers[~np.isnan(numbers)]
    middle = float(np.median(known)) if len(known) else 0.0
    unit = unit or next(
        (each for each, s in EPOCHS.items() if YEAR_1985_S <= middle * s <= YEAR_2106_S), "s"
    )
    seconds = numbers * INSTANT_UNITS[unit]
    absolute = bool(YEAR_1985_S <= middle * INSTANT_UNITS[unit] <= YEAR_2106_S)
    if absolute:
        # Many tables write 0 for an instant that never came.
        seconds = np.where(seconds == 0, np.nan, seconds)
    wrong = np.zeros(len(numbers), dtype=bool)
    return Instants(seconds, absolute if len(known) else None, wrong, unit=unit)


def _of_texts(texts: pd.Series[Any], reading: Reading, notes: Notes, unit: str) -> Instants:
    if "%" in unit:
        return _found(_by_format(texts, unit, reading, notes), texts)
    iso = _iso(texts, reading, notes)
    dates_only = bool(texts.dropna().str.fullmatch(DATE).all()) and texts.notna().any()
    found = _found(iso, texts, dates_only=bool(dates_only))
    if not found.wrong.any():
        return found
    fitting = _fitting(texts)
    if not fitting:
        return found
    seconds = _by_format(texts, fitting[0], reading, notes)
    has_times = "%H" in fitting[0] or "%I" in fitting[0]
    others = tuple(fitting) if len(fitting) > 1 else ()
    return _found(seconds, texts, dates_only=not has_times, formats=others)


def _iso(texts: pd.Series[Any], reading: Reading, notes: Notes) -> Seconds:
    """ISO 8601, with a blank or a T, any number of decimals, an offset, Z, UTC or none."""
    texts = _as_pandas_reads(texts)
    with_offset = texts.str.contains(rf":.*{OFFSET}|T[0-9]{{4,6}}{OFFSET}", regex=True, na=False)
    seconds = np.full(len(texts), np.nan)
    if with_offset.any():
        utc = _parsed(texts[with_offset], format="ISO8601", utc=True).dt.tz_convert(None)
        seconds[with_offset.to_numpy()] = since_1970(utc)
    if not with_offset.all():
        seconds[~with_offset.to_numpy()] = epoch_s(
            _parsed(texts[~with_offset], format="ISO8601"), reading, notes
        )
    return seconds


def _as_pandas_reads(texts: pd.Series[Any]) -> pd.Series[Any]:
    """The texts with Z for UTC, a point before decimals, and nine of these at most.

    To look whether there is anything to replace is much quicker than to replace nothing.
    """
    named = texts.str.endswith(("UTC", "GMT"), na=False)
    if named.any():
        texts = texts.mask(named, texts.str.slice(stop=-3).str.rstrip() + "Z")
    for sign, pattern, instead in RELATIVES:
        if texts.str.contains(sign, na=False).any():
            texts = texts.str.replace(pattern, instead, regex=True)
    return texts


def _by_format(texts: pd.Series[Any], form: str, reading: Reading, notes: Notes) -> Seconds:
    if "%z" in form:
        return since_1970(_parsed(texts, format=form, utc=True).dt.tz_convert(None))
    return epoch_s(_parsed(texts, format=form), reading, notes)


def _fitting(texts: pd.Series[Any]) -> list[str]:
    """The formats that fit every cell; the first cell and some others sort most formats out."""
    known = texts.dropna()
    some = known.iloc[:: max(1, len(known) // 200)]
    candidates = [form for form in FORMATS if len(known) and _fits_one(known.iloc[0], form)]
    return [form for form in candidates if _fits(some, form) and _fits(known, form)]


def _fits_one(text: str, form: str) -> bool:
    try:
        datetime.strptime(text, form)
    except ValueError:
        return False
    return True


def _fits(texts: pd.Series[Any], form: str) -> bool:
    return bool(_parsed(texts, format=form, utc="%z" in form).notna().all())


def _parsed(texts: pd.Series[Any], **how: Any) -> pd.Series[Any]:
    try:
        found: pd.Series[Any] = pd.to_datetime(texts, errors="coerce", **how)
    except ValueError:
        found = pd.Series(pd.NaT, index=texts.index)
    return found
