"""``jobsim record run``."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobsim.cli import options as opt
from jobsim.cli.guard import INTERRUPTED
from jobsim.cli.record.options import log_path, say
from jobsim.errors import JobsimError, UsageError

if TYPE_CHECKING:
    from jobsim.live.record import Progress
    from jobsim.record.commands import Recording

ONE = "jobsim record run --append jobs.csv -- COMMAND"
MANY = "jobsim record run --file commands.txt --processes 4 -o jobs.csv"
TELL_S = 10.0


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
            help="With --append: when it was due, as 2026-12-01T03:00:00 (local time) or seconds "
            "since 1970. Without it the start stands for it, and the log knows no wait.",
        ),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            metavar="COMMANDS",
            help="Run each line of this file as a job. '@90s COMMAND' is submitted 90 s after the "
            "beginning; lines that begin with # are passed over.",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, help="With --file: how many worker processes run them.")
    ] = 4,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="LOG", help="With --file: a .csv or .parquet file."),
    ] = None,
    queue: Annotated[
        str, typer.Option(metavar="NAME", help="With --file: the queue that workers take from.")
    ] = "skip-locked",
    database: opt.DatabaseUrl = None,
    scratch: opt.Scratch = False,
    yes: opt.Yes = False,
) -> None:
    """Run a command, or a list of commands, and record start, run time, outcome and peak memory.

    jobsim record run --append cron.csv -- php x.php

    stands in a crontab in place of php x.php: same stdin, stdout, stderr and exit status (128 + n
    after signal n, 127 not found, 126 not executable), and signals reach it. One line is added to
    cron.csv, also when the command or this wrapper is ended by a signal. Only a wrapper that is
    killed with SIGKILL writes nothing; on Linux its command is then killed too. If the log cannot
    be written, stderr says so and the exit status is still the command's. Several crons may write
    to one log at once.

    jobsim record run --file commands.txt --processes 4 -o jobs.csv

    runs each line by /bin/sh as a job of a live queue, on a throw-away server or in --database.
    Workers that have nothing to do look once a second. What the commands print is thrown away,
    unless their line says where to. A command that fails is a failed job in the log, and the exit
    status is still 0; it is 1 if none has ended. Ctrl-C stops all commands and writes what has
    ended (exit status 130).
    """
    if append is not None and file is not None:
        raise UsageError(f"either --append or --file: {ONE}, or {MANY}")
    if file is not None:
        if command:
            raise UsageError(f"--file takes its commands from the file: {MANY}")
        if output is None:
            raise UsageError(f"say where the log goes: {MANY}")
        _record_file(Path(file), log_path(output), kind, processes, queue, (database, scratch, yes))
        return
    if append is None:
        raise UsageError(f"say where the record goes: {ONE}")
    if not command:
        raise UsageError(f"no command to run: {ONE}")
    from jobsim.record.wrap import wrap

    raise typer.Exit(wrap(command, append, kind, submitted))


class NothingRanError(JobsimError):
    """No command has ended."""

    exit_code = 1


def _record_file(
    file: Path,
    output: Path,
    kind: str | None,
    processes: int,
    queue: str,
    place: tuple[str | None, bool, bool],
) -> None:
    from jobsim.live.database import open_database
    from jobsim.record.command_file import read_commands
    from jobsim.record.commands import record_jobs

    jobs = read_commands(file, kind)
    url, scratch, yes = place
    database = None if url is None else open_database(url, scratch=scratch, yes=yes)
    say(f"{len(jobs):,} commands, {processes} at a time; Ctrl-C stops them and writes the log")
    recording = record_jobs(
        jobs, name=file.stem, workers=processes, queue=queue, database=database, tell=_teller()
    )
    _finish(recording, output)


def _finish(recording: Recording, output: Path) -> None:
    from jobsim.joblog import write

    outcomes = recording.log.jobs["outcome"].value_counts()
    processor = recording.live.processor
    if processor is not None and processor.cpu_bound:
        say("! the machine was busy throughout: run times are those under that load")
    if not recording.live.ran:
        raise NothingRanError(f"no command has ended ({recording.live.ended}); no log is written")
    write(recording.log, output)
    say(f"{outcomes['completed']:,} completed, {outcomes['failed']:,} failed,"
        f" {outcomes['unknown']:,} not over; written to {output}")  # fmt: skip
    if recording.interrupted:
        raise typer.Exit(INTERRUPTED)


def _teller() -> Callable[[Progress], None]:
    """Says now and then how far the commands are."""
    told_s = time.monotonic()

    def tell(now: Progress) -> None:
        nonlocal told_s
        if time.monotonic() >= told_s + TELL_S:
            told_s = time.monotonic()
            say(
                f"{now.t_s:.0f} s: {now.submitted:,} submitted, {now.final:,} over, of {now.jobs:,}"
            )

    return tell
