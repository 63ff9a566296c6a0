"""The options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from jobsim.units import parse_duration_s

LogName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="LOG",
        help="A log file (jobsim log formats), the URL of a database, a recorded sample or a "
        "fetched log by name (jobsim log list), or a drawn load such as "
        "mmc:arrival=3.6,service=1,servers=4,jobs=200000.",
        show_default=False,
    ),
]


class Rows(StrEnum):
    """What a row of the log is."""

    jobs = "jobs"
    firings = "firings"
    statements = "statements"


RowsOption: TypeAlias = Annotated[
    Rows | None,
    typer.Option(
        "--as",
        help="What a row of the log is: a row of the queue table, a scheduled start of its kind, a "
        "statement on the server [default: by the first of --queue, --lease, --killer].",
    ),
]
QueueName: TypeAlias = Annotated[
    str | None, typer.Option("--queue", metavar="NAME", help="A queue policy [skip-locked].")
]
LeaseName: TypeAlias = Annotated[
    str | None, typer.Option("--lease", metavar="NAME", help="A lease policy.")
]
KillerName: TypeAlias = Annotated[
    str | None, typer.Option("--killer", metavar="NAME", help="A query killer.")
]
Workers: TypeAlias = Annotated[
    int | None, typer.Option(help="Worker processes [default: the log's own number, or 4].")
]
Set: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FAMILY.PARAMETER=VALUE",
        help="A parameter, as queue.batch=10 (repeatable; jobsim policies lists them).",
    ),
]
FaultOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="KEY=VALUE,...",
        help="kind=kill|raise|pause with worker=N, and at=STEP,nth=N,when=before|during|after, or "
        "time=DURATION, or rate=3/h; for=DURATION with a pause (repeatable).",
    ),
]
Jobs: TypeAlias = Annotated[int | None, typer.Option(help="Only the first N jobs of the log.")]
Window: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FROM..TO", help="Only the jobs submitted in this part of the log, as 2h..5h."
    ),
]
MappingOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--mapping",
        metavar="FILE",
        help="A TOML file that says which column is what, its units, zone and table (examples: "
        "data/mappings); options hold over it.",
    ),
]
AssumeRun: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--assume-run",
        metavar="DURATION",
        help="The run time of jobs of which the log says none, as you state it: 30s, 5m.",
    ),
]
LoadFactor: TypeAlias = Annotated[
    float, typer.Option("--load", help="Arrivals this many times as dense, run times as they were.")
]
Speedup: TypeAlias = Annotated[
    float,
    typer.Option(
        help="Divide every time of the log, of the policies and of the faults by this; never what "
        "the server costs."
    ),
]
Until: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="DURATION",
        help="Stop here, in log time [default: last submission + longest run time + three times "
        "the longest time-out].",
    ),
]
CostsName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--costs", metavar="FILE", help="What statements cost: default, zero, or a costs file."
    ),
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Draws everything that is drawn.")]
Replications: TypeAlias = Annotated[
    int, typer.Option(help="Runs with seeds that follow each other; figures get 95 % bounds.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
FailIf: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CONDITION",
        help="Exit with 1 where this holds of any run, as 'stuck.max_s > 60' (repeatable).",
    ),
]
Out: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Save attempts, events and jobs (Parquet), metrics (JSON), plots and the scenario.",
    ),
]
DatabaseUrl: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="JOBSIM_DATABASE_URL",
        help="A live database, mariadb://user@host/name [default: a throw-away server].",
    ),
]
Scratch: TypeAlias = Annotated[
    bool,
    typer.Option("--scratch", help="jobsim may make its own tables, jobsim_..., in --database."),
]
Yes: TypeAlias = Annotated[
    bool, typer.Option("--yes", help="Run even where other sessions are at work on that server.")
]


class Work(StrEnum):
    """What a live job does."""

    sleep = "sleep"
    burn = "burn"


WorkOption: TypeAlias = Annotated[
    Work, typer.Option("--work", help="What a live job does: sleep its time, or burn a processor.")
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Print statements and needed grants; touch nothing.")
]


def seconds(text: str | None) -> float | None:
    """A duration option in seconds."""
    return None if text is None else parse_duration_s(text)
