"""How near to its limits the queue's table was: whether lock contention can be a problem at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import Any

import numpy as np

from jobsim.joblog.describe import SHORT_S
from jobsim.outcomes.arrays import Floats

WINDOW_S = 1.0


@dataclass(frozen=True, slots=True)
class Regime:
    """The load against what the database can do.

    Attributes
    ----------
    needed_per_s
        Starts in the busiest second, had claims cost nothing: what the policy must manage.
    capacity_per_s
        Claims that can be made one after another: 1 / the median claim of the run where it was
        least. None where no claim was timed, inf where claims cost nothing.
    database_share
        Share of the time that the database was at work: as told, else estimated from the claims
        alone.
    short_share
        Share of the jobs shorter than 10 ms.
    """

    needed_per_s: float
    capacity_per_s: float | None
    database_share: float | None
    short_share: float

    @property
    def load(self) -> float | None:
        """Needed starts as a share of the capacity."""
        return None if self.capacity_per_s is None else self.needed_per_s / self.capacity_per_s


def regime_of(
    due_s: Floats,
    run_s: Floats,
    workers: int,
    runs: Sequence[dict[str, Any]],
    database_share: float | None = None,
) -> Regime:
    """The regime of a load (run seconds, ascending) under the runs that were made of it."""
    claims = [(run["contention"], run["makespan_s"]) for run in runs if run["driver"] != "log"]
    medians_s = [_plain(c["claim_p50_s"]) for c, _ in claims]
    claim_s = min((s for s in medians_s if s is not None), default=None)
    if database_share is None and claim_s is not None:
        rates = [_plain(c["claims"]) / _plain(end_s) for c, end_s in claims if _plain(end_s)]
        database_share = max(rates, default=0.0) * claim_s
    return Regime(
        needed_per_s=busiest(needed_starts_s(due_s, run_s, workers)) / WINDOW_S,
        capacity_per_s=None if claim_s is None else 1 / claim_s if claim_s > 0 else np.inf,
        database_share=database_share,
        short_share=float(np.mean(run_s < SHORT_S)) if len(run_s) else 0.0,
    )


def needed_starts_s(due_s: Floats, run_s: Floats, workers: int) -> Floats:
    """When each job would start if claims cost nothing, first come first served."""
    free_s = [0.0] * workers
    heapify(free_s)
    starts_s = np.empty(len(due_s))
    for job, (due, run) in enumerate(zip(due_s.tolist(), run_s.tolist(), strict=True)):
        start = starts_s[job] = max(due, free_s[0])
        heapreplace(free_s, start + run)
    return starts_s


def busiest(instants_s: Floats, window_s: float = WINDOW_S) -> int:
    """The greatest number of instants in any window of this length."""
    ordered = np.sort(instants_s)
    until = np.searchsorted(ordered, ordered + window_s, side="left")
    return int((until - np.arange(len(ordered))).max(initial=0))


def _plain(value: Any) -> Any:
    """A number, of one run or of replications."""
    return value["mean"] if isinstance(value, dict) else value
