"""What the playing commands print, save and judge."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from jobsim.cli.playing import Results
from jobsim.errors import UsageError

if TYPE_CHECKING:
    from jobsim.conditions import Condition
    from jobsim.experiment import Comparison, Log, Progress
    from jobsim.joblog import JobLog
    from jobsim.scenario import Scenario

NARROWEST, WIDE = 100, 120
"""Columns that a table needs, and has where nobody says how wide the output is."""


def played(log: Log, scenarios: Sequence[Scenario], results: Results, **options: Any) -> None:
    """Play, print, save, judge: what every playing command does."""
    from jobsim.conditions import parse_condition
    from jobsim.experiment import compare

    conditions = [parse_condition(text) for text in results.fail_if or []]
    if results.output is not None:
        check_folder(results.output)
    with progress_bar() as progress:
        comparison = compare(log, scenarios, progress=progress, **options)
    for read in comparison.logs.values():
        typer.echo(how_read(read), err=True)
    if results.as_json:
        typer.echo(json.dumps(comparison.to_dict(), indent=1))
        for warning in comparison.warnings():
            typer.echo(f"! {warning}", err=True)
    else:
        print_comparison(comparison)
    if results.output is not None:
        save(comparison, results.output)
    judge(comparison, conditions)


def how_read(log: JobLog) -> str:
    """In one line, what was read: the jobs, what was changed, and what else was noted."""
    from jobsim.words import counted

    rows, notes = Counter[str](), Counter[str]()
    for note in log.notes:
        kind = note.reason.partition(":")[0]
        rows[kind] += note.count
        notes[kind] += 1
    counts = {kind: rows[kind] for kind in ("dropped", "mended", "assumed")}
    counts |= {"columns guessed": notes["guessed"], "remarks": notes["marked"]}
    told = ", ".join(f"{what} {count:,}" for what, count in counts.items() if count)
    more = f"; on reading: {told} (jobsim log describe has each reason)" if told else ""
    return f"{log.name}: {counted(len(log), 'job')}{more}"


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


def check_folder(folder: str) -> None:
    """A UsageError, before anything is played, if the folder of the results cannot be made."""
    path = Path(folder).absolute()
    there = next(each for each in (path, *path.parents) if each.exists())
    if not (there.is_dir() and os.access(there, os.W_OK)):
        raise UsageError(f"-o {folder}: cannot be written: {there} is no folder, or is closed")


def save(comparison: Comparison, folder: str) -> None:
    """Save every run with its records, the plots, and the scenario."""
    saved = comparison.save(Path(folder), command_line())
    typer.echo(f"saved in {folder}: {', '.join(saved)}", err=True)


def command_line() -> str:
    """What was typed, so that it can be typed again; without the passwords of databases."""
    return shlex.join(re.sub(r"(://[^:/@]*):[^/]*@", r"\1:***@", word) for word in sys.argv)


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
