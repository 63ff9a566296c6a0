"""How run times are distributed, as counts on a logarithmic scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jobsim.joblog.describe.times import Floats

A_DECADE = 4
MOST_DECADES = 7


@dataclass(frozen=True, slots=True)
class Shape:
    """Run times counted in steps of a quarter of a decade.

    Attributes
    ----------
    from_s
        Where the first step begins, a power of ten; shorter runs are counted in it.
    counts
        Runs in each step, `A_DECADE` steps for each factor of ten.
    zeros
        Runs of exactly 0 s, which no logarithmic scale has.
    """

    from_s: float
    counts: tuple[int, ...]
    zeros: int

    @property
    def to_s(self) -> float:
        """Where the last step ends."""
        return float(self.from_s * 10 ** (len(self.counts) / A_DECADE))


def shape(run_s: Floats) -> Shape | None:
    """The distribution of run times; None where none is above 0."""
    some_s = run_s[run_s > 0]
    if not len(some_s):
        return None
    decades = np.log10(some_s)
    high = int(np.floor(decades.max())) + 1
    low = max(int(np.floor(decades.min())), high - MOST_DECADES)
    steps = (A_DECADE * (decades - low)).clip(0).astype("int64")
    counts = np.bincount(steps, minlength=A_DECADE * (high - low))
    return Shape(float(10.0**low), tuple(counts.tolist()), len(run_s) - len(some_s))
