"""The options that the watching commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from jobsim.errors import UsageError

Database: TypeAlias = Annotated[
    str,
    typer.Option(
        "--database",
        envvar="JOBSIM_DATABASE_URL",
        metavar="URL",
        help="mariadb://user:password@host/name, postgresql://..., sqlite:///file.db.",
    ),
]
Every: TypeAlias = Annotated[str, typer.Option(metavar="DURATION", help="How often to look.")]
For: TypeAlias = Annotated[
    str | None,
    typer.Option("--for", metavar="DURATION", help="How long, as 1h [default: until Ctrl-C]."),
]
Output: TypeAlias = Annotated[
    str, typer.Option("--output", "-o", metavar="LOG", help="A .csv, .csv.gz or .parquet file.")
]


def say(text: str) -> None:
    """Tell people, on stderr."""
    typer.echo(text, err=True)


def log_path(output: str) -> Path:
    """Where the log goes; UsageError, before anything is recorded, if it could not."""
    from jobsim.joblog.own import WRITERS

    path = Path(output)
    if not output.endswith(tuple(WRITERS)):
        raise UsageError(f"-o {output}: a job log is written as {', '.join(WRITERS)}")
    if not path.parent.is_dir():
        raise UsageError(f"-o {output}: cannot be written: there is no folder {path.parent}")
    return path
