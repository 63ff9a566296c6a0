"""All metrics of one run, as one document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from jobsim.memory import give_memory_back
from jobsim.outcomes.arrays import Flags
from jobsim.outcomes.backlog import backlog
from jobsim.outcomes.by_kind import by_kind
from jobsim.outcomes.contention import contention
from jobsim.outcomes.cost import available_s, cost
from jobsim.outcomes.facts import WHAT, Facts
from jobsim.outcomes.integrity import integrity
from jobsim.outcomes.killer import Limits, killed
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
    limits: Limits | None = None,
) -> Metrics:
    """Measure one run. All times are in run seconds, as they passed.

    Parameters
    ----------
    family
        What the run compares: waits and backlog are those of the rows that this family plays.
    limits
        The killer's, where there was one.

    Returns
    -------
    The document. ``throughput_per_s`` counts the jobs that were completed or failed;
    ``utilisation`` is the share of the workers' time that they were at work.
    """
    jobs, own = job_counts(facts), rows_of_family(facts, family)
    piled_up = _found(backlog, facts, own)  # takes the most memory, so before more is kept
    spent = _found(cost, facts)
    busy_s = spent["worker_busy_s"]
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
        "utilisation": None if busy_s is None else ratio(busy_s, available_s(facts)),
        "jobs": jobs,
        "wait": _found(wait, facts, own),
        "backlog": piled_up,
        "contention": _found(contention, facts),
        "stuck": _found(stuck, facts),
        "integrity": _found(integrity, facts),
        "killer": _found(killed, facts, limits),
        "cost": spent,
        "by_kind": _found(by_kind, facts),
    }


def _found(find: Callable[..., Metrics], facts: Facts, *arguments: Any) -> Metrics:
    """One group of metrics, found after the room that others took was given back."""
    give_memory_back(len(facts.jobs))
    return find(facts, *arguments)


FAMILIES = dict(zip(("queue", "lease", "killer"), WHAT, strict=True))
"""What a row of the log is for each family."""


def rows_of_family(facts: Facts, family: str) -> Flags:
    """The jobs that a family plays; all of them where there is none of its own."""
    own = facts.are(FAMILIES[family])
    return own if own.any() else ~own


def job_counts(facts: Facts) -> dict[str, int]:
    """How many jobs came to which end; ``attempts`` are those that started.

    A statement that was killed has failed. ``skipped``: a lease kept it from running.
    """
    submitted = int(facts.jobs["submitted_s"].notna().sum())
    ended = {
        "completed": int(facts.ended_as("completed").sum()),
        "failed": int(facts.ended_as("failed", "killed").sum()),
        "dead": int(facts.ended_as("dead").sum()),
    }
    skipped = int(facts.ended_as("skipped").sum())
    return {
        "submitted": submitted,
        **ended,
        "unfinished": submitted - sum(ended.values()) - skipped,
        "attempts": int(facts.attempts["started_s"].notna().sum()),
        "skipped": skipped,
    }
