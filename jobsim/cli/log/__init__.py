"""``jobsim log``: look at job logs, convert, fetch and share them."""

from __future__ import annotations

import typer

from jobsim.cli.log import anonymise, convert, describe, fetch, formats, samples

app = typer.Typer(help="Look at job logs, convert, fetch and share them.", no_args_is_help=True)
app.command()(describe.describe)
app.command()(convert.convert)
app.command("list")(samples.list_samples)
app.command()(formats.formats)
app.command()(fetch.fetch)
app.command()(anonymise.anonymise)
