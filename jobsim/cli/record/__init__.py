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
    short_help="Run a command, or a list of them, and log the run.",
    options_metavar="(--append LOG -- COMMAND... | --file COMMANDS -o LOG) [OPTIONS]",
)(run.run)
app.command("table", short_help="Watch a queue table and log what becomes of its rows.")(
    table.table
)
app.command("processlist", short_help="Watch a server and log its statements, for a killer.")(
    processlist.processlist
)
