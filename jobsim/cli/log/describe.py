"""``jobsim log describe``."""

from __future__ import annotations

import json

import typer

from jobsim.cli.log.options import Format
from jobsim.cli.options import Json, LogName, Seed


def describe(log: LogName, format: Format = None, seed: Seed = 1, as_json: Json = False) -> None:  # noqa: A002
    """Say what a person wants to know of a log before trusting it."""
    from jobsim.joblog import read_log
    from jobsim.joblog.describe import describe as described
    from jobsim.joblog.describe import describe_table

    description = described(read_log(log, format=format, seed=seed))
    if as_json:
        typer.echo(json.dumps(description.to_dict(), indent=1))
        return
    from rich.console import Console

    Console().print(describe_table(description))
