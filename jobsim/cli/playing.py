"""The options of the commands that play a log, each said once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from jobsim.cli.options import DATABASE, DatabaseUrl, Scratch, Seed, Set, Yes, seconds

if TYPE_CHECKING:
    from jobsim.scenario import Scenario

RESULTS = "What comes out"


class Rows(StrEnum):
    """What a row of the log is."""

    jobs = "jobs"
    firings = "firings"
    statements = "statements"


class Driver(StrEnum):
    """Where a run is played."""

    sim = "sim"
    live = "live"
    both = "both"


class Work(StrEnum):
    """What a live job does."""

    sleep = "sleep"
    burn = "burn"


OnOption: TypeAlias = Annotated[
    Driver, typer.Option(help="Where to play: in the simulation, on a live database, or both.")
]
Costs: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE",
        help="What statements cost in the simulation: default, zero, or a costs file.",
    ),
]
Replications: TypeAlias = Annotated[
    int,
    typer.Option(help="How many runs, with seeds that follow each other; figures get 95% bounds."),
]


@dataclass(frozen=True)
class OnePolicy:
    """The policy of each family that is played."""

    queue: Annotated[
        str | None, typer.Option(metavar="NAME", help="A queue policy [default: skip-locked].")
    ] = None
    lease: Annotated[
        str | None, typer.Option(metavar="NAME", help="A lease policy (jobsim policies).")
    ] = None
    killer: Annotated[
        str | None, typer.Option(metavar="NAME", help="A query killer (jobsim policies).")
    ] = None


@dataclass(frozen=True)
class Rules:
    """What decides a run besides its policies and its log."""

    rows: Annotated[
        Rows | None,
        typer.Option(
            "--as",
            help="What a row of the log is: a row of the queue table, a scheduled start of its "
            "kind, a statement on the server [default: by the first of --queue, --lease, "
            "--killer].",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(help="How many workers take jobs [default: the log's own number, or 4]."),
    ] = None
    settings: Set = None
    fault: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE,...",
            help="What goes wrong: kind=kill|raise|pause,worker=N with "
            "at=STEP,nth=N,when=before|during|after (steps: jobsim explain), or time=DURATION, or "
            "rate=3/h; a pause also needs for=DURATION (repeatable).",
        ),
    ] = None
    load: Annotated[
        float, typer.Option(help="Arrivals this many times as dense, run times as they were.")
    ] = 1.0
    speedup: Annotated[
        float,
        typer.Option(
            help="Divide every time of the log, of the policies and of the faults by this; never "
            "what the server costs."
        ),
    ] = 1.0
    until: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Stop here, in log time [default: last submission + longest run time + three "
            "times the longest time-out].",
        ),
    ] = None
    seed: Seed = 1

    def scenario(self, **policies: str | None) -> Scenario:
        """The scenario that these options make with the policy of each family."""
        from jobsim.experiment import make_scenario

        return make_scenario(
            **policies,
            rows=None if self.rows is None else self.rows.value,
            workers=self.workers,
            set=self.settings or [],
            faults=self.fault or [],
            load=self.load,
            speedup=self.speedup,
            until_s=seconds(self.until),
            seed=self.seed,
        )


@dataclass(frozen=True)
class Part:
    """Which part of the log is played."""

    window: Annotated[
        str | None,
        typer.Option(
            metavar="FROM..TO", help="Only the jobs submitted in this part of the log, as 2h..5h."
        ),
    ] = None
    jobs: Annotated[
        int | None, typer.Option(help="Only the first so many jobs (of the window).")
    ] = None


@dataclass(frozen=True)
class Place:
    """Where a live run takes place, and what its jobs do; as `jobsim.live` takes it."""

    database: DatabaseUrl = None
    scratch: Scratch = False
    yes: Yes = False
    work: Annotated[
        Work,
        typer.Option(
            help="What a live job does: sleep its time, or burn a processor.",
            rich_help_panel=DATABASE,
        ),
    ] = Work.sleep

    def options(self) -> dict[str, Any]:
        """As keywords."""
        return asdict(self) | {"work": self.work.value}


@dataclass(frozen=True)
class Results:
    """What is printed, judged and saved."""

    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document.", rich_help_panel=RESULTS)
    ] = False
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="Exit with 1 where this holds of any run, as 'stuck.max_s > 60' (repeatable).",
            rich_help_panel=RESULTS,
        ),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Save attempts, events and jobs (Parquet), metrics (JSON), plots, and the "
            "scenario, which jobsim run plays again.",
            rich_help_panel=RESULTS,
        ),
    ] = None
