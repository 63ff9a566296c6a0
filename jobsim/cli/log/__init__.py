"""``jobsim log``: look at job logs, convert them, list the recorded ones."""

from __future__ import annotations

import typer

from jobsim.cli.log import convert, describe, samples

app = typer.Typer(
    help="Look at job logs, convert them, list the recorded ones.", no_args_is_help=True
)
app.command()(describe.describe)
app.command()(convert.convert)
app.command("list")(samples.list_samples)
