"""What the playing commands print, save and judge."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from jobsim.errors import UsageError
from jobsim.units import parse_duration_s

if TYPE_CHECKING:
    from jobsim.conditions import Condition
    from jobsim.experiment import Comparison, Progress
    from jobsim.joblog import JobLog


class Part(NamedTuple):
    """The part of a log that the options ask for, and how it is to be read."""

    jobs: int | None
    window: str | None
    seed: int
    mapping: str | None = None
    assume_run: str | None = None

    def of(self, log: str) -> JobLog:
        """Read the log, and take the part."""
        from jobsim.joblog import read_log
        from jobsim.joblog.reading import PLAIN, Reading, load

        assumed_s = None if self.assume_run is None else parse_duration_s(self.assume_run)
        kept = PLAIN if self.mapping is None else load(Path(self.mapping))
        read = read_log(log, seed=self.seed, reading=Reading(assume_run_s=assumed_s).over(kept))
        if self.window is not None:
            read = read.window(*self._span_s(self.window, read))
        return read if self.jobs is None else read.first(self.jobs)

    @staticmethod
    def _span_s(window: str, log: JobLog) -> tuple[float, float]:
        start, dots, end = window.partition("..")
        if not dots:
            raise UsageError(f"--window {window}: write FROM..TO, as 2h..5h")
        last_s = float(log.jobs["submit_s"].max()) + 1
        return (
            parse_duration_s(start) if start else 0.0,
            parse_duration_s(end) if end else last_s,
        )


NARROWEST, WIDE = 100, 120
"""Columns that a table needs, and has where nobody says how wide the output is."""


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress bar on stderr where that is a terminal; a line a phase elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    said: list[str] = []
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task("reading", total=1.0)

        def told(what: str, share: float) -> None:
            bar.update(task, description=what, completed=share)
            if quiet and said[-1:] != [what]:
                said.append(what)
                print(what, file=sys.stderr)

        yield told


def print_comparison(comparison: Comparison) -> None:
    """The table, the regime, a sentence a policy, and what to be careful with."""
    from rich.console import Console

    terminal = Console()
    console = Console(width=max(terminal.width, NARROWEST) if terminal.is_terminal else WIDE)
    console.print(comparison.table())
    if regime := comparison.regime():
        console.print(regime, highlight=False)
    for sentence in comparison.sentences():
        console.print(f"- {sentence}", highlight=False)
    for warning in comparison.warnings():
        console.print(f"! {warning}", highlight=False, style="yellow")
    console.print(f"seed {comparison.results[0].metrics['seed']}", highlight=False)


def save(comparison: Comparison, folder: str) -> None:
    """Save every run with its records, the plots, and the scenario."""
    saved = comparison.save(Path(folder), " ".join(sys.argv))
    typer.echo(f"saved in {folder}: {', '.join(saved)}", err=True)


def judge(comparison: Comparison, conditions: list[Condition]) -> None:
    """Exit with 1 where a condition holds of any run."""
    failed = [
        f"{run['name']} ({run['driver']}): {condition}"
        for condition in conditions
        for run in comparison.metrics
        if run["driver"] != "log" and condition.holds(run)
    ]
    for line in failed:
        typer.echo(f"holds of {line}", err=True)
    if failed:
        raise typer.Exit(1)
