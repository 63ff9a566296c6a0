"""The longest times without a submission, and whether they were quiet hours or something else."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jobsim.joblog.describe.times import Floats

SHOWN, LOOKED_AT = 3, 200
"""So many gaps are kept: the longest, then holes, then long ones; of so many longest."""

PERIODS_S = {"weeks": 7 * 86400.0, "days": 86400.0}
FEWEST_OTHERS, MOST_OTHERS = 3, 200

RARE = 0.01
"""A gap that independent arrivals have with a smaller chance than this is a gap worth a word."""

QUIET, BUSY = 0.05, 20
"""The same hours of another week are quiet with at most this share of the jobs that the log's mean
rate has; a gap is no quiet time where none of them is, and most have so many jobs."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time without a submission.

    Attributes
    ----------
    length_s, from_s
        How long, and since when.
    chance
        Of a gap as long anywhere in as many independent arrivals at the log's mean rate:
        1 - (1 - exp(-rate x length))^gaps.
    others, period
        How many other weeks (or days, in a short log) of the log have the same hours; 0, None
        where these are fewer than three.
    others_quiet, others_median
        How many of those had hardly a submission then, and the median of their submissions.
    """

    length_s: float
    from_s: float
    chance: float
    others: int = 0
    period: str | None = None
    others_quiet: int = 0
    others_median: float = 0.0

    @property
    def is_rare(self) -> bool:
        """Whether independent arrivals would hardly have it."""
        return self.chance < RARE

    @property
    def is_hole(self) -> bool:
        """Rare, and the same hours of other weeks or days were busy and never quiet."""
        return (
            self.is_rare
            and self.others >= FEWEST_OTHERS
            and not self.others_quiet
            and self.others_median >= BUSY
        )


def longest_gaps(submit_s: Floats) -> tuple[Gap, ...]:
    """The longest gap between instants, ascending, and others that are holes or nearly as long."""
    gap_s: Floats = np.asarray(np.diff(submit_s))
    count = min(LOOKED_AT, int(np.count_nonzero(gap_s)))
    if not count:
        return ()
    longest = np.argpartition(gap_s, len(gap_s) - count)[-count:]
    ordered = longest[np.lexsort((longest, np.negative(gap_s[longest])))]
    rate_per_s = (_instants(submit_s) - 1) / float(submit_s[-1] - submit_s[0])
    gaps = [_gap(submit_s, float(gap_s[k]), float(submit_s[k]), rate_per_s) for k in ordered]
    kept = [gaps[0], *sorted(gaps[1:], key=lambda gap: not gap.is_hole)[: SHOWN - 1]]
    return tuple(sorted(kept, key=lambda gap: -gap.length_s))


def expected_gap_s(submit_s: Floats) -> float | None:
    """The longest gap that as many independent arrivals have on average.

    It is the mean of the greatest of n exponential times, (1 + 1/2 + ... + 1/n) / rate, or nearly
    (ln n + 0.5772) / rate; jobs submitted at one instant count once.
    """
    count = _instants(submit_s) - 1
    if count < 1:
        return None
    harmonic = math.log(count) + np.euler_gamma + 1 / (2 * count)
    return float(harmonic * (submit_s[-1] - submit_s[0]) / count)


def _gap(submit_s: Floats, length_s: float, from_s: float, rate_per_s: float) -> Gap:
    count = rate_per_s * float(submit_s[-1] - submit_s[0])
    chance = -math.expm1(count * math.log1p(-min(math.exp(-rate_per_s * length_s), 0.999999)))
    if chance >= RARE:
        return Gap(length_s, from_s, chance)
    quiet = QUIET * length_s * len(submit_s) / float(submit_s[-1] - submit_s[0])
    for period, period_s in PERIODS_S.items():
        others = _others(submit_s, length_s, from_s, period_s)
        if len(others) >= FEWEST_OTHERS:
            median = float(np.median(others))
            are_quiet = int((others <= quiet).sum())
            return Gap(length_s, from_s, chance, len(others), period, are_quiet, median)
    return Gap(length_s, from_s, chance)


def _others(submit_s: Floats, length_s: float, from_s: float, period_s: float) -> Floats:
    """How many were submitted in the same hours of each other period that the log has in full."""
    before = min((from_s - submit_s[0]) // period_s, MOST_OTHERS)
    after = min((submit_s[-1] - from_s - length_s) // period_s, MOST_OTHERS)
    away = np.arange(-before, after + 1)
    starts_s = from_s + period_s * away[np.abs(away) * period_s >= length_s]
    # What is submitted at the very end of a gap ends it, and so is not in it.
    counts = np.searchsorted(submit_s, starts_s + length_s, side="left") - np.searchsorted(
        submit_s, starts_s, side="right"
    )
    return np.asarray(counts, dtype="float64")


def _instants(submit_s: Floats) -> int:
    return int(np.count_nonzero(np.diff(submit_s))) + 1
