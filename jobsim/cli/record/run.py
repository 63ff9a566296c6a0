"""``jobsim record run``."""

from __future__ import annotations

from typing import Annotated

import typer

from jobsim.errors import UsageError

AS = "jobsim record run --append jobs.csv -- COMMAND"


def run(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND...", help="With --append: the command, after --."),
    ] = None,
    append: Annotated[
        str | None,
        typer.Option(metavar="LOG", help="Run COMMAND and add one line on it to this CSV log."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="What the log calls the work [default: the command's name].")
    ] = None,
    submitted: Annotated[
        str | None,
        typer.Option(
            metavar="INSTANT",
            help="When it was due, as 2026-12-01T03:00:00 (local time) or seconds since 1970. "
            "Without it the start stands for it, and the log knows no wait.",
        ),
    ] = None,
) -> None:
    """Run a command, or a list of commands, and record start, run time, outcome and peak memory.

    jobsim record run --append cron.csv -- php x.php

    stands in a crontab in place of php x.php: same stdin, stdout, stderr and exit status (128 + n
    after signal n, 127 not found, 126 not executable), and signals reach it. One line is added to
    cron.csv, also when the command or this wrapper is ended by a signal. Only a wrapper that is
    killed with SIGKILL writes nothing; on Linux its command is then killed too. If the log cannot
    be written, stderr says so and the exit status is still the command's. Several crons may write
    to one log at once.
    """
    if append is None:
        raise UsageError(f"say where the record goes: {AS}")
    if not command:
        raise UsageError(f"no command to run: {AS}")
    from jobsim.record.wrap import wrap

    raise typer.Exit(wrap(command, append, kind, submitted))
