"""The anchor of the speed figures: an M/M/4 queue as SimPy's own examples write it.

A resource with four places, one process a job.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import simpy

from jobsim.joblog import JobLog


def mean_wait_s(log: JobLog, servers: int = 4) -> float:
    """Play the log through the textbook's queue; the mean wait."""
    env = simpy.Environment()
    resource = simpy.Resource(env, servers)
    waits: list[float] = []

    def job(run_s: float) -> Generator[Any, Any, None]:
        due_s = env.now
        with resource.request() as request:
            yield request
            waits.append(env.now - due_s)
            yield env.timeout(run_s)

    def source() -> Generator[Any, Any, None]:
        last_s = 0.0
        for submit_s, run_s in zip(submits_s, runs_s, strict=True):
            yield env.timeout(submit_s - last_s)
            last_s = submit_s
            env.process(job(run_s))

    submits_s, runs_s = log.jobs["submit_s"].tolist(), log.jobs["run_s"].tolist()
    env.process(source())
    env.run()
    return sum(waits) / len(waits)
