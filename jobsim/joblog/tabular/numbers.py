"""A column as numbers, if it is one of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.numerals import Floats, numbers


def as_numbers(cells: pd.Series[Any]) -> Floats | None:
    """The cells (see `blanked`) as float64, NaN where missing; None where one is no number."""
    if cells.dtype.kind in "iuf":
        return cells.to_numpy("float64")
    if cells.dtype.kind in "bmM" or isinstance(cells.dtype, pd.DatetimeTZDtype):
        return None
    known = cells.dropna()
    # Most columns are refused by their first cells, which is quick.
    if np.isnan(numbers(known.head(20))).all() and len(known):
        return None
    found = np.full(len(cells), np.nan)
    found[cells.notna().to_numpy()] = numbers(known)
    return found if np.isnan(found).sum() == len(cells) - len(known) else None
