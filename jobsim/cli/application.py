"""The command line as a whole: every command, and what holds for all of them."""

from __future__ import annotations

from typing import Annotated

import typer

from jobsim.cli import compare, explain, log, policies, record, runs, status
from jobsim.cli.guard import guarded

HELP = """Replay a real job log under any queue, lease or query killer, simulated and live.

Begin with jobsim log describe LOG, then jobsim compare LOG. Where there is no log, jobsim record
makes one; jobsim log list names a sample to try.
"""

app = typer.Typer(
    name="jobsim",
    help=HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(log.app, name="log")
app.add_typer(record.app, name="record", short_help="Make a job log where there is none.")
for module in (policies, explain, runs, compare, status):
    module.add_to(app)


@app.callback(help=HELP)
def main(
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback with an error.")] = False,
) -> None:
    guarded.debug = debug
