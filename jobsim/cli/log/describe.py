"""``jobsim log describe``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from jobsim.cli.log.options import (
    Format,
    ForSpan,
    FromDate,
    MapOption,
    QueryOption,
    StatusOption,
    TableOption,
    UnitOption,
    ZoneOption,
    reading,
)
from jobsim.cli.options import AssumeRun, Json, LogName, MappingOption, Seed
from jobsim.cli.output import WIDE

if TYPE_CHECKING:
    from jobsim.joblog.describe import Description


def describe(
    log: LogName,
    format: Format = None,  # noqa: A002
    map: MapOption = None,  # noqa: A002
    unit: UnitOption = None,
    status: StatusOption = None,
    zone: ZoneOption = None,
    mapping: MappingOption = None,
    table: TableOption = None,
    query: QueryOption = None,
    assume_run: AssumeRun = None,
    begin: FromDate = None,
    span: ForSpan = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Say what a log holds and what it can answer.

    Every column that was guessed and every row that was dropped, mended or is doubtful is
    listed, with its number. A log that cannot answer is refused with the command that records
    one that can.
    """
    from jobsim.joblog import read_log
    from jobsim.joblog.describe import describe as described

    said = reading(
        map, unit, status, zone, mapping, table, query, assume_run, begin=begin, span=span
    )
    description = described(read_log(log, format=format, seed=seed, reading=said))
    if as_json:
        typer.echo(json.dumps(description.to_dict(), indent=1))
    else:
        _print(description)


def _print(description: Description) -> None:
    """The description as a table, as wide as the terminal is."""
    from rich.console import Console

    from jobsim.joblog.describe import describe_table

    terminal = Console()
    console = terminal if terminal.is_terminal else Console(width=WIDE)
    console.print(describe_table(description, ascii_only=console.options.ascii_only))
