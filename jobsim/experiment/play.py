"""One run, simulated or live, and measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jobsim.events import Recorder
from jobsim.experiment.options import Asked, Log, Progress, as_read, asked, make_scenario, resolved
from jobsim.joblog import Reading
from jobsim.joblog.reading import PLAIN
from jobsim.outcomes import Facts, Limits, measure
from jobsim.result import Result
from jobsim.run import Run
from jobsim.scenario import As

if TYPE_CHECKING:
    from jobsim.live.database import Database


def simulate(
    log: Log,
    queue: str | None = None,
    *,
    costs: str | Path = "default",
    format: str | None = None,  # noqa: A002 - the option is called --format
    reading: Reading = PLAIN,
    window: str | None = None,
    jobs: int | None = None,
    **options: Any,
) -> Result:
    """Replay a log under a policy in the simulation.

    Parameters
    ----------
    log
        A log or its name, see :func:`jobsim.read_log`.
    costs
        ``default``, ``zero``, or a calibration's file.
    format, reading, window, jobs
        How the log of this name is read, and which part of it is played, see
        :func:`~jobsim.experiment.options.asked`.
    options
        See :func:`make_scenario`.
    """
    wanted = asked(log, format=format, reading=reading, window=window, jobs=jobs)
    return simulated(_made(wanted, queue, options), costs)


def live(
    log: Log,
    queue: str | None = None,
    *,
    database: str | Database | None = None,
    scratch: bool = False,
    yes: bool = False,
    work: str = "sleep",
    format: str | None = None,  # noqa: A002 - the option is called --format
    reading: Reading = PLAIN,
    window: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Replay a log under a policy on a live database, with real processes.

    Parameters
    ----------
    log, format, reading, window, jobs, options
        See :func:`simulate`.
    database
        A database URL; None for a throw-away server.
    scratch
        That jobsim may make its own tables in that database.
    yes
        Run even where other sessions are at work on that server.
    work
        What a live job does: ``sleep`` its time, or ``burn`` a processor for it.
    """
    wanted = asked(log, format=format, reading=reading, window=window, jobs=jobs)
    run = _made(wanted, queue, options)
    with database_of(database, scratch, yes) as opened:
        return lived(run, opened, work, progress)


def _made(log: Asked | Mapping[As, Asked], queue: str | None, options: dict[str, Any]) -> Run:
    chosen = make_scenario(queue, **options)
    return resolved(chosen, as_read(log, chosen.seed))


def simulated(run: Run, costs: str | Path, replication: int = 0) -> Result:
    facts, wall_s, settings = _played(run, costs)
    return _result(run, "sim", facts, replication, wall_s, settings)


def _played(run: Run, costs: str | Path) -> tuple[Facts, float, dict[str, Any]]:
    """What a simulated run came to; its record is given up before it is measured."""
    from jobsim.sim.costs import read_costs
    from jobsim.sim.driver import play

    record = play(run, read_costs(costs))
    settings = {"costs": record.costs.calibrated or str(costs)}
    return _facts(run, record.recorder), record.wall_s, settings


def lived(
    run: Run,
    database: Database,
    work: Any,
    progress: Progress | None,
    replication: int = 0,
) -> Result:
    from jobsim.live.perform import perform
    from jobsim.live.record import Progress as Reached
    from jobsim.policies.registry import find

    def told(reached: Reached) -> None:
        tell(progress, f"live: {run.name}", reached.final / max(reached.jobs, 1))

    database.require(find(run.family, run.name).needs, run.name)
    record = perform(run, database, work, told)
    settings = {"database": record.database, **record.settings, "ended": record.ended}
    facts = _facts(run, record.recorder)
    return _result(run, "live", facts, replication, record.wall_s, settings, record.warnings)


def _facts(run: Run, recorder: Recorder) -> Facts:
    queue = run.queue
    shows = queue is None or (queue.name != "no-control" and queue.settings.work == "after")
    return Facts.of(recorder, run.load, workers=run.workers, until_s=run.until_s, claim_shows=shows)


def _result(
    run: Run,
    driver: str,
    facts: Facts,
    replication: int,
    wall_s: float,
    settings: Mapping[str, Any],
    warnings: tuple[str, ...] = (),
) -> Result:
    """Measure a run; the same for both drivers."""
    metrics = measure(
        facts,
        driver=driver,
        name=run.name,
        family=run.family,
        seed=run.seed,
        replication=replication,
        speedup=run.speedup,
        limits=None if run.killer is None else Limits.of(run.killer.settings),
    )
    metrics["cost"]["wall_s"] = wall_s
    return Result.of(facts, metrics, run=run, settings=dict(settings), warnings=warnings)


@contextmanager
def database_of(given: str | Database | None, scratch: bool, yes: bool) -> Iterator[Database]:
    """The database of a live run: the user's, or a throw-away server for as long as it lasts."""
    from jobsim.live.database import open_database, throw_away

    if given is None:
        with throw_away() as database:
            yield database
    elif isinstance(given, str):
        yield open_database(given, scratch=scratch, yes=yes)
    else:
        yield given


def tell(progress: Progress | None, what: str, share: float) -> None:
    if progress is not None:
        progress(what, share)
