"""``jobsim log describe``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from jobsim.cli.options import Json, LogName, Seed
from jobsim.cli.output import WIDE
from jobsim.cli.reading import ReadingOptions
from jobsim.cli.splice import spliced

if TYPE_CHECKING:
    from jobsim.joblog.describe import Description


@spliced
def describe(
    log: LogName,
    reading: ReadingOptions,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Say what a log holds and what it can answer.

    Every column that was guessed and every row that was dropped, mended or is doubtful is
    listed, with its number. Of a log that cannot answer anything it says why, and the command
    that records one that can (exit status 2).
    """
    from jobsim.joblog.describe import check_answers
    from jobsim.joblog.describe import describe as described

    read = reading.of(log).read(seed)
    description = described(read)
    if as_json:
        typer.echo(json.dumps(description.to_dict(), indent=1))
    else:
        _print(description)
    check_answers(read)


def _print(description: Description) -> None:
    """The description as a table, as wide as the terminal is."""
    from rich.console import Console

    from jobsim.joblog.describe import describe_table

    terminal = Console()
    console = terminal if terminal.is_terminal else Console(width=WIDE)
    console.print(describe_table(description, ascii_only=console.options.ascii_only))
