"""Scheduled runs under a lease: the cron that starts them, and one run of a kind."""

from __future__ import annotations

from collections.abc import Iterable

from jobsim.effects import Attempt, ChangedSinceRead, Deadlock, LockTimeout, Script
from jobsim.policies.lease import Lease
from jobsim.roles.common import (
    claimed,
    connect,
    disconnect,
    finished,
    held,
    released,
    sleep_until,
    spawn,
    start,
    wait,
)


def cron(firings: Iterable[tuple[float, list[int]]], role: str) -> Script[None]:
    """Start a process for each firing, at its instant, and look at nothing else."""
    for t_s, numbers in firings:
        yield from sleep_until(t_s)
        for number in numbers:
            yield from spawn(role, number)


def firing(lease: Lease, kind: str, number: int) -> Script[None]:
    """One scheduled run: ask for the lease, work, give it back.

    Whether a refusal keeps it from running is ``enforced``; whether an exception on the way leaves
    the lease behind is ``release``.
    """
    yield from connect()
    attempt = Attempt(number, 1)
    granted = yield from acquire(lease, kind, number)
    if lease.settings.enforced and not granted:
        yield from finished([attempt], "skipped")
        yield from disconnect()
        return
    yield from claimed([attempt])
    if granted:
        yield from held(number, lease.settings.timeout_s)
    try:
        outcome = yield from work(lease, kind, attempt)
    except Exception:
        if lease.settings.release == "finally":
            yield from give_back(lease, kind, number)
        raise
    owned = yield from give_back(lease, kind, number)
    yield from finished([attempt], outcome if owned or not lease.fenced else "refused")
    yield from disconnect()


def acquire(lease: Lease, kind: str, me: int) -> Script[bool]:
    """Ask for the lease, again where the server has thrown the question back."""
    while True:
        try:
            return (yield from lease.acquire(kind, me))
        except (Deadlock, ChangedSinceRead, LockTimeout):
            continue


def work(lease: Lease, kind: str, attempt: Attempt) -> Script[str]:
    """Work to the end, renewing on the way where the lease asks for it."""
    yield from start(attempt)
    while (outcome := (yield from wait(lease.settings.renew_s))) == "time":
        if (yield from renew(lease, kind, attempt.job)):
            yield from held(attempt.job, lease.settings.timeout_s)
    return outcome


def renew(lease: Lease, kind: str, me: int) -> Script[bool]:
    """Say that this holder lives, again where a lock was in the way: the work goes on."""
    while True:
        try:
            return (yield from lease.renew(kind, me))
        except (Deadlock, ChangedSinceRead, LockTimeout):
            continue


def give_back(lease: Lease, kind: str, me: int) -> Script[bool]:
    """Stamp the end time; whether it was this run's own to stamp."""
    while True:
        try:
            owned = yield from lease.release(kind, me)
        except (Deadlock, ChangedSinceRead, LockTimeout):
            continue
        yield from released(me)
        return owned
