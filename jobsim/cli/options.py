"""The options that commands of several sorts share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from jobsim.units import parse_duration_s

DATABASE = "Where a live run takes place"
"""The heading of options for live runs."""

LogName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="LOG",
        help="A log file (jobsim log formats), the URL of a database, the name of a recorded "
        "sample (jobsim log list) or of a fetched log (jobsim log fetch), or a drawn load such as "
        "mmc:arrival=3.6,service=1,servers=4,jobs=200000.",
        show_default=False,
    ),
]
Output: TypeAlias = Annotated[
    str,
    typer.Option("--output", "-o", metavar="FILE", help="A .csv, .csv.gz or .parquet file."),
]
Set: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FAMILY.PARAMETER=VALUE",
        help="A parameter, as queue.batch=10 (repeatable; jobsim policies lists them).",
    ),
]
Seed: TypeAlias = Annotated[
    int, typer.Option(help="Of all that is drawn at random: the same seed, the same run.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
DatabaseUrl: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="JOBSIM_DATABASE_URL",
        help="A live database, mariadb://user@host/name [default: a throw-away server].",
        rich_help_panel=DATABASE,
    ),
]
Scratch: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--scratch",
        help="jobsim may make its own tables, jobsim_..., in --database.",
        rich_help_panel=DATABASE,
    ),
]
Yes: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--yes",
        help="Run even where other sessions are at work on that server.",
        rich_help_panel=DATABASE,
    ),
]


def seconds(text: str | None) -> float | None:
    """A duration option in seconds."""
    return None if text is None else parse_duration_s(text)
