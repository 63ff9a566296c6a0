"""Arrays of instants: the first of each thing, the first since another, a column as floats."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]


def column(frame: pd.DataFrame, name: str) -> Floats:
    """A column as an array of floats."""
    return frame[name].to_numpy(dtype=np.float64)


def whole(frame: pd.DataFrame, name: str) -> Whole:
    """A column as an array of whole numbers."""
    return frame[name].to_numpy().astype(np.int32)


def rows_of(job: pd.Series[int]) -> Whole:
    """The rows of the jobs with these ids."""
    return np.subtract(job.to_numpy(), 1, dtype=np.int32, casting="unsafe")


def first_of_each(at: Whole, t_s: Floats, size: int) -> Floats:
    """The earliest instant of each of ``size`` things; NaN is no instant; inf where none is."""
    first_s = np.full(size, np.inf)
    known = ~np.isnan(t_s)
    np.minimum.at(first_s, at[known], t_s[known])
    return first_s


def first_since(
    at: Whole, since_s: Floats, event_at: Whole, event_s: Floats, *, at_once: bool = True
) -> Floats:
    """The first event of the same thing since each instant; inf where none followed.

    ``at_once``: whether an event at that very instant is one. NaN is no event.
    """
    asked = len(at)
    if asked == 0:
        return np.empty(0)
    some = np.isin(event_at, at) & ~np.isnan(event_s)
    thing = np.concatenate((at, event_at[some]))
    t_s = np.concatenate((since_s, event_s[some]))
    is_event = np.arange(len(thing)) >= asked
    order = np.lexsort((is_event if at_once else ~is_event, t_s, thing))
    place = np.where(is_event[order], np.arange(len(order)), len(order))
    following = np.minimum.accumulate(place[::-1])[::-1]
    found = np.append(order, -1)[following]
    first_s = np.where(thing[found] == thing[order], t_s[found], np.inf)
    first_s[following == len(order)] = np.inf
    answer = np.empty(len(order))
    answer[order] = first_s
    return answer[:asked]
