"""A scenario as a value, and the run that it makes of a log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jobsim.errors import UsageError
from jobsim.faults import Fault
from jobsim.policies.registry import find
from jobsim.policies.settings import read_settings
from jobsim.run import Load, Run
from jobsim.scenario.load import make_load
from jobsim.scenario.settings import (
    FAMILIES,
    As,
    DatabaseSettings,
    TriggerSettings,
    check_index,
    faster,
)

if TYPE_CHECKING:
    from jobsim.joblog import JobLog

AS: dict[str, As] = {"queue": "jobs", "lease": "firings", "killer": "statements"}
"""What a row of the log is for a family."""
DEFAULT_QUEUE = "skip-locked"
DEFAULT_WORKERS = 4


@dataclass(frozen=True)
class Scenario:
    """Everything that decides a run but the logs themselves.

    Attributes
    ----------
    queue, lease, killer
        A policy's name of each family, or None. The first that is given names the run, and says
        what a row of the log is: a job, a firing of its kind, a statement.
    rows
        What a row of the log is, where it should be something else.
    settings
        Parameters as given, ``{"queue": {"batch": 10}, ...}``; what is absent is at its default.
    speedup
        Every time of the log, of the policies and of the faults is divided by this.
    load
        Arrivals this many times as dense, run times as they were.
    until_s
        The horizon in log seconds; None for last submission + longest run time + three times the
        longest time-out.
    touching
        Which share of the statements lock the row of their kind and hold it to their end.
    """

    queue: str | None = None
    lease: str | None = None
    killer: str | None = None
    rows: As | None = None
    workers: int | None = None
    seed: int = 1
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    speedup: float = 1.0
    load: float = 1.0
    until_s: float | None = None
    touching: float = 0.25

    @property
    def family(self) -> str:
        """The first family that is given; a queue where none is."""
        given = (("queue", self.queue), ("lease", self.lease), ("killer", self.killer))
        return next((family for family, name in given if name is not None), "queue")

    @property
    def name(self) -> str:
        """The policy that names the run."""
        return getattr(self, self.family) or DEFAULT_QUEUE

    @property
    def what(self) -> As:
        """What a row of the log is."""
        return self.rows or AS[self.family]

    def resolve(self, logs: JobLog | Mapping[As, JobLog]) -> Run:
        """The run of this scenario on a log, or on one log for each sort of row, in run seconds.

        Raises
        ------
        UsageError
            An unknown policy or parameter, a contradiction, or a log that cannot be replayed.
        """
        by_what: Mapping[As, JobLog] = logs if isinstance(logs, Mapping) else {self.what: logs}
        trigger = self._read("trigger", TriggerSettings)
        if trigger.poll_s == 0:
            raise UsageError("trigger.poll_s = 0: there must be time between two looks")
        database = self._read("database", DatabaseSettings)
        policies = self._policies(by_what)
        load = make_load(by_what, self.load, self.speedup, self.touching, self.seed)
        fast = {
            family: replace(policy, settings=faster(policy.settings, self.speedup))
            for family, policy in policies.items()
        }
        if "queue" in fast:
            jobs = fast["queue"].jobs
            check_index(jobs.columns, database.indexes)
            fast["queue"] = replace(fast["queue"], jobs=jobs.indexed(*database.indexes))
        return Run(
            name=self.name,
            family=self.family,
            seed=self.seed,
            workers=self._workers(by_what),
            load=load,
            isolation=database.isolation,
            poll_s=trigger.poll_s / self.speedup,
            notify=trigger.wake == "notify",
            until_s=self._horizon_s(load, fast),
            **fast,
            speedup=self.speedup,
            round_trip_s=database.round_trip_s,
            faults=tuple(fault.faster(self.speedup) for fault in self.faults),
            parameters={
                **{f: {"policy": p.name, **asdict(p.settings)} for f, p in policies.items()},
                "trigger": asdict(trigger),
                "database": asdict(database),
            },
        )

    def _read(self, family: str, settings: type[Any]) -> Any:
        return read_settings(family, settings, dict(self.settings.get(family, {})))

    def _policies(self, logs: Mapping[As, JobLog]) -> dict[str, Any]:
        """The policies of the run by family; rows of a log need the one that plays them."""
        names = {"queue": self.queue, "lease": self.lease, "killer": self.killer}
        if "jobs" in logs and self.queue is None:
            names["queue"] = DEFAULT_QUEUE
        if "firings" in logs and self.lease is None:
            raise UsageError("rows of the log as firings need a lease, as --lease process-watcher")
        idle = [AS[f] for f in ("queue", "lease") if names[f] is not None and AS[f] not in logs]
        if idle:
            raise UsageError(f"a {self.name} run with no {idle[0]}: add a load as = {idle[0]!r}")
        return {
            family: find(family, name).build(self.settings.get(family))
            for family, name in names.items()
            if name is not None
        }

    def _workers(self, logs: Mapping[As, JobLog]) -> int:
        if "jobs" not in logs:
            return self.workers or 0
        return self.workers or logs["jobs"].workers or DEFAULT_WORKERS

    def _horizon_s(self, load: Load, policies: Mapping[str, Any]) -> float:
        if self.until_s is not None:
            return self.until_s / self.speedup
        timeouts_s = [0.0]
        if "queue" in policies:
            timeouts_s.append(policies["queue"].settings.reclaim_s)
        if "lease" in policies:
            timeouts_s.append(policies["lease"].settings.timeout_s)
        return float(load.submit_s[-1] + load.run_s.max() + 3 * max(timeouts_s))

    def policy_of(self, family: str) -> str | None:
        """The name of the policy of a family, or None."""
        name: str | None = self.name if family == self.family else getattr(self, family, None)
        return name

    def to_dict(self) -> dict[str, Any]:
        """By the keys of a scenario file, the loads left out; times are log seconds."""
        document: dict[str, Any] = {"seed": self.seed}
        for name, usual in (("workers", None), ("speedup", 1.0), ("until_s", None)):
            if getattr(self, name) != usual:
                document[name] = getattr(self, name)
        for family in FAMILIES:
            policy = self.policy_of(family)
            given = dict(self.settings.get(family, {}))
            if policy or given:
                document[family] = ({"policy": policy} if policy else {}) | given
        if self.faults:
            document["fault"] = [fault.to_dict() for fault in self.faults]
        return document
