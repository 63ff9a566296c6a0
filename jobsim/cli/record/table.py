"""``jobsim record table``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jobsim.cli.guard import INTERRUPTED
from jobsim.cli.options import seconds
from jobsim.cli.record.options import Database, Every, For, Output, log_path, say

if TYPE_CHECKING:
    from jobsim.record.table import Recording


def table(
    database: Database,
    name: Annotated[str, typer.Option("--table", metavar="TABLE", help="The table to watch.")],
    output: Output,
    every: Every = "2s",
    for_: For = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="WHAT=COLUMN,...",
            help="Which column holds what: id, status, kind, submit, start, end, due. What is not "
            "said is guessed by name.",
        ),
    ] = None,
    states: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            "--status-map",
            metavar="WORD=STATE,...",
            help="What a word in the status column means: waiting, running, completed, failed, "
            "cancelled, timeout, unknown. As 0=waiting,1=running,2=completed.",
        ),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE", help="Time zone of the table's times, as Europe/Berlin [default: UTC]."
        ),
    ] = None,
    most_rows: Annotated[
        int | None, typer.Option(help="No look reads more rows than this [default: 200000].")
    ] = None,
) -> None:
    """Watch a queue table, read-only, and write a job log of what becomes of its rows.

    Each look reads key, status and (if there are such columns) kind and times, never what a job
    carries, and compares it with the look before. A row that comes is a submission, a status that
    changes is a claim or a finish, a row that goes has vanished. Where a column says from when on a
    row may be taken (due), its job is submitted then, not when the row came. It needs SELECT on
    that table and nothing else; each look is one SELECT of its own.

    Times are known to within --every, or as well as the table's own time columns know them, where
    those agree with what is seen. A row that comes and goes between two looks is never seen. What
    the watch cost the server is printed at the end and kept with the log.

    With -o jobs.csv, transitions are on disk in jobs.transitions.csv as soon as they are seen. The
    log is written after --for, at Ctrl-C (exit status 130) or SIGTERM, or when the server is gone
    for a minute (3).
    """
    from jobsim.joblog.reading import pairs
    from jobsim.record.table import MOST_ROWS, Watch, record_table

    watch = Watch(
        database,
        name,
        every_s=seconds(every) or 0.0,
        for_s=seconds(for_),
        columns=pairs("--map", columns or []),
        states=pairs("--status", states or []),
        zone=zone,
        most_rows=most_rows or MOST_ROWS,
    )
    finish(record_table(watch, log_path(output), say), output)


def finish(recording: Recording, output: str) -> None:
    """Write the log, say what it cost, and exit with 130 after a Ctrl-C, 3 if the server went."""
    from jobsim.joblog import write
    from jobsim.words import counted

    write(recording.log, output)
    say(f"load on the server: {recording.load}")
    say(f"{counted(len(recording.log), 'job')} written to {output}")
    if recording.lost is not None:
        raise recording.lost
    if recording.interrupted:
        raise typer.Exit(INTERRUPTED)
