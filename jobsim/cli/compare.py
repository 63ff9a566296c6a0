"""``jobsim compare``: several policies on one log, side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from jobsim.cli import options as opt
from jobsim.cli.output import Part
from jobsim.cli.runs import Driver, chosen, played
from jobsim.errors import UsageError


def add_to(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    log: opt.LogName,
    queue: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A queue policy (repeatable).")
    ] = None,
    lease: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A lease policy (repeatable).")
    ] = None,
    killer: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A query killer (repeatable).")
    ] = None,
    rows: opt.RowsOption = None,
    on: Annotated[Driver, typer.Option(help="Where to play them.")] = Driver.sim,
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
    database: opt.DatabaseUrl = None,
    scratch: opt.Scratch = False,
    yes: opt.Yes = False,
    work: opt.WorkOption = opt.Work.sleep,
    as_json: opt.Json = False,
    fail_if: opt.FailIf = None,
    output: opt.Out = None,
) -> None:
    """Replay a log under several policies and print one table, a row a policy and driver.

    Several policies of one family are compared; of the other families one at most may go with them.
    """
    scenarios = [
        chosen(*names, rows, workers, settings, fault, load, speedup, until, seed)
        for names in combined(queue, lease, killer)
    ]
    played(
        log,
        scenarios,
        on=on.value,
        part=Part(jobs, window, seed, mapping, assume_run),
        costs=costs,
        replications=replications,
        database=database,
        scratch=scratch,
        yes=yes,
        work=work.value,
        shown=(as_json, fail_if, output),
    )


Names = tuple[str | None, str | None, str | None]


def combined(
    queue: list[str] | None, lease: list[str] | None, killer: list[str] | None
) -> list[Names]:
    """The queue, lease and killer of each run that is compared.

    Raises
    ------
    UsageError
        Several of more than one family: it would not be clear what is compared.
    """
    families = [queue or [], lease or [], killer or []]
    if sum(len(names) > 1 for names in families) > 1:
        raise UsageError("compare several policies of one family, and at most one of the others")
    if not any(families):
        families[0] = ["taken-flag", "for-update", "skip-locked"]
    several = max(families, key=len)
    return [
        tuple(name if names is several else next(iter(names), None) for names in families)  # type: ignore[misc]
        for name in several
    ]
