"""``jobsim log convert``."""

from __future__ import annotations

from typing import Annotated

import typer

from jobsim.cli.log.options import Format
from jobsim.cli.options import LogName, Seed


def convert(
    log: LogName,
    output: Annotated[str, typer.Option("--output", "-o", help="A .csv or .parquet file.")],
    format: Format = None,  # noqa: A002
    seed: Seed = 1,
) -> None:
    """Write a log as jobsim's own CSV or Parquet."""
    from jobsim.joblog import read_log, write

    read = read_log(log, format=format, seed=seed)
    write(read, output)
    typer.echo(f"{len(read)} jobs written to {output}", err=True)
