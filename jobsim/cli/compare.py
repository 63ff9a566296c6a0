"""``jobsim compare``: several policies on one log, side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from jobsim.cli import options as opt
from jobsim.cli.runs import Driver, played


def add_to(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    log: opt.LogName,
    queue: Annotated[
        list[str] | None, typer.Option(help="A queue policy; give several.", show_default=False)
    ] = None,
    on: Annotated[Driver, typer.Option(help="Where to play them.")] = Driver.sim,
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
    database: opt.DatabaseUrl = None,
    scratch: opt.Scratch = False,
    yes: opt.Yes = False,
    work: opt.WorkOption = "sleep",
    as_json: opt.Json = False,
    fail_if: opt.FailIf = None,
    output: opt.Out = None,
) -> None:
    """Replay a log under several policies and print one table, a row a policy and driver."""
    played(
        log,
        queue or ["taken-flag", "for-update", "skip-locked"],
        on=on.value,
        narrowing=(jobs, window, seed),
        costs=costs,
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
