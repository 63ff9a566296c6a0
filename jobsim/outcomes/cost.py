"""What a run cost: workers' time, statements, memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from jobsim.outcomes.facts import Facts, column


def cost(facts: Facts) -> dict[str, Any]:
    """The metrics of cost; what the driver did not count is None."""
    busy_s = worker_busy_s(facts)
    counted = {name: facts.counts.get(name) for name in COUNTED}
    return {"worker_busy_s": busy_s, "worker_idle_s": available_s(facts) - busy_s, **counted}


COUNTED = ("statements", "peak_memory_mb", "wall_s", "events")
"""What only the driver can tell: statements sent, the highest memory of a worker, how long the run
took by the clock on the wall, and the events that a simulation made for it."""


def worker_busy_s(facts: Facts) -> float:
    """Time at work: from each start to its end, else to the worker's death or the run's end."""
    attempts = facts.attempts
    stopped_s = np.where(attempts["ended_s"].notna(), attempts["ended_s"], attempts["gone_s"]).clip(
        max=facts.end_s
    )
    return float(np.nansum(stopped_s - column(attempts, "started_s")))


def available_s(facts: Facts) -> float:
    """All the workers' time, the dead ones' included."""
    return facts.workers * facts.end_s
