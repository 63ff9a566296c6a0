"""What a person does with a log: simulate it, run it live, compare policies.

Everything that the command line does is one call of a function here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from jobsim.errors import UsageError
from jobsim.faults import Fault, parse_fault
from jobsim.joblog import JobLog, read_log
from jobsim.outcomes import Facts, Limits, as_logged, measure, replicated
from jobsim.result import Result
from jobsim.run import Run
from jobsim.scenario import As, Scenario, parse_assignments

if TYPE_CHECKING:
    import pandas as pd

    from jobsim.live.database import Database

On = Literal["sim", "live", "both"]
Progress = Callable[[str, float], None]
"""Told what is being done, and which share of it is done."""


def make_scenario(
    queue: str | None = None,
    *,
    lease: str | None = None,
    killer: str | None = None,
    rows: As | None = None,
    workers: int | None = None,
    seed: int = 1,
    set: Mapping[str, Any] | Sequence[str] = (),  # noqa: A002 - the option is called --set
    faults: Iterable[Fault | str] = (),
    speedup: float = 1.0,
    load: float = 1.0,
    until_s: float | None = None,
) -> Scenario:
    """A scenario from the options that every command shares.

    Parameters
    ----------
    queue, lease, killer
        A policy of each family; the first that is given says what a row of the log is.
    rows
        What a row of the log is, where it should be something else.
    set
        ``{"queue.batch": 10}`` or ``["queue.batch=10"]``.
    faults
        :class:`~jobsim.faults.Fault` or texts such as ``kind=kill,worker=0,at=work,nth=5``.

    Raises
    ------
    UsageError
        A name or a value that is not known, with the nearest that is.
    """
    if speedup <= 0 or load <= 0:
        raise UsageError("speedup and load are factors above 0")
    if seed < 0:
        raise UsageError(f"seed = {seed}: it takes a whole number from 0")
    if workers is not None and workers < 1:
        raise UsageError(f"workers = {workers}: a run needs at least one worker")
    texts = set if not isinstance(set, Mapping) else [f"{k}={_text(v)}" for k, v in set.items()]
    return Scenario(
        queue=queue,
        lease=lease,
        killer=killer,
        rows=rows,
        workers=workers,
        seed=seed,
        settings=parse_assignments(list(texts)),
        faults=tuple(f if isinstance(f, Fault) else parse_fault(f) for f in faults),
        speedup=speedup,
        load=load,
        until_s=until_s,
    )


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


Log: TypeAlias = "JobLog | str | Path | Mapping[As, JobLog]"
"""A log, its name, or one log for each sort of row."""


def as_log(log: Log, jobs: int | None = None, seed: int = 1) -> JobLog | Mapping[As, JobLog]:
    """A log, read where only its name is given, and its first ``jobs`` jobs."""
    if isinstance(log, Mapping):
        return log
    if not isinstance(log, JobLog):
        log = read_log(log, seed=seed)
    return log if jobs is None else log.first(jobs)


def simulate(
    log: Log,
    queue: str | None = None,
    *,
    costs: str | Path = "default",
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
    options
        See :func:`make_scenario`.
    """
    chosen = make_scenario(queue, **options)
    return _simulated(_resolved(chosen, as_log(log, jobs, chosen.seed)), costs)


def live(
    log: Log,
    queue: str | None = None,
    *,
    database: str | Database | None = None,
    scratch: bool = False,
    yes: bool = False,
    work: str = "sleep",
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Replay a log under a policy on a live database, with real processes.

    Parameters
    ----------
    database
        A database URL; None for a throw-away server.
    scratch
        That jobsim may make its own tables in that database.
    yes
        Run even where other sessions are at work on that server.
    work
        What a live job does: ``sleep`` its time, or ``burn`` a processor for it.
    """
    chosen = make_scenario(queue, **options)
    run = _resolved(chosen, as_log(log, jobs, chosen.seed))
    with _database(database, scratch, yes) as opened:
        return _lived(run, opened, work, progress)


@dataclass(frozen=True)
class Comparison:
    """Runs side by side: what the log itself says, then a run a policy and driver."""

    logged: dict[str, Any] | None
    results: tuple[Result, ...]
    metrics: tuple[dict[str, Any], ...]
    """The log's own first where it has start times; replications of a run are merged into one."""
    scenarios: tuple[Scenario, ...]
    log: str | Mapping[As, str]
    """The log's name or path, or one for each sort of row, as a scenario file says it."""

    def to_dict(self) -> dict[str, Any]:
        """The document that ``--json`` prints."""
        return {"runs": list(self.metrics)}

    def regime(self) -> str:
        """How near to its limits the queue's table was: empty where no queue was played."""
        from jobsim.comparison import regime

        run = self.results[0].run
        if run.queue is None:
            return ""
        load = run.load
        return regime(load.submit_s, load.run_s, run.workers, list(self.metrics))

    def warnings(self) -> list[str]:
        """What to be careful with, each once."""
        return list(
            dict.fromkeys(
                f"{one.name} ({one.driver}): {warning}"
                for one in self.results
                for warning in one.warnings
            )
        )

    def table(self) -> Any:
        """One row a policy and driver, for a terminal."""
        from jobsim.comparison import comparison_table

        return comparison_table(list(self.metrics))

    def frame(self) -> pd.DataFrame:
        """The same as a data frame, its columns named as the metrics are."""
        from jobsim.comparison import comparison_frame

        return comparison_frame(list(self.metrics))

    def how_close(self) -> pd.DataFrame:
        """Simulated over live, a row a metric and a column a policy; 1 is the same."""
        import pandas as pd

        from jobsim.comparison import how_close

        return pd.DataFrame(how_close(list(self.metrics))).dropna(how="all")

    def _repr_html_(self) -> str:
        told = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences())
        table = self.frame().round(3).to_html(na_rep="-")
        return f"{table}<ul>{told}</ul>"

    def sentences(self) -> list[str]:
        """One sentence a policy that says what the numbers mean."""
        from jobsim.comparison import sentences

        return sentences(list(self.metrics))

    def save(self, folder: str | Path, command: str = "") -> list[str]:
        """Write every run with its records, the metrics, the scenario and the plots."""
        from jobsim.plots import save_all

        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        saved = self._folders()
        for name, one in zip(saved, self.results, strict=True):
            one.save(folder / name, command)
        metrics = folder / "metrics.json"
        metrics.write_text(json.dumps(self.to_dict(), indent=1) + "\n")
        (folder / "scenario.toml").write_text(self.scenarios[0].to_toml(self.log))
        plots = save_all(list(self.results), folder)
        return [*saved, metrics.name, "scenario.toml", *(path.name for path in plots)]

    def _folders(self) -> list[str]:
        """A name a result; those of several scenarios of one policy are numbered."""
        names: list[str] = []
        seen = Counter[str]()
        for one in self.results:
            replication = one.metrics["replication"]
            name = f"{one.name}-{one.driver}" + (f"-{replication}" if replication else "")
            seen[name] += 1
            names.append(name if seen[name] == 1 else f"{name}-variant-{seen[name]}")
        return names


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
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Comparison:
    """Replay a log under several policies, simulated, live or both.

    A policy is given by name, of the family that is compared, and then takes the options, or as a
    whole scenario.

    Live repetitions are interleaved between the policies, so that what the machine does meanwhile
    meets them alike.
    """
    chosen = [
        one if isinstance(one, Scenario) else make_scenario(**{**options, family: one})
        for one in policies
    ]
    if not chosen or replications < 1:
        raise UsageError("a comparison needs at least one policy and one replication")
    read = as_log(log, jobs, chosen[0].seed)
    runs = [
        [_resolved(replace(one, seed=one.seed + replication), read) for one in chosen]
        for replication in range(replications)
    ]
    results: list[Result] = []
    if on in ("live", "both"):
        results += _all_live(runs, database, scratch, yes, work, progress)
    if on in ("sim", "both"):
        for at, (replication, run) in enumerate(_in_turn(runs)):
            _tell(progress, f"simulating {run.name}", at / (len(chosen) * replications))
            results.append(_simulated(run, costs, replication))
    _tell(progress, "done", 1.0)
    logged = as_logged(read.jobs) if isinstance(read, JobLog) else None
    merged = [_merge(group) for group in _groups(results, len(chosen))]
    head = [] if logged is None else [logged]
    return Comparison(logged, tuple(results), tuple(head + merged), tuple(chosen), _source(read))


def _resolved(scenario: Scenario, read: JobLog | Mapping[As, JobLog]) -> Run:
    from jobsim.explain import check_steps

    run = scenario.resolve(read)
    check_steps(run)
    return run


def _source(read: JobLog | Mapping[As, JobLog]) -> str | dict[As, str]:
    if isinstance(read, JobLog):
        return read.source
    return {what: log.source for what, log in read.items()}


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
    with _database(database, scratch, yes) as opened:
        for _, run in turns:
            opened.require(find(run.family, run.name).needs)
        for at, (replication, run) in enumerate(turns):

            def told(what: str, share: float, at: int = at, name: str = run.name) -> None:
                _tell(progress, f"live: {name}", (at + share) / len(turns))

            results.append(_lived(run, opened, work, told, replication))
    return results


def _groups(results: list[Result], policies: int) -> list[list[Result]]:
    """The replications of each policy and driver; results come policy by policy, in turn."""
    played = [[one for one in results if one.driver == driver] for driver in ("live", "sim")]
    return [by[at::policies] for at in range(policies) for by in played if by]


def _merge(group: list[Result]) -> dict[str, Any]:
    metrics = [dict(one.metrics) for one in group]
    return metrics[0] if len(metrics) == 1 else replicated(metrics)


def _tell(progress: Progress | None, what: str, share: float) -> None:
    if progress is not None:
        progress(what, share)


def _simulated(run: Run, costs: str | Path, replication: int = 0) -> Result:
    from jobsim.sim.costs import read_costs
    from jobsim.sim.driver import play

    record = play(run, read_costs(costs))
    told = {"costs": record.costs.calibrated or str(costs)}
    return _result(run, "sim", record.recorder, replication, record.wall_s, told)


def _lived(
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
        _tell(progress, f"live: {run.name}", reached.final / max(reached.jobs, 1))

    database.require(find(run.family, run.name).needs, run.name)
    record = perform(run, database, work, told)
    settings = {"database": record.database, **record.settings, "ended": record.ended}
    return _result(
        run, "live", record.recorder, replication, record.wall_s, settings, record.warnings
    )


def _result(
    run: Run,
    driver: str,
    recorder: Any,
    replication: int,
    wall_s: float,
    settings: Mapping[str, Any],
    warnings: tuple[str, ...] = (),
) -> Result:
    """Measure a run; the same for both drivers."""
    queue = run.queue
    shows = queue is None or (queue.name != "no-control" and queue.settings.work == "after")
    facts = Facts.of(
        recorder, run.load, workers=run.workers, until_s=run.until_s, claim_shows=shows
    )
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
def _database(given: str | Database | None, scratch: bool, yes: bool) -> Iterator[Database]:
    """The database of a live run: the user's, or a throw-away server for as long as it lasts."""
    from jobsim.live.database import open_database, throw_away

    if given is None:
        with throw_away() as database:
            yield database
    elif isinstance(given, str):
        yield open_database(given, scratch=scratch, yes=yes)
    else:
        yield given
