"""``jobsim compare``: several policies on one log, side by side."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from jobsim.cli.options import LogName
from jobsim.cli.output import played
from jobsim.cli.panels import Panelled
from jobsim.cli.playing import Costs, Driver, OnOption, Part, Place, Replications, Results, Rules
from jobsim.cli.reading import ReadingOptions
from jobsim.cli.splice import spliced

USUAL = ("taken-flag", "for-update", "skip-locked")
"""The queues that are compared where nothing is said."""


def add_to(app: typer.Typer) -> None:
    app.command(cls=Panelled, short_help="Replay a log under several policies.")(compare)


@dataclass(frozen=True)
class Policies:
    """The policies that are compared."""

    queue: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=f"A queue policy (repeatable) [default: {', '.join(USUAL)}].",
        ),
    ] = None
    lease: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A lease policy (repeatable).")
    ] = None
    killer: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A query killer (repeatable).")
    ] = None

    def said(self) -> dict[str, list[str]]:
        """The names of each family."""
        said = {family: names or [] for family, names in asdict(self).items()}
        return said if any(said.values()) else said | {"queue": [*USUAL]}


@spliced
def compare(
    log: LogName,
    policies: Policies,
    rules: Rules,
    part: Part,
    reading: ReadingOptions,
    place: Place,
    results: Results,
    on: OnOption = Driver.sim,
    costs: Costs = "default",
    replications: Replications = 1,
) -> None:
    """Replay a log under several policies and print one table, a row a policy and driver.

    Several policies of one family are compared; of the other families one at most may go with them.
    """
    from jobsim.scenario import combined

    played(
        reading.of(log, **asdict(part)),
        [rules.scenario(**names) for names in combined(policies.said())],
        results,
        on=on.value,
        costs=costs,
        replications=replications,
        **place.options(),
    )
