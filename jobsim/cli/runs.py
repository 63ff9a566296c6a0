"""``jobsim simulate``, ``jobsim live``, ``jobsim run``: one policy on one log."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobsim.cli import options as opt
from jobsim.cli.output import judge, narrow, print_comparison, progress_bar, save

if TYPE_CHECKING:
    from jobsim.experiment import Comparison


class Driver(StrEnum):
    """Where a run is played."""

    sim = "sim"
    live = "live"
    both = "both"


def add_to(app: typer.Typer) -> None:
    app.command()(simulate)
    app.command()(live)
    app.command("run")(run_scenario)


Queue = Annotated[str, typer.Option("--queue", help="The queue policy, see jobsim policies.")]


def simulate(
    log: opt.LogName,
    queue: Queue = "skip-locked",
    workers: opt.Workers = None,
    settings: opt.Set = None,
    fault: opt.FaultOption = None,
    jobs: opt.Jobs = None,
    window: opt.Window = None,
    load: opt.LoadFactor = 1.0,
    speedup: opt.Speedup = 1.0,
    until: opt.Until = None,
    costs: opt.CostsName = "default",
    seed: opt.Seed = 1,
    replications: opt.Replications = 1,
    as_json: opt.Json = False,
    fail_if: opt.FailIf = None,
    output: opt.Out = None,
) -> None:
    """Replay a log under a policy in the simulation."""
    played(
        log,
        [queue],
        on="sim",
        narrowing=(jobs, window, seed),
        costs=costs,
        replications=replications,
        shown=(as_json, fail_if, output),
        workers=workers,
        set=settings or [],
        faults=fault or [],
        load=load,
        speedup=speedup,
        until_s=opt.seconds(until),
        seed=seed,
    )


def live(
    log: opt.LogName,
    queue: Queue = "skip-locked",
    workers: opt.Workers = None,
    settings: opt.Set = None,
    fault: opt.FaultOption = None,
    jobs: opt.Jobs = None,
    window: opt.Window = None,
    load: opt.LoadFactor = 1.0,
    speedup: opt.Speedup = 1.0,
    until: opt.Until = None,
    seed: opt.Seed = 1,
    replications: opt.Replications = 1,
    database: opt.DatabaseUrl = None,
    scratch: opt.Scratch = False,
    yes: opt.Yes = False,
    work: opt.WorkOption = "sleep",
    as_json: opt.Json = False,
    fail_if: opt.FailIf = None,
    output: opt.Out = None,
) -> None:
    """Replay a log under a policy on a live database, with real processes and real locks."""
    played(
        log,
        [queue],
        on="live",
        narrowing=(jobs, window, seed),
        replications=replications,
        database=database,
        scratch=scratch,
        yes=yes,
        work=work,
        shown=(as_json, fail_if, output),
        workers=workers,
        set=settings or [],
        faults=fault or [],
        load=load,
        speedup=speedup,
        until_s=opt.seconds(until),
        seed=seed,
    )


def run_scenario(
    path: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file (TOML).")],
    on: Annotated[Driver, typer.Option(help="Where to play it.")] = Driver.sim,
    costs: opt.CostsName = "default",
    database: opt.DatabaseUrl = None,
    scratch: opt.Scratch = False,
    yes: opt.Yes = False,
    as_json: opt.Json = False,
    fail_if: opt.FailIf = None,
    output: opt.Out = None,
) -> None:
    """Play a scenario file, simulated, live or both."""
    from jobsim.experiment import compare
    from jobsim.joblog import read_log
    from jobsim.scenario import read_scenario

    scenario, log = read_scenario(path)
    read = read_log(log or "media-batch", seed=scenario.seed)
    with progress_bar() as progress:
        comparison = compare(
            read,
            [scenario],
            on=on.value,
            costs=costs,
            database=database,
            scratch=scratch,
            yes=yes,
            progress=progress,
        )
    show(comparison, as_json, fail_if, output)


def played(
    log: str,
    queues: list[str],
    *,
    narrowing: tuple[int | None, str | None, int],
    shown: tuple[bool, list[str] | None, str | None],
    **options: Any,
) -> None:
    """Read, play, print, save, judge: what every playing command does."""
    from jobsim.experiment import compare

    read = narrow(log, *narrowing)
    with progress_bar() as progress:
        comparison = compare(read, queues, progress=progress, **options)
    show(comparison, *shown)


def show(
    comparison: Comparison, as_json: bool, fail_if: list[str] | None, output: str | None
) -> None:
    """Print a comparison, save it where asked, and exit with 1 where a condition holds."""
    if as_json:
        typer.echo(json.dumps(comparison.to_dict(), indent=1))
    else:
        print_comparison(comparison)
    if output is not None:
        save(comparison, output)
    judge(comparison, fail_if or [])
