"""Several policies on one log: simulated, live, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jobsim.errors import UsageError
from jobsim.experiment.comparison import Comparison
from jobsim.experiment.options import Log, On, Progress, as_read, asked, make_scenario, resolved
from jobsim.experiment.play import database_of, lived, simulated, tell
from jobsim.joblog import Reading
from jobsim.joblog.reading import PLAIN
from jobsim.outcomes import as_logged, replicated
from jobsim.result import Result
from jobsim.run import Run
from jobsim.scenario import As, Scenario


def compare(
    log: Log,
    policies: Sequence[str | Scenario],
    *,
    family: str = "queue",
    on: On = "sim",
    replications: int = 1,
    costs: str | Path = "default",
    database: str | None = None,
    scratch: bool = False,
    yes: bool = False,
    work: str = "sleep",
    format: str | None = None,  # noqa: A002 - the option is called --format
    reading: Reading = PLAIN,
    window: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Comparison:
    """Replay a log under several policies, simulated, live or both.

    A policy is given by name, of the family that is compared, and then takes the options, or as a
    whole scenario. ``format``, ``reading``, ``window`` and ``jobs`` say how the log of this name is
    read, and which part of it is played, see :func:`~jobsim.experiment.options.asked`.

    Live repetitions are interleaved between the policies, so that what the machine does meanwhile
    meets them alike.
    """
    chosen = [
        one if isinstance(one, Scenario) else make_scenario(**{**options, family: one})
        for one in policies
    ]
    if not chosen or replications < 1:
        raise UsageError("a comparison needs at least one policy and one replication")
    wanted = asked(log, format=format, reading=reading, window=window, jobs=jobs)
    read = as_read(wanted, chosen[0].seed)
    runs = [
        [resolved(replace(one, seed=one.seed + replication), read) for one in chosen]
        for replication in range(replications)
    ]
    results: list[Result] = []
    if on in ("live", "both"):
        results += _all_live(runs, database, scratch, yes, work, progress)
    if on in ("sim", "both"):
        for at, (replication, run) in enumerate(_in_turn(runs)):
            tell(progress, f"simulating {run.name}", at / (len(chosen) * replications))
            results.append(simulated(run, costs, replication))
    tell(progress, "done", 1.0)
    logs = _by_what(read, chosen[0])
    logged = as_logged(next(iter(logs.values())).jobs) if len(logs) == 1 else None
    merged = [_merge(group) for group in _groups(results, len(chosen))]
    head = [] if logged is None else [logged]
    return Comparison(
        logged,
        tuple(results),
        tuple(head + merged),
        tuple(chosen),
        _by_what(wanted, chosen[0]),
        logs,
        replications,
        str(costs),
    )


def _by_what(log: Any, scenario: Scenario) -> Mapping[As, Any]:
    return log if isinstance(log, Mapping) else {scenario.what: log}


def _in_turn(runs: list[list[Run]]) -> list[tuple[int, Run]]:
    return [(replication, run) for replication, row in enumerate(runs) for run in row]


def _all_live(
    runs: list[list[Run]],
    database: str | None,
    scratch: bool,
    yes: bool,
    work: str,
    progress: Progress | None,
) -> list[Result]:
    from jobsim.policies.registry import find

    turns = _in_turn(runs)
    results = []
    with database_of(database, scratch, yes) as opened:
        for _, run in turns:
            opened.require(find(run.family, run.name).needs)
        for at, (replication, run) in enumerate(turns):

            def told(what: str, share: float, at: int = at, name: str = run.name) -> None:
                tell(progress, f"live: {name}", (at + share) / len(turns))

            results.append(lived(run, opened, work, told, replication))
    return results


def _groups(results: list[Result], policies: int) -> list[list[Result]]:
    """The replications of each policy and driver; results come policy by policy, in turn."""
    played = [[one for one in results if one.driver == driver] for driver in ("live", "sim")]
    return [by[at::policies] for at in range(policies) for by in played if by]


def _merge(group: list[Result]) -> dict[str, Any]:
    metrics = [dict(one.metrics) for one in group]
    return metrics[0] if len(metrics) == 1 else replicated(metrics)
