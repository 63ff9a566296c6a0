"""``jobsim log``: look at job logs, convert, fetch and share them."""

from __future__ import annotations

import typer

from jobsim.cli.log import anonymise, convert, describe, fetch, formats, samples
from jobsim.cli.panels import Panelled

app = typer.Typer(help="Look at job logs, convert, fetch and share them.", no_args_is_help=True)
app.command(cls=Panelled)(describe.describe)
app.command(cls=Panelled)(convert.convert)
app.command("list", short_help="List the recorded samples.")(samples.list_samples)
app.command()(formats.formats)
app.command()(fetch.fetch)
app.command(cls=Panelled)(anonymise.anonymise)
