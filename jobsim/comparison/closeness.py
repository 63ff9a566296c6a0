"""How close the simulation is to the live run, policy by policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jobsim.comparison.values import by_policy, value
from jobsim.outcomes import Metrics

if TYPE_CHECKING:
    from rich.table import Table

COMPARED = {
    "throughput_per_s": "throughput",
    "wait.mean_s": "mean wait",
    "wait.p95_s": "p95 wait",
    "wait.p99_s": "p99 wait",
    "backlog.mean": "mean backlog",
    "backlog.oldest_age_max_s": "oldest age",
    "contention.lock_waits": "lock waits",
    "contention.lock_wait_s": "lock wait",
    "contention.deadlocks": "deadlocks",
    "contention.claim_p50_s": "claim, median",
    "contention.claim_p99_s": "claim, p99",
    "stuck.total_s": "stuck time",
    "integrity.duplicates": "duplicates",
    "killer.kills": "kills",
    "cost.statements": "statements",
}
"""The metrics that are compared, and what they are called."""


def how_close(runs: Sequence[Metrics]) -> dict[str, dict[str, float | None]]:
    """Simulated over live, of each policy that was played on both; 1 is the same.

    None where the live run has none of it, or one of the two did not measure it.
    """
    return {
        name: {metric: _ratio(drivers["sim"], drivers["live"], metric) for metric in COMPARED}
        for name, drivers in by_policy(runs).items()
        if {"sim", "live"} <= drivers.keys()
    }


def _ratio(simulated: Metrics, live: Metrics, metric: str) -> float | None:
    ours, theirs = value(simulated, metric), value(live, metric)
    return None if ours is None or not theirs else ours / theirs


def how_close_table(runs: Sequence[Metrics]) -> Table:
    """The same as a table, a row a metric, without those that nobody has."""
    from rich import box
    from rich.table import Table

    ratios = how_close(runs)
    table = Table(title="Simulated over live", box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("")
    for name in ratios:
        table.add_column(name, justify="right")
    for metric, called in COMPARED.items():
        row = [of_policy[metric] for of_policy in ratios.values()]
        if any(ratio is not None for ratio in row):
            table.add_row(called, *map(_shown, row))
    return table


def _shown(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"
