"""The many ways in which tables write that a cell is unknown."""

from __future__ import annotations

from typing import Any

import pandas as pd

_WORDS = r"null \n none nil n/a na nan nat <na> (null) - -- ? unknown undefined"
_DATES = "0000-00-00 00:00:00|0000-00-00|0000-00-00t00:00:00|0001-01-01t00:00:00z"

NULLS = frozenset(("", "not set", *_WORDS.split(), *_DATES.split("|")))
"""Words, in lower case, of cells that hold nothing; databases have dates that stand for none."""

LONGEST = max(map(len, NULLS))
"""Longer texts hold something: payloads and messages need not be looked at."""


def blanked(cells: pd.Series[Any]) -> pd.Series[Any]:
    """The cells, stripped if they are text, with every word for *unknown* missing.

    Columns that are not text come back as they are; other objects become text.
    """
    if cells.dtype.kind in "iufbmM" or isinstance(cells.dtype, pd.DatetimeTZDtype):
        return cells
    text = cells.astype("str").where(cells.notna()).str.strip()
    nothing = (text.str.len() <= LONGEST).to_numpy(copy=True)
    nothing[nothing] = text[nothing].str.lower().isin(NULLS)
    return text.mask(nothing)
