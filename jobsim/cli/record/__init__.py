"""``jobsim record``: make a job log where there is none."""

from __future__ import annotations

import typer

from jobsim.cli.record import processlist, run, table

app = typer.Typer(
    help="Make a job log where there is none: by running commands, by watching a table, by "
    "watching a server.",
    no_args_is_help=True,
)
app.command(
    "run",
    context_settings={"allow_interspersed_args": False},
    options_metavar="(--append LOG -- COMMAND... | --file COMMANDS -o LOG) [OPTIONS]",
)(run.run)
app.command("table")(table.table)
app.command("processlist")(processlist.processlist)
