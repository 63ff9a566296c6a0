"""``jobsim log convert``."""

from __future__ import annotations

from typing import Annotated

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
from jobsim.cli.options import AssumeRun, LogName, MappingOption, Seed


def convert(
    log: LogName,
    output: Annotated[str, typer.Option("--output", "-o", help="A .csv or .parquet file.")],
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
) -> None:
    """Write a log as jobsim's own CSV or Parquet.

    What was guessed, dropped or mended is said on stderr. Of a schedule (a crontab, systemd
    timers, Windows tasks) it writes the plan of its firings from --from on, --for so long.
    """
    from jobsim.joblog import read_log, write

    said = reading(
        map, unit, status, zone, mapping, table, query, assume_run, begin=begin, span=span
    )
    read = read_log(log, format=format, seed=seed, reading=said)
    write(read, output)
    for note in read.notes:
        typer.echo(f"{note.count:>9,} {note.reason}", err=True)
    typer.echo(f"{len(read)} jobs written to {output}", err=True)
