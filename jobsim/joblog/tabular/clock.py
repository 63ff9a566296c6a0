"""Cells of any table as instants: ISO 8601 and its relatives, epochs, seconds since a start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.localtime import Seconds, epoch_s, since_1970
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import INSTANT_UNITS, Reading
from jobsim.joblog.tabular.missing import blanked
from jobsim.joblog.tabular.numbers import as_numbers
from jobsim.joblog.tabular.stamps import fitting, parsed, rewritten

YEAR_1985_S, YEAR_2106_S = 5e8, 2.0**32
"""Numbers in here count seconds since 1970; a thousand times as large, milliseconds; and so on."""

FIRST_DAY, LAST_DAY, DAY_0 = 36_526.0, 73_050.0, pd.Timestamp("1899-12-30")
"""From 2000 to 2100 in the days of spreadsheets, and from when they count these."""

EPOCHS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
UNIT_NAMES = {
    "s": "seconds",
    "ms": "milliseconds",
    "us": "microseconds",
    "ns": "nanoseconds",
    "min": "minutes",
    "h": "hours",
    "d": "days",
}

OFFSET = r"(?:[zZ]|[+-][0-9]{2}:?[0-9]{2}|[+-][0-9]{2})$"
DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

RELATIVES = (
    (r"\.[0-9]{10}", r"(\.[0-9]{9})[0-9]+", r"\1"),
    (",", r"(:[0-9]{2}),([0-9]{1,9})", r"\1.\2"),
)
"""What ISO 8601 allows and pandas does not read: a sign of it, a pattern, and what to put."""


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
    form
        Of texts that are not ISO 8601: their format.
    formats
        Formats, or units, that fit every cell and say different instants; none where it is clear.
    """

    seconds: Seconds
    absolute: bool | None
    wrong: np.ndarray[Any, np.dtype[np.bool_]]
    dates_only: bool = False
    unit: str | None = None
    form: str = ""
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
        return _of_numbers(numbers, reading, notes, unit)
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


def _of_numbers(numbers: Seconds, reading: Reading, notes: Notes, unit: str) -> Instants:
    known = numbers[~np.isnan(numbers)]
    as_days = bool(len(known)) and known.min() >= FIRST_DAY and known.max() < LAST_DAY
    if as_days and unit == "d":
        return replace(_of_spreadsheet_days(numbers, reading, notes), unit="d")
    formats = ("s", "d") if as_days and not unit and bool((known % 1 > 0).any()) else ()
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
    clock = absolute if len(known) else None
    return Instants(seconds, clock, wrong, unit=unit, formats=formats)


def _of_spreadsheet_days(numbers: Seconds, reading: Reading, notes: Notes) -> Instants:
    days = pd.Series(pd.to_timedelta(numbers, unit="D")).dt.round("ms")
    return _found(epoch_s(DAY_0 + days, reading, notes), pd.Series(numbers))


def _of_texts(texts: pd.Series[Any], reading: Reading, notes: Notes, unit: str) -> Instants:
    if "%" in unit:
        return _found(_by_said_format(texts, unit, reading, notes), texts, form=unit)
    as_they_are = _as_iso(texts, reading)
    if not as_they_are[0].wrong.any():
        return _noting(*as_they_are, notes)
    if forms := fitting(texts):
        return _by_formats(texts, forms, reading, notes)
    # To write every text anew is slow, and most need none of it.
    texts = rewritten(texts)
    if forms := fitting(texts):
        return _by_formats(texts, forms, reading, notes)
    tried = (as_they_are, _as_iso(texts, reading))
    return _noting(*min(tried, key=lambda one: one[0].wrong.sum()), notes)


def _as_iso(texts: pd.Series[Any], reading: Reading) -> tuple[Instants, Notes]:
    dates_only = bool(texts.dropna().str.fullmatch(DATE).all()) and bool(texts.notna().any())
    own = Notes()
    return _found(_iso(texts, reading, own), texts, dates_only=dates_only), own


def _noting(found: Instants, own: Notes, notes: Notes) -> Instants:
    for note in own.taken:
        notes.add(note.reason, note.count)
    return found


def _by_formats(
    texts: pd.Series[Any], forms: list[str], reading: Reading, notes: Notes
) -> Instants:
    """By the first of the formats that fit; those that say something else are other formats."""
    seconds = _by_format(texts, forms[0], reading, notes)
    others = [
        form
        for form in forms[1:]
        if not np.array_equal(_by_format(texts, form, reading, Notes()), seconds, equal_nan=True)
    ]
    has_clock = "%H" in forms[0] or "%I" in forms[0]
    formats = (forms[0], *others) if others else ()
    return _found(seconds, texts, dates_only=not has_clock, form=forms[0], formats=formats)


def _iso(texts: pd.Series[Any], reading: Reading, notes: Notes) -> Seconds:
    """ISO 8601, with a blank or a T, any number of decimals, an offset, Z, UTC or none."""
    texts = _as_pandas_reads(texts)
    with_offset = texts.str.contains(rf":.*{OFFSET}|T[0-9]{{4,6}}{OFFSET}", regex=True, na=False)
    seconds = np.full(len(texts), np.nan)
    if with_offset.any():
        utc = parsed(texts[with_offset], format="ISO8601", utc=True).dt.tz_convert(None)
        seconds[with_offset.to_numpy()] = since_1970(utc)
    if not with_offset.all():
        seconds[~with_offset.to_numpy()] = epoch_s(
            parsed(texts[~with_offset], format="ISO8601"), reading, notes
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


def _by_said_format(texts: pd.Series[Any], form: str, reading: Reading, notes: Notes) -> Seconds:
    """The texts as they are, or else, if the format fits none, as they say the same."""
    fits = parsed(texts, format=form, utc="%z" in form).notna().any()
    return _by_format(texts if fits else rewritten(texts), form, reading, notes)


def _by_format(texts: pd.Series[Any], form: str, reading: Reading, notes: Notes) -> Seconds:
    if "%z" in form:
        return since_1970(parsed(texts, format=form, utc=True).dt.tz_convert(None))
    return epoch_s(parsed(texts, format=form), reading, notes)
