"""The options by which a user says how a log is to be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from jobsim.units import parse_duration_s

if TYPE_CHECKING:
    from jobsim.joblog import Reading

Format: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="The file's format, where it is not recognised (jobsim log formats lists them).",
    ),
]
MapOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="TARGET=COLUMN,...",
        help="Which column of a table holds what, as submit=created_at,start=claimed_at. Targets: "
        "submit, start, end, run, wait, outcome, id, kind, owner, priority, memory, attempts. What "
        "is not said is guessed, and the guess is shown (repeatable).",
    ),
]
UnitOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--unit",
        metavar="TARGET=UNIT,...",
        help="What plain numbers count: submit=ms, run=min, memory=kB; or the strptime format of "
        "times, as submit='%d/%m/%Y %H:%M' (repeatable).",
    ),
]
StatusOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        metavar="WORD=OUTCOME,...",
        help="What the log's words for a status mean: completed, failed, cancelled, timeout, "
        "unknown, or unfinished (repeatable).",
    ),
]
ZoneOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--zone",
        metavar="ZONE",
        help="The time zone of times that name none, as Europe/Berlin [default: UTC].",
    ),
]
TableOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="NAME",
        help="Of a database or dump: the table, or the queue system, to read.",
    ),
]
QueryOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--query", metavar="SQL", help="Of a database: the SELECT that gives the rows."),
]
FromDate: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="DATE", help="Of a schedule: when its plan begins, as 2026-01-01."
    ),
]
ForSpan: TypeAlias = Annotated[
    str | None,
    typer.Option("--for", metavar="DURATION", help="Of a schedule: how long its plan is, as 30d."),
]


def reading(
    map: list[str] | None = None,  # noqa: A002  # the option is called --map
    unit: list[str] | None = None,
    status: list[str] | None = None,
    zone: str | None = None,
    mapping: str | None = None,
    table: str | None = None,
    query: str | None = None,
    assume_run: str | None = None,
    begin: str | None = None,
    span: str | None = None,
) -> Reading:
    """What these options say together."""
    from jobsim.joblog.reading import PLAIN, Reading, instant, load, pairs

    said = Reading(
        columns=pairs("--map", map or []),
        units=pairs("--unit", unit or []),
        outcomes=pairs("--status", status or []),
        zone=zone,
        table=table,
        query=query,
        assume_run_s=None if assume_run is None else parse_duration_s(assume_run),
        begin=None if begin is None else instant("--from", begin),
        span_s=None if span is None else parse_duration_s(span),
    )
    return said.over(PLAIN if mapping is None else load(Path(mapping)))
