"""Durations as logs write them, in seconds.

==========================  ===================================================================
form                        who writes it
==========================  ===================================================================
``90``, ``1.5``, ``12,5``   anything; multiplied by the column's unit (see also `numerals`)
``MM:SS``, ``HH:MM:SS``     Slurm, SQL's TIME, .NET (``1.02:03:04``); a fraction may follow
``D-HH``, ``D-HH:MM[:SS]``  Slurm
``1 day, 2:03:04``          Python; SQL intervals and pandas write ``2 days 03:04:05``
``+001 02:03:04``           Oracle
``PT1H3M4.5S``              ISO 8601, in units no longer than weeks: a month has no fixed length
``1h 3m 4s``, ``250 ms``    people; the longest unit first, each once
==========================  ===================================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.numerals import Floats, numbers

NULLS = frozenset(
    {"", "-", "--", r"\n", "null", "none", "n/a", "na", "nan", "nat", "<na>"}
    | {"unknown", "invalid", "unlimited", "infinite", "partition_limit"}
)
"""Words, in lower case, of cells that hold nothing."""

LONGEST = 80
"""No text of more characters is a duration."""

_NUMBER = r"[0-9]+(?:[.,][0-9]+)?"
_SIXTY = r"[0-5]?[0-9]"
_SECOND = rf"{_SIXTY}(?:[.,][0-9]+)?"
_DAY_TIME = rf"(?P<h>[01]?[0-9]|2[0-3])(?::(?P<m>{_SIXTY})(?::(?P<s>{_SECOND}))?)?"

UNIT_S = {
    "w": (604_800.0, "w|wks?|weeks?"),
    "d": (86_400.0, "d|days?"),
    "h": (3_600.0, "h|hrs?|hours?"),
    "m": (60.0, "m|mins?|minutes?"),
    "s": (1.0, "s|secs?|seconds?"),
    "ms": (1e-3, "ms|msecs?|millis|milliseconds?"),
    "us": (1e-6, "us|[µμ]s|usecs?|microseconds?"),
    "ns": (1e-9, "ns|nsecs?|nanoseconds?"),
}
"""Seconds in one of each unit, and how people write it."""

FORMS = (
    rf"(?P<sign>[+-]?)(?:(?P<h>[0-9]+):)?(?P<m>{_SIXTY}):(?P<s>{_SECOND})",
    rf"(?P<sign>[+-]?)(?P<m>[0-9]+):(?P<s>{_SECOND})",
    rf"(?P<sign>[+-]?)(?P<d>[0-9]+)-{_DAY_TIME}",
    rf"(?P<sign>[+-]?)(?P<d>[0-9]+)\.(?P<h>[01]?[0-9]|2[0-3]):(?P<m>{_SIXTY}):(?P<s>{_SECOND})",
    rf"(?P<sign>[+-]?)(?P<d>[0-9]+) (?P<h>[01]?[0-9]|2[0-3]):(?P<m>{_SIXTY}):(?P<s>{_SECOND})",
    # The sign before the days is theirs alone: Python's "-1 day, 23:59:59" is one second below 0.
    rf"(?P<days>[+-]?[0-9]+) days?,? (?P<sign>[+-]?)(?P<h>[0-9]+):(?P<m>{_SIXTY})"
    rf"(?::(?P<s>{_SECOND}))?",
    rf"(?P<sign>[+-]?)p(?=[0-9t])(?:(?P<w>{_NUMBER})w)?(?:(?P<d>{_NUMBER})d)?"
    rf"(?:t(?=[0-9])(?:(?P<h>{_NUMBER})h)?(?:(?P<m>{_NUMBER})m)?(?:(?P<s>{_NUMBER})s)?)?",
    r"(?P<sign>[+-]?)(?=[0-9])"
    + "".join(
        rf"(?:(?P<{unit}>{_NUMBER}) ?(?:{words})(?![a-z])(?:,|and|\s)*)?"
        for unit, (_, words) in UNIT_S.items()
    ),
)
"""Each form that is no plain number, for text in lower case; the groups are the units."""


def seconds(
    cells: pd.Series[Any], scale_s: float = 1.0
) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Each cell's duration in seconds, and whether it holds something that is no duration.

    Parameters
    ----------
    cells
        Numbers, timedeltas or text in any of this module's forms, also mixed.
    scale_s
        What a plain number counts, in seconds; text that names its units is not scaled.

    Returns
    -------
    seconds
        NaN for what is empty or wrong; negative durations are given as they are.
    wrong
        Whether a cell is neither a duration nor empty (`NULLS`).
    """
    if pd.api.types.is_timedelta64_dtype(cells.dtype):
        found = cells.dt.total_seconds().to_numpy("float64")
        return found, np.zeros(len(cells), dtype=bool)
    if pd.api.types.is_numeric_dtype(cells.dtype) and not pd.api.types.is_bool_dtype(cells.dtype):
        found = cells.to_numpy("float64", na_value=np.nan) * scale_s
        infinite = np.isinf(found)
        return np.where(infinite, np.nan, found), infinite
    codes, texts = pd.factorize(cells.map(str, na_action="ignore").astype("str"))
    found, wrong = _of_texts(pd.Series(texts, dtype="str"), scale_s)
    # Code -1 (missing) takes the last of each, which is put there for it.
    return np.append(found, np.nan)[codes], np.append(wrong, False)[codes]


def _of_texts(
    texts: pd.Series[str], scale_s: float
) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    found = numbers(texts) * scale_s
    rest = texts[np.isnan(found)].str.strip().str.lower().str.slice(0, LONGEST + 1)
    rest = rest[~rest.isin(NULLS)]
    candidates = rest[rest.str.len() <= LONGEST]
    for form in FORMS:
        if candidates.empty:
            break
        parts = candidates.str.extract(rf"\A{form}\Z")
        fits = parts.notna().any(axis="columns")
        if fits.any():
            found[candidates.index[fits]] = _summed(parts[fits])
        candidates = candidates[~fits]
    wrong = np.zeros(len(texts), dtype=bool)
    wrong[rest.index] = np.isnan(found[rest.index])
    return found, wrong


def _summed(parts: pd.DataFrame) -> Floats:
    """The named parts of each duration in seconds: its sign is that of all but ``days``."""
    total = np.zeros(len(parts))
    for unit in parts.columns.drop(["sign", "days"], errors="ignore"):
        total += _numbers(parts[unit]) * UNIT_S[unit][0]
    total = np.where(parts["sign"] == "-", -total, total)
    return total + _numbers(parts["days"]) * UNIT_S["d"][0] if "days" in parts else total


def _numbers(texts: pd.Series[str]) -> Floats:
    found = texts.fillna("0").str.replace(",", ".").to_numpy("object").astype("float64")
    return np.asarray(found)
