"""The table: one row a policy and driver, below what the log says of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jobsim.comparison.values import count, duration, half_width, level, speedup_of, value
from jobsim.outcomes import Metrics

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its head, the metric, how it is written, whether the log's pace stretches it."""

    head: str
    metric: str
    write: Callable[[float | None], str]
    paced: bool = False


LOCKS = (
    Column("lock\nwaits", "contention.lock_waits", count),
    Column("lock\ntime", "contention.lock_wait_s", duration),
    Column("dead-\nlocks", "contention.deadlocks", count),
)
BACKLOG = (
    Column("backlog\nmean", "backlog.mean", level),
    Column("backlog\nmax", "backlog.max", count),
)
WAITS = (
    Column("wait\np95", "wait.p95_s", duration, paced=True),
    Column("wait\np99", "wait.p99_s", duration, paced=True),
)
STUCK = Column("\nstuck", "stuck.total_s", duration, paced=True)

COLUMNS: dict[str, tuple[Column, ...]] = {
    "queue": (
        *LOCKS,
        *BACKLOG,
        Column("oldest\nage", "backlog.oldest_age_max_s", duration, paced=True),
        STUCK,
        Column("dupli-\ncates", "integrity.duplicates", count),
        *WAITS,
    ),
    "lease": (
        *LOCKS,
        Column("\nruns", "jobs.attempts", count),
        Column("\nskipped", "jobs.skipped", count),
        Column("over-\nlaps", "integrity.overlaps", count),
        Column("zombie\nfinishes", "integrity.zombie_finishes", count),
        STUCK,
        Column("longest\nstuck", "stuck.max_s", duration, paced=True),
        *WAITS,
    ),
    "killer": (
        *LOCKS,
        Column("\nkills", "killer.kills", count),
        Column("inno-\ncent", "killer.innocent", count),
        Column("killed\nneedlessly", "killer.needlessly_killed_s", duration, paced=True),
        Column("\nstall", "killer.stall_s", duration, paced=True),
        Column("com-\npleted", "jobs.completed", count),
        *WAITS,
    ),
}
"""What is worth comparing, by family."""


def comparison_table(runs: Sequence[Metrics]) -> Table:
    """The runs as a table for a terminal of 100 columns or more.

    Where the runs were played faster than the log, a time stands as it passed in the run, and below
    it in the log's time; of replications each number is a mean, with its 95 % bounds below.
    """
    from rich import box
    from rich.table import Table

    played = [run for run in runs if run["driver"] != "log"]
    columns = COLUMNS[played[0]["family"] if played else "queue"]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=0, caption=_caption(runs))
    table.caption_justify = "left"
    table.add_column("\npolicy", no_wrap=True)
    table.add_column("\non", no_wrap=True)
    for column in columns:
        table.add_column(column.head, justify="right", overflow="fold")
    speedup = speedup_of(runs)
    for at, run in enumerate(runs):
        last = at + 1 == len(runs) or runs[at + 1]["name"] != run["name"]
        cells = [_cell(run, column, speedup) for column in columns]
        table.add_row(run["name"], run["driver"], *cells, end_section=last and len(played) > 1)
    return table


def _cell(run: Metrics, column: Column, speedup: float) -> str:
    """A number; where they apply, the log's time and the bounds below it."""
    number = value(run, column.metric)
    if number is None:
        return "[dim]-[/]"
    lines = [column.write(number)]
    if column.paced and speedup != 1:
        slow = number if run["driver"] == "log" else number * speedup
        shown = "" if run["driver"] == "log" else lines[0]
        lines = [shown, f"[dim]{column.write(slow)}[/]"]
    bounds = half_width(run, column.metric)
    if bounds is not None:
        lines.append(f"[dim]±{column.write(bounds)}[/]")
    return "\n".join(lines)


def _caption(runs: Sequence[Metrics]) -> str | None:
    speedup = speedup_of(runs)
    notes = []
    if speedup != 1:
        notes.append(
            f"Played {speedup:g} times as fast as the log. Waits, ages and stuck times: as they "
            "passed in the run,\nand below it in the log's time. Lock waits and the backlog are "
            "those of a system that many times busier."
        )
    if any("replications" in run for run in runs):
        number = max(run.get("replications", 1) for run in runs)
        notes.append(f"Means of {number} replications, ± to their 95 % bounds.")
    return "\n".join(notes) or None
