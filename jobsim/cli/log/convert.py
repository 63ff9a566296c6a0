"""``jobsim log convert``."""

from __future__ import annotations

import typer

from jobsim.cli.options import LogName, Output, Seed
from jobsim.cli.reading import ReadingOptions
from jobsim.cli.splice import spliced


@spliced
def convert(
    log: LogName,
    output: Output,
    reading: ReadingOptions,
    seed: Seed = 1,
) -> None:
    """Write a log as jobsim's own CSV or Parquet.

    What was guessed, dropped or mended is said on stderr. Of a schedule (a crontab, systemd
    timers, Windows tasks) it writes the plan of its firings from --from on, --for so long.
    """
    from jobsim.joblog import write
    from jobsim.words import counted

    read = reading.of(log).read(seed)
    write(read, output)
    for note in read.notes:
        typer.echo(f"{note.count:>9,} {note.reason}", err=True)
    typer.echo(f"{counted(len(read), 'job')} written to {output}", err=True)
