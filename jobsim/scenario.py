"""One run or one comparison as a value: what the command line, a file and a notebook say.

A scenario knows names and numbers as people give them, in log time. :func:`Scenario.resolve` makes
a :class:`jobsim.run.Run` of it for a given log, in run seconds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from jobsim.effects import Index
from jobsim.errors import UsageError
from jobsim.faults import Fault, make_fault, parse_fault
from jobsim.policies.registry import find
from jobsim.policies.settings import OUR_WORD, nearest, read_settings
from jobsim.run import Load, Run

if TYPE_CHECKING:
    from jobsim.joblog import JobLog

As = Literal["jobs", "firings", "statements"]


@dataclass(frozen=True)
class TriggerSettings:
    """What makes a worker look for work.

    Attributes
    ----------
    policy
        ``resident``: workers stay and look again.
    wake
        ``poll`` each ``poll_s``, or ``notify``: woken at the instant a job falls due.
    poll_s
        Time between two looks of an idle worker.
    """

    policy: Literal["resident"] = "resident"
    wake: Literal["poll", "notify"] = "poll"
    poll_s: float = 1.0


@dataclass(frozen=True)
class DatabaseSettings:
    """The server and the table as they are found.

    Attributes
    ----------
    isolation
        Of every transaction; REPEATABLE READ is the default of MariaDB and MySQL.
    index
        ``composite`` is (status, created_at, id), ``status`` that column alone, ``none`` no index;
        or columns, separated by commas.
    round_trip_s
        Network time of a statement, added to what it costs.
    """

    isolation: Literal["repeatable-read", "read-committed"] = "repeatable-read"
    index: tuple[str, ...] = ("composite",)
    round_trip_s: float = 0.0

    @property
    def indexes(self) -> tuple[Index, ...]:
        named: dict[tuple[str, ...], tuple[Index, ...]] = {
            ("none",): (),
            ("status",): (Index(("status",)),),
            ("composite",): (Index(("status", "created_at", "id")),),
        }
        return named.get(self.index, (Index(self.index),))


@dataclass(frozen=True)
class Scenario:
    """Everything that decides a run but the log itself.

    Attributes
    ----------
    queue
        The queue policy's name.
    settings
        Parameters as given, ``{"queue": {"batch": 10}, ...}``; what is absent is at its default.
    speedup
        Every time of the log, of the policies and of the faults is divided by this.
    until_s
        The horizon in log seconds; None for last submission + longest run time + three times the
        longest time-out.
    """

    queue: str = "skip-locked"
    workers: int | None = None
    seed: int = 1
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    speedup: float = 1.0
    load: float = 1.0
    until_s: float | None = None

    def resolve(self, log: JobLog) -> Run:
        """The run of this scenario on a log, in run seconds.

        Raises
        ------
        UsageError
            An unknown policy or parameter, a contradiction, or a log that cannot be replayed.
        """
        trigger = read_settings("trigger", TriggerSettings, dict(self.settings.get("trigger", {})))
        database = read_settings(
            "database", DatabaseSettings, dict(self.settings.get("database", {}))
        )
        policy = find("queue", self.queue).build(self.settings.get("queue"))
        workers = self.workers or log.workers or DEFAULT_WORKERS
        load = make_load(log, self.load, self.speedup)
        settings = faster(policy.settings, self.speedup)
        queue = replace(policy, settings=settings, jobs=policy.jobs.indexed(*database.indexes))
        _check_index(queue.jobs.columns, database.indexes)
        return Run(
            name=self.queue,
            family="queue",
            seed=self.seed,
            workers=workers,
            queue=queue,
            load=load,
            isolation=database.isolation,
            poll_s=trigger.poll_s / self.speedup,
            notify=trigger.wake == "notify",
            until_s=self._horizon_s(load, settings),
            speedup=self.speedup,
            round_trip_s=database.round_trip_s,
            faults=tuple(fault.faster(self.speedup) for fault in self.faults),
            parameters={
                "queue": {"policy": self.queue, **asdict(policy.settings)},
                "trigger": asdict(trigger),
                "database": asdict(database),
            },
        )

    def _horizon_s(self, load: Load, settings: Any) -> float:
        if self.until_s is not None:
            return self.until_s / self.speedup
        if not len(load):
            return 0.0
        return float(load.submit_s[-1] + load.run_s.max() + 3 * settings.reclaim_s)

    def to_toml(self) -> str:
        """As a file that ``jobsim run`` takes."""
        import tomlkit

        document: dict[str, Any] = {"seed": self.seed}
        if self.workers is not None:
            document["workers"] = self.workers
        for name in ("speedup", "load", "until_s"):
            if getattr(self, name) not in (None, 1.0):
                document[name] = getattr(self, name)
        document["queue"] = {"policy": self.queue, **self.settings.get("queue", {})}
        document |= {
            family: dict(given) for family, given in self.settings.items() if family != "queue"
        }
        if self.faults:
            document["fault"] = [
                {k: v for k, v in asdict(fault).items() if v is not None} for fault in self.faults
            ]
        return str(tomlkit.dumps(document))


DEFAULT_WORKERS = 4
FAMILIES = ("queue", "retry", "lease", "killer", "trigger", "database")


def _check_index(columns: tuple[Any, ...], indexes: tuple[Index, ...]) -> None:
    known = [column.name for column in columns]
    for index in indexes:
        for name in index.columns:
            if name not in known:
                words = ["none", "status", "composite", *known]
                raise UsageError(f"database.index: unknown column {name!r}; {nearest(name, words)}")


def make_load(log: JobLog, denser: float, speedup: float) -> Load:
    """The jobs of a log in run seconds; those without a run time cannot be replayed.

    Raises
    ------
    UsageError
        No job has both a submit and a run time.
    """
    jobs = log.jobs
    usable = jobs["submit_s"].notna() & jobs["run_s"].notna()
    if not usable.any():
        raise UsageError(
            f"{log.name}: no job has both a submit time and a run time, nothing can be replayed"
        )
    jobs = jobs[usable]
    kinds = jobs["kind"].astype("string").fillna("").astype("category")
    submit_s = jobs["submit_s"].to_numpy(dtype=float)
    return Load(
        submit_s=(submit_s - submit_s[0]) / denser / speedup,
        run_s=jobs["run_s"].to_numpy(dtype=float) / speedup,
        fails=(jobs["outcome"].astype("string") == "failed").fillna(False).to_numpy(dtype=bool),
        kind=kinds.cat.codes.to_numpy().astype(np.int32),
        kinds=tuple(map(str, kinds.cat.categories)),
    )


def faster(settings: Any, speedup: float) -> Any:
    """Settings with every time divided by ``speedup``: each field whose name ends in ``_s``."""
    times = {
        f.name: getattr(settings, f.name) / speedup
        for f in fields(settings)
        if f.name.endswith("_s") and getattr(settings, f.name) is not None
    }
    return replace(settings, **times)


def parse_assignments(texts: list[str]) -> dict[str, dict[str, Any]]:
    """``queue.batch=10`` and its like, by family.

    Raises
    ------
    UsageError
        No ``family.parameter=value``, or a family that is not known.
    """
    settings: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        family, dot, parameter = name.strip().partition(".")
        if not (equals and dot):
            word = f"; here it is called {OUR_WORD[family]}" if family in OUR_WORD else ""
            raise UsageError(f"{text!r}: write family.parameter=value, as queue.batch=10{word}")
        if family not in FAMILIES:
            raise UsageError(f"{text!r}: unknown family {family!r}; {nearest(family, [*FAMILIES])}")
        settings.setdefault(family, {})[parameter] = value.strip()
    return settings


TOP = ("seed", "workers", "speedup", "load", "until_s", "fault", *FAMILIES)


def read_scenario(path: str | Path) -> tuple[Scenario, str | None]:
    """A scenario's file, and the log that it names.

    Raises
    ------
    UsageError
        Not TOML, or it holds what a scenario does not have.
    """
    try:
        given = tomllib.loads(Path(path).read_text())
    except FileNotFoundError:
        raise UsageError(f"no scenario file {path}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a scenario: {error}") from None
    for key in given:
        if key not in TOP:
            raise UsageError(f"{path}: unknown key {key!r}; {nearest(key, list(TOP))}")
    return _scenario(given), _log_of(given.get("load"))


def _scenario(given: dict[str, Any]) -> Scenario:
    families = {name: dict(given[name]) for name in FAMILIES if name in given}
    queue = families.get("queue", {}).pop("policy", "skip-locked")
    faults = [f if isinstance(f, dict) else parse_fault(f) for f in given.get("fault", [])]
    return Scenario(
        queue=queue,
        workers=given.get("workers"),
        seed=given.get("seed", 1),
        settings=families,
        faults=tuple(f if isinstance(f, Fault) else make_fault(f) for f in faults),
        speedup=given.get("speedup", 1.0),
        until_s=given.get("until_s"),
    )


def _log_of(loads: Any) -> str | None:
    return loads[0].get("log") if isinstance(loads, list) and loads else None
