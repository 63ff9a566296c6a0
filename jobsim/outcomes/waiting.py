"""How long jobs waited before somebody began with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jobsim.outcomes.arrays import Flags, Floats, slices
from jobsim.outcomes.facts import Facts
from jobsim.outcomes.numbers import at_percents, mean


def wait(facts: Facts, own: Flags) -> dict[str, Any]:
    """The metrics of waiting of these jobs, in seconds; those that never started have no wait."""
    names = ("mean_s", "p50_s", "p95_s", "p99_s", "max_s")
    return dict(zip(names, _spread(facts, own), strict=True)) | {"overtakes": overtakes(facts)}


def _spread(facts: Facts, own: Flags) -> list[float | None]:
    wait_s = waits_s(facts)
    wait_s = wait_s[own & ~np.isnan(wait_s)]
    return [mean(wait_s), *at_percents(wait_s, (50, 95, 99, 100))]


def waits_s(facts: Facts) -> Floats:
    """From due to the start of the first attempt, of each job; NaN where it never started."""
    wait_s: Floats = facts.first_start_s - facts.due_s
    wait_s[np.isinf(facts.first_start_s)] = np.nan
    return wait_s


def overtakes(facts: Facts) -> int | None:
    """First attempts that started while a job that fell due earlier had not been started.

    Jobs are in order of due, so one that is overtaken is seen in the running maximum of the starts
    before; jobs due at the same instant cannot overtake one another. None where there is no queue.
    """
    queued = facts.are("job")
    if not queued.any():
        return None
    found, latest_s = 0, np.array([-np.inf])
    for some in _between_instants(facts.due_s):
        mine = queued[some]
        due_s, start_s = facts.due_s[some][mine], facts.first_start_s[some][mine]
        latest_s = np.maximum.accumulate(np.append(latest_s[-1], start_s))
        older = np.searchsorted(due_s, due_s, side="left")
        found += int((np.isfinite(start_s) & (latest_s[older] > start_s)).sum())
    return found


def _between_instants(due_s: Floats) -> Iterator[slice]:
    """Blocks of jobs, those of one instant together."""
    start = 0
    for some in slices(len(due_s)):
        stop = int(np.searchsorted(due_s, due_s[some.stop - 1], side="right"))
        yield slice(start, stop)
        start = max(start, stop)
