"""How long jobs waited before somebody began with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from jobsim.outcomes.arrays import Flags, Floats
from jobsim.outcomes.facts import Facts
from jobsim.outcomes.numbers import at_percent, mean


def wait(facts: Facts, own: Flags) -> dict[str, Any]:
    """The metrics of waiting of these jobs, in seconds; those that never started have no wait."""
    wait_s = waits_s(facts)
    wait_s = wait_s[own & ~np.isnan(wait_s)]
    return {
        "mean_s": mean(wait_s),
        "p50_s": at_percent(wait_s, 50),
        "p95_s": at_percent(wait_s, 95),
        "p99_s": at_percent(wait_s, 99),
        "max_s": at_percent(wait_s, 100),
        "overtakes": overtakes(facts),
    }


def waits_s(facts: Facts) -> Floats:
    """From due to the start of the first attempt, of each job; NaN where it never started."""
    return np.where(np.isinf(facts.first_start_s), np.nan, facts.first_start_s - facts.due_s)


def overtakes(facts: Facts) -> int | None:
    """First attempts that started while a job that fell due earlier had not been started.

    Jobs are in order of due, so one that is overtaken is seen in the running maximum of the starts
    before; jobs due at the same instant cannot overtake one another. None where there is no queue.
    """
    queued = facts.are("job")
    if not queued.any():
        return None
    due_s, start_s = facts.due_s[queued], facts.first_start_s[queued]
    latest_s = np.maximum.accumulate(np.append(-np.inf, start_s))
    older = np.searchsorted(due_s, due_s, side="left")
    return int((np.isfinite(start_s) & (latest_s[older] > start_s)).sum())
