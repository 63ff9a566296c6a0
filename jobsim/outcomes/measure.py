"""All metrics of one run, as one document."""

from __future__ import annotations

from typing import Any, TypeAlias

from jobsim.outcomes.backlog import backlog
from jobsim.outcomes.by_kind import by_kind
from jobsim.outcomes.contention import contention
from jobsim.outcomes.cost import available_s, cost, worker_busy_s
from jobsim.outcomes.facts import ENDS, Facts
from jobsim.outcomes.integrity import integrity
from jobsim.outcomes.killer import Statements, killer
from jobsim.outcomes.numbers import ratio
from jobsim.outcomes.stuck import stuck
from jobsim.outcomes.waiting import wait

Metrics: TypeAlias = dict[str, Any]
"""One run's metrics, as ``--json`` prints them: numbers, None where something was not measured."""


def measure(
    facts: Facts,
    *,
    driver: str,
    name: str,
    family: str = "queue",
    seed: int | None = None,
    replication: int = 0,
    speedup: float = 1,
    statements: Statements | None = None,
) -> Metrics:
    """Measure one run. All times are in run seconds, as they passed.

    ``throughput_per_s`` counts the jobs that were completed or failed; ``utilisation`` is the share
    of the workers' time that they were at work.
    """
    jobs = job_counts(facts)
    return {
        "driver": driver,
        "name": name,
        "family": family,
        "workers": facts.workers,
        "seed": seed,
        "replication": replication,
        "speedup": speedup,
        "makespan_s": facts.end_s,
        "throughput_per_s": ratio(jobs["completed"] + jobs["failed"], facts.end_s),
        "utilisation": ratio(worker_busy_s(facts), available_s(facts)),
        "jobs": jobs,
        "wait": wait(facts),
        "backlog": backlog(facts),
        "contention": contention(facts),
        "stuck": stuck(facts),
        "integrity": integrity(facts),
        "killer": killer(statements),
        "cost": cost(facts),
        "by_kind": by_kind(facts),
    }


def job_counts(facts: Facts) -> dict[str, int]:
    """How many jobs came to which end; ``attempts`` are those that started."""
    submitted = int(facts.jobs["submitted_s"].notna().sum())
    known = {word: int(facts.ended_as(word).sum()) for word in ENDS if word != "unfinished"}
    return {
        "submitted": submitted,
        **known,
        "unfinished": submitted - sum(known.values()),
        "attempts": int(facts.attempts["started_s"].notna().sum()),
    }
