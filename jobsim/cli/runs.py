"""``jobsim simulate``, ``jobsim live``, ``jobsim run``: one policy on one log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobsim.cli import options as opt
from jobsim.cli.output import Part, judge, print_comparison, progress_bar, save

if TYPE_CHECKING:
    from jobsim.conditions import Condition
    from jobsim.experiment import Comparison
    from jobsim.scenario import Scenario


class Driver(StrEnum):
    """Where a run is played."""

    sim = "sim"
    live = "live"
    both = "both"


def add_to(app: typer.Typer) -> None:
    app.command()(simulate)
    app.command()(live)
    app.command("run")(run_scenario)


def simulate(
    log: opt.LogName,
    queue: opt.QueueName = None,
    lease: opt.LeaseName = None,
    killer: opt.KillerName = None,
    rows: opt.RowsOption = None,
    workers: opt.Workers = None,
    settings: opt.Set = None,
    fault: opt.FaultOption = None,
    jobs: opt.Jobs = None,
    window: opt.Window = None,
    mapping: opt.MappingOption = None,
    assume_run: opt.AssumeRun = None,
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
    scenario = chosen(
        queue, lease, killer, rows, workers, settings, fault, load, speedup, until, seed
    )
    played(
        log,
        [scenario],
        on="sim",
        part=Part(jobs, window, seed, mapping, assume_run),
        costs=costs,
        replications=replications,
        shown=(as_json, fail_if, output),
    )


def live(
    log: opt.LogName,
    queue: opt.QueueName = None,
    lease: opt.LeaseName = None,
    killer: opt.KillerName = None,
    rows: opt.RowsOption = None,
    workers: opt.Workers = None,
    settings: opt.Set = None,
    fault: opt.FaultOption = None,
    jobs: opt.Jobs = None,
    window: opt.Window = None,
    mapping: opt.MappingOption = None,
    assume_run: opt.AssumeRun = None,
    load: opt.LoadFactor = 1.0,
    speedup: opt.Speedup = 1.0,
    until: opt.Until = None,
    seed: opt.Seed = 1,
    replications: opt.Replications = 1,
    database: opt.DatabaseUrl = None,
    scratch: opt.Scratch = False,
    yes: opt.Yes = False,
    work: opt.WorkOption = opt.Work.sleep,
    dry_run: opt.DryRun = False,
    as_json: opt.Json = False,
    fail_if: opt.FailIf = None,
    output: opt.Out = None,
) -> None:
    """Replay a log under a policy on a live database, with real processes and real locks."""
    scenario = chosen(
        queue, lease, killer, rows, workers, settings, fault, load, speedup, until, seed
    )
    if dry_run:
        print_plan(scenario)
        return
    played(
        log,
        [scenario],
        on="live",
        part=Part(jobs, window, seed, mapping, assume_run),
        replications=replications,
        database=database,
        scratch=scratch,
        yes=yes,
        work=work.value,
        shown=(as_json, fail_if, output),
    )


def chosen(
    queue: str | None,
    lease: str | None,
    killer: str | None,
    rows: opt.Rows | None,
    workers: int | None,
    settings: list[str] | None,
    fault: list[str] | None,
    load: float,
    speedup: float,
    until: str | None,
    seed: int,
) -> Scenario:
    """The scenario that the options make."""
    from jobsim.experiment import make_scenario

    return make_scenario(
        queue,
        lease=lease,
        killer=killer,
        rows=None if rows is None else rows.value,
        workers=workers,
        set=settings or [],
        faults=fault or [],
        load=load,
        speedup=speedup,
        until_s=opt.seconds(until),
        seed=seed,
    )


def print_plan(scenario: Scenario) -> None:
    """What a live run would send, and the grants that it needs."""
    from jobsim.explain import explain_policy, table_ddl

    settings = [f"{f}.{k}={v}" for f, given in scenario.settings.items() for k, v in given.items()]
    typer.echo(table_ddl(scenario.name, "mariadb", settings))
    for step in explain_policy(scenario.name, "mariadb", settings):
        if step.sql:
            typer.echo(f"-- {step.part}: {step.label}\n{step.sql};")
    typer.echo(
        "-- needed: CREATE, DROP, SELECT, INSERT, UPDATE, DELETE on that database; PROCESS to see "
        "other sessions; CONNECTION ADMIN for a killer"
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

    conditions = parsed(fail_if)
    scenario, logs = read_scenario(path)
    read = {what: read_log(log, seed=scenario.seed) for what, log in logs.items()}
    with progress_bar() as progress:
        comparison = compare(
            read if len(read) > 1 else next(iter(read.values())),
            [scenario],
            on=on.value,
            costs=costs,
            database=database,
            scratch=scratch,
            yes=yes,
            progress=progress,
        )
    show(comparison, as_json, conditions, output)


def played(
    log: str,
    scenarios: Sequence[Scenario],
    *,
    part: Part,
    shown: tuple[bool, list[str] | None, str | None],
    **options: Any,
) -> None:
    """Read, play, print, save, judge: what every playing command does."""
    from jobsim.experiment import compare

    as_json, fail_if, output = shown
    conditions = parsed(fail_if)
    read = part.of(log)
    with progress_bar() as progress:
        comparison = compare(read, scenarios, progress=progress, **options)
    show(comparison, as_json, conditions, output)


def show(
    comparison: Comparison, as_json: bool, fail_if: list[Condition], output: str | None
) -> None:
    """Print a comparison, save it where asked, and exit with 1 where a condition holds."""
    if as_json:
        typer.echo(json.dumps(comparison.to_dict(), indent=1))
    else:
        print_comparison(comparison)
    if output is not None:
        save(comparison, output)
    judge(comparison, fail_if)


def parsed(fail_if: list[str] | None) -> list[Condition]:
    """The conditions of ``--fail-if``, read before anything is played."""
    from jobsim.conditions import parse_condition

    return [parse_condition(text) for text in fail_if or []]
