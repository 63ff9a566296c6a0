"""How heavy the tail of run times is: whether a few jobs are most of the work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jobsim.joblog.describe.times import Floats

FEWEST = 1000
"""With fewer run times the tail is a matter of a handful of jobs."""

TOP = 0.01
EXPONENTIAL_TOP = 0.01 * (1 - float(np.log(0.01)))
"""The share of the work in the longest 1 % of exponential run times: p (1 - ln p), from the mean
beyond the quantile of p, which is the mean larger than that quantile."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The tail index of run times, P(run > x) ~ x^-index, by Hill's estimator.

    Attributes
    ----------
    index
        1 / mean of ln(x_i / x_k+1) over the `k` longest (B. M. Hill, A simple general approach to
        inference about the tail of a distribution, Annals of Statistics 3, 1975). Where runs have
        no power law for a tail, it is that of the power law that fits best beyond `above_s`.
    error
        Its standard error for independent run times, index / sqrt(k).
    k
        How many run times it is of: the longest 1 %, at least 50.
    above_s
        The longest run time that does not count as tail.
    """

    index: float
    error: float
    k: int
    above_s: float

    @property
    def is_heavy(self) -> bool:
        """Below 2, by more than two errors: the variance of such a power law has no bound."""
        return self.index + 2 * self.error < 2


def tail(run_s: Floats) -> Tail | None:
    """The tail of run times, ascending; None where these are too few or the longest all equal."""
    if len(run_s) < FEWEST:
        return None
    k = max(len(run_s) // 100, 50)
    longest_s = run_s[-k - 1 :]
    above_s = float(longest_s[0])
    if above_s <= 0 or float(longest_s[-1]) == above_s:
        return None
    index = 1 / float(np.log(longest_s[1:] / above_s).mean())
    return Tail(index, index / k**0.5, k, above_s)


def top_share(run_s: Floats) -> float | None:
    """The share of all work in the longest 1 % of runs, ascending; None for fewer than 100."""
    total_s, count = float(run_s.sum()), int(TOP * len(run_s))
    if not total_s or not count:
        return None
    return float(run_s[-count:].sum() / total_s)
