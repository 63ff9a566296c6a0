"""What a run cost: workers' time, statements, memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from jobsim.outcomes.arrays import Floats, Rows, slices
from jobsim.outcomes.facts import Facts
from jobsim.outcomes.work import at_work


def cost(facts: Facts) -> dict[str, Any]:
    """The metrics of cost; None what the driver did not count, and workers without a queue."""
    counted = {name: facts.counts.get(name) for name in COUNTED}
    if not facts.are("job").any():
        return {"worker_busy_s": None, "worker_idle_s": None, **counted}
    busy_s = worker_busy_s(facts)
    return {"worker_busy_s": busy_s, "worker_idle_s": available_s(facts) - busy_s, **counted}


COUNTED = ("statements", "peak_memory_mb", "wall_s", "events")
"""What only the driver can tell: statements sent, the highest memory of a worker, how long the run
took by the clock on the wall, and the events that a simulation made for it."""


def worker_busy_s(facts: Facts) -> float:
    """Time at work on the queue's jobs, pauses left out."""
    attempts = len(facts.attempts)
    spent_s = [_spent_s(facts, np.arange(some.start, some.stop)) for some in slices(attempts)]
    return float(np.concatenate(spent_s).sum()) if spent_s else 0.0


def _spent_s(facts: Facts, rows: Rows) -> Floats:
    """How long each stretch of work at the queue's jobs took, of these attempts."""
    work = at_work(facts, rows)
    mine = facts.are("job")[facts.at[work.attempt]]
    spent_s: Floats = np.minimum(work.to_s, facts.end_s) - work.from_s
    return spent_s[mine].clip(min=0.0)


def available_s(facts: Facts) -> float:
    """All the workers' time, the dead ones' included."""
    return facts.workers * facts.end_s
