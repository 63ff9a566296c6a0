"""Who does what at a queue: the submitter, the worker, the reaper.

A role is what a process runs from its start to its end: a script made of policies. It knows no
database and no clock; it asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jobsim.effects import Attempt, ChangedSinceRead, Commit, Deadlock, LockTimeout, Poll, Script
from jobsim.policies.queue import COMPLETED, FAILED, Queue
from jobsim.roles.common import (
    claimed,
    connect,
    disconnect,
    empty,
    finished,
    give_up,
    reclaimed,
    sleep_until,
    start,
    submitted,
    wait,
)

commit_work = Commit("commit work")


def submitter(
    queue: Queue, arrivals: Iterable[tuple[float, list[tuple[object, ...]]]]
) -> Script[None]:
    """Insert each row when it falls due. ``arrivals``: (instant, rows of that instant)."""
    yield from connect()
    for t_s, rows in arrivals:
        yield from sleep_until(t_s)
        yield from submit(queue, rows)
    yield from disconnect()


def submit(queue: Queue, rows: list[tuple[object, ...]]) -> Script[None]:
    """Insert rows, again where a lock was in the way."""
    while True:
        try:
            yield from queue.submit(rows)
        except (Deadlock, LockTimeout, ChangedSinceRead):
            continue
        yield from submitted([row[0] for row in rows])
        return


def worker(queue: Queue, me: int, poll_s: float, notify: bool) -> Script[None]:
    """Claim, work, finish, and again; look again later when there is nothing."""
    look_again = Poll("poll", poll_s, queue.jobs, queue.ready, notify)
    yield from connect()
    while True:
        attempts = yield from claim(queue, me)
        if attempts:
            yield from work_through(queue, attempts, me)
        elif queue.settings.on_empty == "stop":
            break
        else:
            yield from look_again()
    yield from disconnect()


def claim(queue: Queue, me: int) -> Script[list[Attempt]]:
    """Claim a batch, again where the server has thrown the claim back."""
    while True:
        try:
            attempts = yield from queue.claim(me)
        except (Deadlock, ChangedSinceRead):
            continue
        except LockTimeout:
            yield from give_up()
            continue
        yield from (claimed(attempts) if attempts else empty())
        return attempts


def work_through(queue: Queue, attempts: list[Attempt], me: int) -> Script[None]:
    """Do the work of a claim, and record how each part of it ended."""
    if queue.settings.work == "inside":
        yield from work_inside(queue, attempts, me)
        return
    done: dict[str, list[Attempt]] = {COMPLETED: [], FAILED: []}
    for at, attempt in enumerate(attempts):
        outcome = yield from work(queue, attempt, attempts[at:], me)
        if queue.settings.finish == "each":
            yield from finish(queue, [attempt], outcome)
        else:
            done[outcome].append(attempt)
    for outcome, together in done.items():
        if together:
            yield from finish(queue, together, outcome)


def work_inside(queue: Queue, attempts: list[Attempt], me: int) -> Script[None]:
    """Do the work of a claim inside its transaction: one commit for all of it, or nothing."""
    outcomes = []
    try:
        for attempt in attempts:
            outcome = yield from work(queue, attempt, attempts, me)
            yield from queue.finish([attempt], outcome)
            outcomes.append(outcome)
        yield from commit_work()
    except (Deadlock, ChangedSinceRead):
        outcomes = []
    except LockTimeout:
        yield from give_up()
        outcomes = []
    for attempt, outcome in zip(attempts, outcomes or ["unrecorded"] * len(attempts), strict=True):
        yield from finished([attempt], outcome)


def work(queue: Queue, attempt: Attempt, held: Sequence[Attempt], me: int) -> Script[str]:
    """Run one job to its end; meanwhile renew what is held, if the queue asks for it."""
    yield from start(attempt)
    if queue.settings.reclaim != "renew":
        return (yield from wait(None))
    while (outcome := (yield from wait(queue.settings.renew_s))) == "time":
        yield from renew(queue, held, me)
    return outcome


def renew(queue: Queue, held: Sequence[Attempt], me: int) -> Script[None]:
    """Say that this worker lives, again where a lock was in the way: the work goes on."""
    while True:
        try:
            yield from queue.renew(held, me)
        except (Deadlock, LockTimeout, ChangedSinceRead):
            continue
        return


def finish(queue: Queue, attempts: Sequence[Attempt], outcome: str) -> Script[None]:
    """Record an end; a finish that lost a deadlock is sent again, if the queue says so."""
    while True:
        try:
            accepted = yield from queue.finish(attempts, outcome)
        except (Deadlock, LockTimeout, ChangedSinceRead):
            if queue.settings.finish_retry:
                continue
            yield from finished(attempts, "unrecorded")
            return
        break
    if accepted:
        yield from finished(accepted, outcome)
    if len(accepted) < len(attempts):
        yield from finished([one for one in attempts if one not in accepted], "refused")


def reaper(queue: Queue) -> Script[None]:
    """Every so often give back the jobs whose worker is gone."""
    look_again = Poll("sweep", queue.settings.sweep_s, queue.jobs, queue.expired)
    yield from connect()
    while True:
        jobs = yield from sweep(queue)
        if jobs:
            yield from reclaimed(jobs)
        yield from look_again()


def sweep(queue: Queue) -> Script[list[int]]:
    """Reclaim once, again where the server has thrown it back."""
    while True:
        try:
            return (yield from queue.reclaim())
        except (Deadlock, ChangedSinceRead):
            continue
        except LockTimeout:
            yield from give_up()
