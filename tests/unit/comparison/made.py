"""Documents of runs, with the numbers that a test is about."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from jobsim.outcomes import Metrics, measure
from tests.unit.outcomes.made import Story, jobs


def run(name: str = "skip-locked", driver: str = "sim", **changed: Any) -> Metrics:
    """A run of four jobs without a fault; ``wait__p95_s=3`` changes one number of it."""
    story = Story()
    for job in range(1, 5):
        story.attempt(job, job, job, job + 1, job + 1, claiming=job - 0.002)
    story.recorder.counts.update({"lock_waits": 0, "lock_wait_ms": 0, "deadlocks": 0})
    header = {key: changed.pop(key) for key in ("speedup", "family") if key in changed}
    metrics = measure(story.facts(jobs([0, 0, 0, 0])), driver=driver, name=name, **header)
    metrics = deepcopy(metrics)
    for key, number in changed.items():
        group, metric = key.split("__")
        metrics[group][metric] = number
    return metrics
