"""Every policy by name: its family, one line on it, its parameters, what it needs of a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from jobsim.errors import UsageError
from jobsim.policies.killer import Killer, KillerSettings
from jobsim.policies.lease import ACQUIRES, Lease, LeaseSettings
from jobsim.policies.queue import (
    CLAIMS,
    COMPLETED,
    FAILED,
    JOBS,
    LOCKING,
    PENDING,
    Queue,
    QueueSettings,
)
from jobsim.policies.settings import read_settings
from jobsim.words import nearest


@dataclass(frozen=True)
class PolicyInfo:
    """A named policy.

    Attributes
    ----------
    settings
        The dataclass of its family's parameters.
    defaults
        Where its own defaults differ from the family's.
    needs
        The least server version that can do it, by dialect; empty where any can.
    make
        Builds the policy from its settings.
    """

    name: str
    family: str
    summary: str
    settings: type[Any]
    make: Callable[[str, Any], Any] = field(repr=False)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)

    def parameters(self) -> dict[str, Any]:
        """Every parameter with its default."""
        own = replace(self.settings(), **self.defaults)
        return {f.name: getattr(own, f.name) for f in fields(own)}

    def build(self, given: Mapping[str, Any] | None = None) -> Any:
        """The policy with these parameters; everything else at its default.

        Raises
        ------
        UsageError
            An unknown parameter, a value that does not fit, or parameters that contradict.
        """
        defaults = dict(self.defaults)
        if (given or {}).get("work") == "inside":
            defaults.pop("reclaim", None)  # the lock goes with its holder: nothing to reclaim
        settings = read_settings(self.family, self.settings, {**defaults, **(given or {})})
        return self.make(self.name, settings)


SKIP_LOCKED_NEEDS = {"mariadb": "10.6", "mysql": "8.0", "postgresql": "9.5"}
"""Least versions with SKIP LOCKED, from the servers' own manuals."""


def _make_queue(name: str, settings: QueueSettings) -> Queue:
    if settings.batch < 1:
        raise UsageError("queue.batch = 0: a claim takes at least one job")
    if settings.work == "inside":
        if name not in LOCKING:
            raise UsageError(
                f"{name} has no claim transaction to work inside of; "
                f"queue.work = 'inside' goes with {' or '.join(sorted(LOCKING))}"
            )
        if settings.fence != "none" or settings.reclaim != "never":
            raise UsageError(
                "queue.work = 'inside' holds the row's lock to the end: "
                "there is nothing to fence or to reclaim, leave both at their default"
            )
    _check_status(settings.claimed_name)
    _take_time("queue", settings, "sweep_s", *(["reclaim_s"] * (settings.reclaim == "renew")))
    return Queue(name, settings, take=CLAIMS[name])


def _check_status(name: str) -> None:
    if name in (PENDING, COMPLETED, FAILED):
        raise UsageError(f"queue.claimed_name = {name!r} is another status's name")
    width = next(column.width for column in JOBS.columns if column.name == "status")
    if not 0 < len(name) <= width:
        raise UsageError(f"queue.claimed_name = {name!r}: a status has 1 to {width} letters")


def _take_time(family: str, settings: Any, *names: str) -> None:
    """Refuse a time of nought between two looks: whoever looks would do nothing else."""
    for name in names:
        if getattr(settings, name) == 0:
            raise UsageError(f"{family}.{name} = 0: there must be time between two looks")


def _queue(
    name: str, summary: str, needs: Mapping[str, str] | None = None, **defaults: Any
) -> PolicyInfo:
    return PolicyInfo(name, "queue", summary, QueueSettings, _make_queue, defaults, needs or {})


def _lease(name: str, summary: str, **defaults: Any) -> PolicyInfo:
    return PolicyInfo(name, "lease", summary, LeaseSettings, _make_lease, defaults)


def _make_lease(name: str, settings: LeaseSettings) -> Lease:
    if settings.renew_s is not None and settings.renew_s >= settings.timeout_s:
        raise UsageError(
            f"lease.renew_s = {settings.renew_s:g}: a holder that renews less often than "
            f"lease.timeout_s = {settings.timeout_s:g} loses its lease each time"
        )
    _take_time("lease", settings, "renew_s")
    return Lease(name, settings, take=ACQUIRES[name])


def _make_killer(name: str, settings: KillerSettings) -> Killer:
    _take_time("killer", settings, "interval_s")
    for parameter in ("ignore_info", "match_info"):
        try:
            re.compile(getattr(settings, parameter) or "")
        except re.error as error:
            raise UsageError(f"killer.{parameter}: no regular expression: {error}") from None
    return Killer(name, settings)


POLICIES: tuple[PolicyInfo, ...] = (
    _queue("no-control", "take what is pending and tell nobody; every worker takes the same"),
    _queue("taken-flag", "read, then put a flag up; between the two anybody may do the same"),
    _queue("guarded-flag", "put the flag up only where it is still down, and look whether it was"),
    _queue("for-update", "lock the rows that are read; other workers wait for the commit"),
    _queue(
        "skip-locked",
        "lock the rows that are read; other workers step past them",
        SKIP_LOCKED_NEEDS,
        reclaim="after",
    ),
    _lease(
        "process-watcher",
        "a row without an end time means somebody runs; after three hours it is deleted",
    ),
    _lease(
        "heartbeat",
        "the holder moves a timestamp, a dead one loses its place in minutes, and is turned away",
        timeout_s=300.0,
        renew_s=60.0,
        enforced=True,
        release="finally",
    ),
    PolicyInfo(
        "busy-time",
        "killer",
        "every so often, kill whatever statement has run longer than a limit",
        KillerSettings,
        _make_killer,
    ),
)


def families() -> list[str]:
    """The families of policies, in the order in which the first one given rules a load."""
    return list(dict.fromkeys(policy.family for policy in POLICIES))


def find(family: str, name: str) -> PolicyInfo:
    """A policy by its family and name.

    Raises
    ------
    UsageError
        No such policy; names the nearest one.
    """
    known = {policy.name: policy for policy in POLICIES if policy.family == family}
    if name not in known:
        elsewhere = [policy.family for policy in POLICIES if policy.name == name]
        hint = f"it is a {elsewhere[0]} policy" if elsewhere else nearest(name, list(known))
        raise UsageError(f"unknown {family} policy {name!r}; {hint}")
    return known[name]
