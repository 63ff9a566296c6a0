"""Spans of time, many at once: how many of them cover an instant, and which is the first that does.

A span is half open: it holds from ``from_s`` until just before ``to_s``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jobsim.outcomes.arrays import Flags, Floats, Whole


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
        mine = own[self.at]
        return Spans(self.at[mine], self.from_s[mine], self.to_s[mine])


def joined(one: Spans, other: Spans) -> Spans:
    """All spans of both."""
    return Spans(
        np.append(one.at, other.at),
        np.append(one.from_s, other.from_s),
        np.append(one.to_s, other.to_s),
    )


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
    t_s = np.concatenate((from_s, to_s))
    t_s.sort()
    t_s = t_s[np.append(True, t_s[1:] != t_s[:-1])[: len(t_s)]]
    level = np.searchsorted(np.sort(from_s), t_s, side="right").astype(np.int32)
    level -= np.searchsorted(np.sort(to_s), t_s, side="right").astype(np.int32)
    return Levels(t_s, level)


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
