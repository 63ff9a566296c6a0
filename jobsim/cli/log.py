"""``jobsim log``: look at job logs, convert them, list the recorded ones."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from jobsim.cli.options import Json, LogName, Seed

app = typer.Typer(
    help="Look at job logs, convert them, list the recorded ones.", no_args_is_help=True
)

Format = Annotated[
    str | None, typer.Option("--format", help="The file's format, where it is not recognised.")
]


@app.command()
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


@app.command()
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


@app.command("list")
def list_samples(as_json: Json = False) -> None:
    """List the recorded samples."""
    from jobsim.joblog import read_log, samples

    rows = []
    for name in samples.paths():
        read = read_log(name)
        span_s = float(read.jobs["submit_s"].max())
        rows.append({"name": name, "jobs": len(read), "span_s": round(span_s, 3)})
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        typer.echo(f"{row['name']:<16} {row['jobs']} jobs over {row['span_s']:.0f} s")
