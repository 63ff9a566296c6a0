"""Spans of time, many at once: how many of them cover an instant, and which is the first that does.

A span is half open: it holds from ``from_s`` until just before ``to_s``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jobsim.outcomes.arrays import BLOCK, Flags, Floats, Rows, Whole, slices


class Spans(NamedTuple):
    """Spans, each of one job (its row in the table of jobs)."""

    at: Whole
    from_s: Floats
    to_s: Floats

    def within(self, last_s: Floats | float) -> Spans:
        """What of them lies before ``last_s``, empty ones left out."""
        to_s = np.minimum(self.to_s, last_s)
        some = to_s > self.from_s
        return Spans(self.at[some], self.from_s[some], to_s[some])

    def of(self, own: Flags) -> Spans:
        """Those of these jobs."""
        if own.all():
            return self
        return self.these(own[self.at])

    def these(self, some: Flags | Rows | slice) -> Spans:
        """Some of them, or all in another order."""
        return Spans(self.at[some], self.from_s[some], self.to_s[some])

    def blocks(self) -> Iterator[Spans]:
        """All of them, a block after the other."""
        return map(self.these, slices(len(self.at)))


def joined(parts: Iterable[Spans], room: int) -> Spans:
    """The spans of all the parts, at most ``room`` of them: room that is not used takes none."""
    spans, filled = Spans(np.empty(room, dtype=np.int32), np.empty(room), np.empty(room)), 0
    for part in parts:
        here = spans.these(slice(filled, filled + len(part.at)))
        here.at[:], here.from_s[:], here.to_s[:] = part
        filled += len(part.at)
    return spans.these(slice(filled))


@dataclass(frozen=True, eq=False)
class Levels:
    """A step function: ``level[k]`` holds from ``t_s[k]`` to ``t_s[k + 1]``; 0 outside."""

    t_s: Floats
    level: Whole

    @property
    def areas(self) -> Floats:
        """Level times duration, of each step."""
        return self.level[:-1] * np.diff(self.t_s)


def levels(from_s: Floats, to_s: Floats) -> Levels:
    """How many spans cover each instant."""
    blocks = [(steps.t_s, steps.level) for steps in levels_by_time(np.sort(from_s), np.sort(to_s))]
    if not blocks:
        return Levels(np.empty(0), np.empty(0, dtype=np.int32))
    t_s, level = map(np.concatenate, zip(*blocks, strict=True))
    return Levels(t_s, level)


def levels_by_time(from_s: Floats, to_s: Floats) -> Iterator[Levels]:
    """How many spans cover each instant, a stretch of time after the other; both ascend."""
    begun, ended, spans = 0, 0, len(from_s)
    while ended < spans:
        until_s = to_s[min(ended + BLOCK, spans) - 1]
        if begun < spans:
            until_s = min(until_s, from_s[min(begun + BLOCK, spans) - 1])
        begins = from_s[begun : np.searchsorted(from_s, until_s, side="right")]
        ends = to_s[ended : np.searchsorted(to_s, until_s, side="right")]
        t_s = _distinct(np.concatenate((begins, ends)))
        level = np.searchsorted(begins, t_s, side="right") + (begun - ended)
        level -= np.searchsorted(ends, t_s, side="right")
        yield Levels(t_s, level.astype(np.int32))
        begun, ended = begun + len(begins), ended + len(ends)


def _distinct(t_s: Floats) -> Floats:
    t_s.sort()
    distinct: Floats = t_s[np.append(True, t_s[1:] != t_s[:-1])[: len(t_s)]]
    return distinct


def areas_and_highest(from_s: Floats, to_s: Floats) -> tuple[float, int]:
    """The sum of all levels' areas, and the highest level. Both are sorted in place."""
    from_s.sort()
    to_s.sort()
    areas, found, highest, last = np.empty(2 * len(from_s)), 0, 0, Levels(to_s[:0], EMPTY)
    for steps in levels_by_time(from_s, to_s):
        highest = max(highest, int(steps.level.max()))
        steps = Levels(np.append(last.t_s, steps.t_s), np.append(last.level, steps.level))
        areas[found : found + len(steps.t_s) - 1] = steps.areas
        found += len(steps.t_s) - 1
        last = Levels(steps.t_s[-1:], steps.level[-1:])
    return float(areas[:found].sum()), highest


EMPTY = np.empty(0, dtype=np.int32)


def oldest(spans: Spans, due_s: Floats) -> Spans:
    """When each job was the first of those that a span of theirs covered, by time.

    Jobs are in order of due, and so are the spans of each block of them. Where every span begins
    when its job falls due, those of earlier jobs that go on then cover all until the last of them
    ends; each job is the first from there on. Other spans have to be compared, instant by instant.
    """
    begins = np.concatenate([part.from_s == due_s[part.at] for part in spans.blocks()] or [NONE])
    first = joined(_after_earlier(spans, begins), len(begins))
    if begins.all():
        return first
    spans = joined((first, spans.these(~begins)), len(begins))
    t_s = _distinct(np.concatenate((spans.from_s, spans.to_s)))
    covering = first_covering(spans, t_s)
    nobody = np.int32(-1)
    changes = np.flatnonzero(np.diff(covering, prepend=nobody, append=nobody))
    found = Spans(covering[changes[:-1]], t_s[changes[:-1]], t_s[changes[1:]])
    return found.these(found.at >= 0)


NONE = np.empty(0, dtype=bool)


def _after_earlier(spans: Spans, some: Flags) -> Iterator[Spans]:
    """What of some spans, which ascend in job and in beginning, no earlier one covers."""
    latest_s = np.array([-np.inf])
    for block in slices(len(some)):
        part = spans.these(block).these(some[block])
        latest_s = np.maximum.accumulate(np.append(latest_s[-1], part.to_s))
        from_s = np.maximum(part.from_s, latest_s[:-1])
        yield Spans(part.at, from_s, part.to_s).within(np.inf)


def first_covering(spans: Spans, t_s: Floats) -> Whole:
    """The lowest ``at`` of the spans that hold from each ``t_s[k]`` on; -1 where none does.

    Every span begins and ends at one of ``t_s``. A span of 2^j to 2^(j+1) steps is the union of two
    blocks of 2^j; it is noted at the start of both, and the notes are then passed down from the
    long blocks to the short ones: O(n log n) for any spans, without a loop over them.
    """
    nobody = np.iinfo(np.int32).max
    left = np.searchsorted(t_s, spans.from_s).astype(np.int32)
    right = np.searchsorted(t_s, spans.to_s).astype(np.int32)
    power = np.frexp(right - left)[1] - 1
    lowest = np.full(len(t_s), nobody, dtype=np.int32)
    for j in range(int(power.max(initial=-1)), -1, -1):
        block, mine = 1 << j, power == j
        np.minimum.at(lowest, left[mine], spans.at[mine])
        np.minimum.at(lowest, right[mine] - block, spans.at[mine])
        if j:
            half = block >> 1
            lowest[half:] = np.minimum(lowest[half:], lowest[:-half])
    return np.where(lowest == nobody, np.int32(-1), lowest)
