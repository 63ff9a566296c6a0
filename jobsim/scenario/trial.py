"""What a scenario file says: which policies are tried, on which logs, and how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jobsim.errors import UsageError
from jobsim.joblog import LogSpec
from jobsim.scenario.scenario import AS, Scenario
from jobsim.scenario.settings import As

Names = dict[str, str | None]
"""A policy's name of each family, or None."""


@dataclass(frozen=True)
class Trial:
    """Everything that decides a simulated comparison.

    Attributes
    ----------
    scenarios
        One for each policy that is compared.
    logs
        The log of each sort of row.
    replications
        How often each is played, with seeds that follow each other.
    costs
        What statements cost in the simulation: a name or a file.
    """

    scenarios: tuple[Scenario, ...]
    logs: Mapping[As, LogSpec]
    replications: int = 1
    costs: str = "default"

    def files(self) -> list[Trial]:
        """This trial, or one a scenario where a single file cannot say all that tells them apart.

        A file has one list of policies, of one family; all else in it holds for each of them.
        """
        alike = all(_unnamed(one) == _unnamed(self.scenarios[0]) for one in self.scenarios)
        listed = self._listed()
        if alike and len(listed) == 1 and None not in self._names(*listed):
            return [self]
        return [replace(self, scenarios=(one,), logs=self._logs_of(one)) for one in self.scenarios]

    def to_toml(self) -> str:
        """As a file that ``jobsim run`` takes; times are log seconds."""
        import tomlkit

        first = self.scenarios[0]
        how = {"replications": self.replications, "costs": self.costs}
        document: dict[str, Any] = {**how, **first.to_dict()}
        if len(self.scenarios) > 1:
            (family,) = self._listed()
            document[family] = {**document[family], "policy": self._names(family)}
        loads = [_load(first, what, spec) for what, spec in self.logs.items()]
        return str(tomlkit.dumps({**document, "load": loads}))

    def _logs_of(self, scenario: Scenario) -> Mapping[As, LogSpec]:
        """The logs of one scenario; of an only log, each takes the rows as it will."""
        if len(self.logs) > 1 or len({one.what for one in self.scenarios}) == 1:
            return self.logs
        (only,) = self.logs.values()
        return {scenario.what: only}

    def _listed(self) -> list[str]:
        """The families in which the scenarios differ; the first one's where they do in none."""
        differing = [family for family in AS if len(set(self._names(family))) > 1]
        return differing or [self.scenarios[0].family]

    def _names(self, family: str) -> list[str | None]:
        return [scenario.policy_of(family) for scenario in self.scenarios]


def _unnamed(scenario: Scenario) -> Scenario:
    """A scenario without the names of its policies, which are all that a file can list."""
    return replace(scenario, queue=None, lease=None, killer=None, rows=scenario.what)


def _load(scenario: Scenario, what: As, spec: LogSpec) -> dict[str, Any]:
    touching = {"touching": scenario.touching} if what == "statements" else {}
    return {"log": spec.log, "as": what, "denser": scenario.load, **touching, **spec.said()}


def combined(policies: Mapping[str, Sequence[str]]) -> list[Names]:
    """The policy of each family in each run, where several of one family are compared.

    Raises
    ------
    UsageError
        Several of more than one family: it would not be clear what is compared.
    """
    if sum(len(names) > 1 for names in policies.values()) > 1:
        raise UsageError("compare several policies of one family, and at most one of the others")
    several = max(policies.values(), key=len)
    each: Sequence[str | None] = several or [None]
    return [
        {
            family: name if names is several else next(iter(names), None)
            for family, names in policies.items()
        }
        for name in each
    ]
