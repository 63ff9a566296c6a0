"""``jobsim log anonymise``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobsim.cli.options import LogName, Output, Seed
from jobsim.cli.reading import ReadingOptions
from jobsim.cli.splice import spliced

if TYPE_CHECKING:
    from jobsim.joblog import JobLog

STAYS = (
    "what stays: times, run lengths, outcomes, numbers, and which jobs share an owner or a kind; "
    "whoever knows some of the jobs can find the others of their owner"
)


@spliced
def anonymise(
    log: LogName,
    output: Output,
    reading: ReadingOptions,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Names that stay: of owner, kind, job_id (repeatable)."
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A file with the key, made if it is not there: with the same key a name gets the "
            "same pseudonym in each log. Whoever has it can test guesses: do not share it "
            "[default: a new key, thrown away].",
        ),
    ] = None,
    keep_dates: Annotated[
        bool,
        typer.Option(
            "--keep-dates",
            help="Keep the date at which the log begins, and so the hours and weekdays of jobs.",
        ),
    ] = False,
    seed: Seed = 1,
) -> None:
    """Write a log with pseudonyms for its names, to share it.

    Owners, kinds and job ids that are text get pseudonyms, the same for the same name. Also left
    out: the log's name, where it comes from, its date, and what notes quote of it. Times, run
    lengths, outcomes, memory, numbers as ids, and how often each name comes stay: who knows when
    some jobs ran can tell whose they are. The log is pseudonymous, not anonymous.
    """
    from jobsim.joblog import write
    from jobsim.joblog.anonymise import anonymised
    from jobsim.joblog.pseudonyms import kept_key
    from jobsim.words import counted

    read = reading.of(log).read(seed)
    secret = None if key is None else kept_key(Path(key))
    shared = anonymised(read, secret, keep or (), keep_dates)
    write(shared, output)
    typer.echo(
        f"{counted(len(shared), 'job')} written to {output}: {_replaced(shared, keep or [])}",
        err=True,
    )
    typer.echo(STAYS, err=True)


def _replaced(shared: JobLog, keep: list[str]) -> str:
    """How many names have a pseudonym now."""
    names = {"owner": "owners", "kind": "kinds", "job_id": "job ids"}
    counts = {
        words: shared.jobs[column].nunique()
        for column, words in names.items()
        if column not in keep and shared.jobs[column].dtype.kind != "i"
    }
    said = [f"{count:,} {words}" for words, count in counts.items() if count]
    return f"{', '.join(said)} replaced" if said else "there was no name to replace"
