"""``jobsim simulate``, ``jobsim live``, ``jobsim run``: one policy on one log."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from jobsim.cli.options import DATABASE, LogName
from jobsim.cli.output import played
from jobsim.cli.panels import Panelled
from jobsim.cli.playing import (
    Costs,
    Driver,
    OnePolicy,
    OnOption,
    Part,
    Place,
    Replications,
    Results,
    Rules,
)
from jobsim.cli.reading import ReadingOptions
from jobsim.cli.splice import spliced

if TYPE_CHECKING:
    from jobsim.scenario import Scenario


def add_to(app: typer.Typer) -> None:
    app.command(cls=Panelled, short_help="Replay a log in the simulation.")(simulate)
    app.command(cls=Panelled, short_help="Replay a log on a live database.")(live)
    app.command("run", cls=Panelled, short_help="Play a scenario file.")(run_scenario)


@spliced
def simulate(
    log: LogName,
    policy: OnePolicy,
    rules: Rules,
    part: Part,
    reading: ReadingOptions,
    results: Results,
    costs: Costs = "default",
    replications: Replications = 1,
) -> None:
    """Replay a log under a policy in the simulation."""
    scenario = rules.scenario(**asdict(policy))
    spec = reading.of(log, **asdict(part))
    played(spec, [scenario], results, on="sim", costs=costs, replications=replications)


@spliced
def live(
    log: LogName,
    policy: OnePolicy,
    rules: Rules,
    part: Part,
    reading: ReadingOptions,
    place: Place,
    results: Results,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Print statements and needed grants; touch nothing.",
            rich_help_panel=DATABASE,
        ),
    ] = False,
    replications: Replications = 1,
) -> None:
    """Replay a log under a policy on a live database, with real processes and real locks."""
    scenario = rules.scenario(**asdict(policy))
    if dry_run:
        print_plan(scenario)
        return
    spec = reading.of(log, **asdict(part))
    played(spec, [scenario], results, on="live", replications=replications, **place.options())


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


@spliced
def run_scenario(
    path: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario file (TOML).")],
    place: Place,
    results: Results,
    on: OnOption = Driver.sim,
    costs: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="What statements cost in the simulation: default, zero, or a costs file "
            "[default: what the scenario says].",
        ),
    ] = None,
    replications: Annotated[
        int | None,
        typer.Option(
            help="How many runs, with seeds that follow each other; figures get 95% bounds "
            "[default: what the scenario says]."
        ),
    ] = None,
) -> None:
    """Play a scenario file, simulated, live or both.

    -o of the other commands saves one. A list of policies in it is a comparison. The files that it
    names are looked for beside it, and then here.
    """
    from jobsim.scenario import read_scenario

    trial = read_scenario(path)
    played(
        trial.logs,
        trial.scenarios,
        results,
        on=on.value,
        costs=costs or trial.costs,
        replications=trial.replications if replications is None else replications,
        **place.options(),
    )
