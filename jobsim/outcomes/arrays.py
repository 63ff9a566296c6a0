"""Arrays of instants: the first of each thing, the first since another, a column as floats.

A run may have millions of jobs, and a few arrays of them at once take more memory than all records.
So what can be found for some jobs by themselves is found for a block of jobs after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

Floats: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int32]
Rows: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

BLOCK = 1 << 16
"""So many things are looked at together."""

SAMPLED = BLOCK // 64
"""Every so manieth instant is in the sample that tells where to cut the time."""


def column(frame: pd.DataFrame, name: str) -> Floats:
    """A column as an array of floats."""
    return frame[name].to_numpy(dtype=np.float64)


def whole(frame: pd.DataFrame, name: str) -> Whole:
    """A column as an array of whole numbers."""
    return frame[name].to_numpy().astype(np.int32)


def rows_of(job: pd.Series[int]) -> Whole:
    """The rows of the jobs with these ids."""
    return np.subtract(job.to_numpy(), 1, dtype=np.int32, casting="unsafe")


def slices(size: int) -> Iterator[slice]:
    """``size`` things, a block after the other."""
    return (slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))


def rows_by(thing: Whole, size: int) -> Iterator[tuple[slice, Rows]]:
    """Blocks of ``size`` things, and the rows that belong to each, those of one thing together."""
    for some in slices(size):
        yield some, np.flatnonzero((thing >= some.start) & (thing < some.stop))


def rows_by_instant(t_s: Floats) -> Iterator[Rows]:
    """The rows of each stretch of time, those of one instant together; NaN is no instant.

    The stretches hold about a block of rows each, as far as a sample of the instants can tell.
    """
    stretches, sample_s = -(-len(t_s) // BLOCK), t_s[::SAMPLED]
    sample_s = np.sort(sample_s[~np.isnan(sample_s)])
    cuts = np.unique(sample_s[:: -(-len(sample_s) // stretches)])[1:] if len(sample_s) else ()
    for from_s, to_s in pairwise((-np.inf, *cuts, np.inf)):
        yield np.flatnonzero((t_s >= from_s) & (t_s < to_s))


def among(codes: NDArray[Any], wanted: Iterable[object]) -> Flags:
    """Which of many codes are among a few; ``np.isin`` takes many times the room of small ones."""
    found = np.zeros(len(codes), dtype=bool)
    for code in wanted:
        found |= codes == code
    return found


def repeated(thing: Whole) -> Flags:
    """Which of these occur more than once; they lie close together, as those of a block do."""
    low = thing.min() if len(thing) else 0
    found: Flags = np.bincount(thing - low)[thing - low] > 1
    return found


def running_max(thing: Whole, values: Floats) -> Floats:
    """The greatest value of the same thing so far."""
    if not (thing[1:] == thing[:-1]).any():
        return values
    import pandas as pd

    return np.asarray(pd.Series(values).groupby(thing, sort=False).cummax(), dtype=np.float64)


def first_of_each(at: Whole, t_s: Floats, size: int, counts: Flags | None = None) -> Floats:
    """The earliest instant of each of ``size`` things; NaN is no instant; inf where none is.

    ``counts``: which of the instants count; all of them where it is not told.
    """
    first_s = np.full(size, np.inf)
    for some in slices(len(at)):
        known = ~np.isnan(t_s[some]) if counts is None else counts[some] & ~np.isnan(t_s[some])
        np.minimum.at(first_s, at[some][known], t_s[some][known])
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
