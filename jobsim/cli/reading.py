"""The options by which a user says how a log is to be read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from jobsim.joblog import LogSpec

_option = partial(typer.Option, rich_help_panel="How the log is read")


@dataclass(frozen=True)
class ReadingOptions:
    """How a log is to be read; the fields are named as `jobsim.joblog.spec.WORDS` has them."""

    format: Annotated[
        str | None,
        _option(
            "--format",
            metavar="NAME",
            help="The file's format, where it is not recognised (jobsim log formats lists them).",
        ),
    ] = None
    map: Annotated[
        list[str] | None,
        _option(
            "--map",
            metavar="TARGET=COLUMN,...",
            help="Which column of a table holds what, as submit=created_at,start=claimed_at. "
            "Targets: submit, start, end, run, wait, outcome, id, kind, owner, priority, memory, "
            "attempts. What is not said is guessed, and jobsim log describe shows the guess "
            "(repeatable).",
        ),
    ] = None
    unit: Annotated[
        list[str] | None,
        _option(
            "--unit",
            metavar="TARGET=UNIT,...",
            help="What plain numbers count: submit=ms, run=min, memory=kB; or the strptime format "
            "of times, as submit='%d/%m/%Y %H:%M' (repeatable).",
        ),
    ] = None
    status: Annotated[
        list[str] | None,
        _option(
            "--status",
            metavar="WORD=OUTCOME,...",
            help="What the log's words for a status mean: completed, failed, cancelled, timeout, "
            "unknown, or unfinished (repeatable).",
        ),
    ] = None
    zone: Annotated[
        str | None,
        _option(
            "--zone",
            metavar="ZONE",
            help="The time zone of times that name none, and of the hours that are shown, as "
            "Europe/Berlin [default: the log's own where it says one, or UTC].",
        ),
    ] = None
    mapping: Annotated[
        str | None,
        _option(
            "--mapping",
            metavar="FILE",
            help="A TOML file that says which column is what, its units, zone and table (examples: "
            "data/mappings); options hold over it.",
        ),
    ] = None
    table: Annotated[
        str | None,
        _option(
            "--table",
            metavar="NAME",
            help="Of a database or dump: the table, or the queue system, to read.",
        ),
    ] = None
    query: Annotated[
        str | None,
        _option("--query", metavar="SQL", help="Of a database: the SELECT that gives the rows."),
    ] = None
    assume_run: Annotated[
        str | None,
        _option(
            "--assume-run",
            metavar="DURATION",
            help="The run time of jobs of which the log says none, as you state it: 30s, 5m.",
        ),
    ] = None
    from_: Annotated[
        str | None,
        _option(
            "--from",
            metavar="DATE",
            help="When it begins, as 2026-01-01: the plan of a schedule, or a syslog that names no "
            "years.",
        ),
    ] = None
    for_: Annotated[
        str | None,
        _option("--for", metavar="DURATION", help="Of a schedule: how long its plan is, as 30d."),
    ] = None

    def of(self, log: str, **part: Any) -> LogSpec:
        """The log that is asked for, or a part of it."""
        from jobsim.joblog import LogSpec

        said = {name.removesuffix("_"): value for name, value in asdict(self).items()}
        return LogSpec.of(log, said | part)
