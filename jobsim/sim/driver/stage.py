"""A simulated run in progress: the world, the modelled server, and everybody who plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, count, repeat
from typing import Any

import numpy as np

from jobsim.effects import (
    Attempt,
    Deadlock,
    Delete,
    Effect,
    Insert,
    LimitExceeded,
    LockTimeout,
    Poll,
    Predicate,
    Raised,
    Select,
    Table,
    Thrown,
    Update,
)
from jobsim.errors import UsageError
from jobsim.events import Event as Record
from jobsim.events import Recorder
from jobsim.run import SPAWNED, Run, seed_streams
from jobsim.sim.costs import ZERO, Costs
from jobsim.sim.database import Engine
from jobsim.sim.driver.actor import PENDING, Actor, Operation, Operations
from jobsim.sim.driver.faults import Faults
from jobsim.sim.driver.looks import Looks, Watched
from jobsim.sim.driver.operations import MAKERS
from jobsim.sim.driver.world import FAULT, HORIZON, STATEMENT, World

DRAWN_AT_ONCE = 4096

AT_ONE_INSTANT = 2_000
"""More deadlocks than this are never met at one instant, unless they go on for ever."""


class Stage:
    """Everything that one simulated run shares.

    ``skip`` lets idle looks pass without events; turning it off changes nothing but the time that
    the simulation takes.
    """

    def __init__(self, run: Run, costs: Costs, skip: bool = True) -> None:
        self.run, self.costs, self.skip = run, costs, skip
        self.world = World(costs.processors)
        self.engine = Engine(run.tables, run.isolation)
        self.recorder = Recorder()
        self.run_s = run.load.run_s.data
        self.fails = run.load.fails.data
        self.purge_due_s = costs.purge_s
        self.numbers = count(1)
        self.by_session: dict[Any, Actor] = {}
        self.looks: dict[tuple[Actor, Poll], Looks] = {}
        self._watched: dict[int, Watched] = {}
        self._scatter: dict[Actor, Callable[[], float]] = {}
        self.unsettled: list[Watched] = []
        self._streams = seed_streams(run.seed)
        self._final = bytearray(len(run.load) + 1)
        self._unfinished = len(run.load)
        self._deadlocks_at_s, self._deadlocks = -1.0, 0
        self._over = self.world.event()
        self.last_played_s = 0.0
        self.faults = Faults(self, run, self._streams["faults"])
        self.actors = [Actor(self, part) for part in run.cast]
        self._seed_rows()

    def play(self) -> None:
        """Play the run to its end."""
        self.world.call_at(self.run.until_s, HORIZON, self.end)
        for timed in self.faults.timed:
            self.world.call_at(timed.t_s, FAULT, partial(self.faults.meet, timed))
        for actor in self.actors:
            self.world.call_at(0.0, STATEMENT, actor.begin)
        self.world.run_until(self._over)
        self._close()

    def _seed_rows(self) -> None:
        """The rows that tables hold before the run."""
        session = self.engine.connect()
        for table, rows in self.run.seeded.items():
            columns = tuple(column.name for column in table.columns)
            plan = self.engine.compile(Insert("seed", table, columns))
            self.engine.run(session, plan, (list(rows),), 0.0)
            self.engine.commit(session)
        self.engine.disconnect(session)

    def spawn(self, role: str, number: int) -> None:
        """Somebody joins in."""
        actor = Actor(self, self.run.spawned(role, number))
        self.actors.append(actor)
        self.world.call_at(self.world.now, STATEMENT, actor.begin)

    def end(self) -> None:
        """Nothing more is of interest."""
        if not self._over.triggered:
            self._over.succeed()

    def _close(self) -> None:
        for looks in self.looks.values():
            looks.close()
        for actor in self.actors:
            actor.holder.lost("unfinished")
            self.recorder.counts["statements"] += actor.statements
            self.recorder.counts["rows_examined"] += actor.examined
        for name in ("lock_waits", "lock_wait_ms", "deadlocks", "lock_timeouts"):
            self.recorder.counts.setdefault(name, 0)

    # what operations need

    def operation(self, actor: Actor, effect: Effect[Any], free: bool = False) -> Operation:
        """How this actor performs this effect; ``free`` of charge in an idle look."""
        made = MAKERS[type(effect)](self, actor, effect, ZERO if free else self.costs)
        return self.faults.at_step(actor, effect, made)

    def operations(self, actor: Actor, free: bool = False) -> Operations:
        return Operations(lambda effect: self.operation(actor, effect, free))

    def base_cost_s(self, effect: Effect[Any], costs: Costs) -> float:
        """The server's time for a statement that touches one row."""
        if isinstance(effect, Select):
            return costs.lock_s if effect.lock else costs.select_s
        return {Update: costs.update_s, Insert: costs.insert_s, Delete: costs.delete_s}[
            type(effect)
        ]

    def scatter(self, actor: Actor, costs: Costs) -> Callable[[], float]:
        """Draws an actor's own factors with mean 1 for the times of its statements."""
        if costs.scatter == costs.stalls == 0:
            return repeat(1.0).__next__
        if actor not in self._scatter:
            draws = chain.from_iterable(self._draws(actor.worker, costs))
            self._scatter[actor] = draws.__next__
        return self._scatter[actor]

    def _draws(self, worker: int, costs: Costs) -> Iterator[list[float]]:
        """Factors, many at once."""
        key = (*self._streams["service"].spawn_key, worker + len(self._streams))
        seed = np.random.SeedSequence(self._streams["service"].entropy, spawn_key=key)
        rng = np.random.default_rng(seed)
        while True:
            yield costs.factors(rng, DRAWN_AT_ONCE)

    def purge(self) -> None:
        """Catch up with the server's purge, which runs by itself about each second.

        Asked before anything changes, so that it finds what it would have found when it was due.
        """
        now_s = self.world.now
        self.engine.purge(now_s)
        missed = int((now_s - self.purge_due_s) / self.costs.purge_s) + 1
        self.purge_due_s += missed * self.costs.purge_s

    def watched(self, table: Table, predicate: Predicate) -> Watched:
        if id(predicate) not in self._watched:
            watch = self.engine.watch(table, predicate)
            self._watched[id(predicate)] = Watched(watch, self.unsettled)
        return self._watched[id(predicate)]

    def looking(self, actor: Actor, poll: Poll) -> Looks:
        """An actor's looking again for one thing."""
        if (actor, poll) not in self.looks:
            self.looks[actor, poll] = Looks(self, actor, poll)
        return self.looks[actor, poll]

    # waits for locks

    def block(self, actor: Actor, resume: Callable[[], Any], count: bool = True) -> Any:
        """The actor's statement waits for a lock."""
        actor.blocked_since_s = self.world.now
        actor.resume = resume
        self.recorder.counts["lock_waits"] += 1
        due_s = self.world.now + self.costs.lock_wait_s
        actor.lock_timeout = self.world.call_at(due_s, STATEMENT, lambda: self._time_out(actor))
        return PENDING

    def _unblock(self, actor: Actor) -> None:
        """A wait is over; the server counts whole milliseconds."""
        waited_s = self.world.now - actor.blocked_since_s
        self.recorder.counts["lock_wait_ms"] += int(waited_s * 1000)
        if actor.lock_timeout is not None:
            self.world.forget(actor.lock_timeout)
            actor.lock_timeout = None

    def settle_waits(self) -> None:
        """Let those go on whose waits ended, and tell deadlocks' victims."""
        while self.engine.granted:
            actor = self.by_session[self.engine.granted.pop(0)]
            self._unblock(actor)
            self.world.compute(self.costs.switch_s, partial(actor.go_on, actor.resume))
        while self.engine.victims:
            actor = self.by_session[self.engine.victims.pop(0)]
            self._unblock(actor)
            actor.in_transaction = False
            self.count_deadlock()
            self.throw_after(actor, self.costs.deadlock_s, Deadlock())

    def count_deadlock(self) -> None:
        """Refuse a run in which nothing takes time and victims try again for ever at one instant.

        Raises
        ------
        UsageError
            `AT_ONE_INSTANT` deadlocks, and the clock has not moved.
        """
        if self.world.now != self._deadlocks_at_s:
            self._deadlocks_at_s, self._deadlocks = self.world.now, 0
        self._deadlocks += 1
        if self._deadlocks > AT_ONE_INSTANT:
            raise UsageError(
                f"{AT_ONE_INSTANT:,} deadlocks at second {self.world.now:g} and no end: statements"
                " that take no time are tried again for ever; use costs above zero"
                " (--costs default)"
            )

    def end_statement(self, actor: Actor) -> None:
        """A long statement has come to its end: its own transaction with it."""
        actor.info, actor.work = None, None
        self.engine.commit(actor.session)
        self.settled()

    def kill_statement(self, actor: Actor, thrown: Thrown) -> bool:
        """End what the actor's session is at; whether there was something to end.

        A short statement is over before it could be killed.
        """
        if actor.info is None:
            return False
        if actor.lock_timeout is not None:
            self._unblock(actor)
            self.engine.kill_statement(actor.session)
        self.end_statement(actor)
        actor.interrupt(thrown)
        return True

    def _time_out(self, actor: Actor) -> None:
        self._unblock(actor)
        self.engine.time_out(actor.session)
        if not actor.in_transaction:
            self.engine.rollback(actor.session)
        actor.info = None
        self.settled()
        self.throw_after(actor, 0.0, LockTimeout())

    def throw_after(self, actor: Actor, after_s: float, thrown: Thrown) -> Any:
        """The actor's statement fails a little later."""

        def throw() -> Any:
            raise thrown

        self.world.compute(after_s, lambda: actor.go_on(throw))
        return PENDING

    def settled(self) -> None:
        """A transaction has ended: its locks are free and its changes are seen."""
        if self.engine.granted or self.engine.victims:
            self.settle_waits()
        while self.unsettled:
            self.unsettled.pop().settle()

    # ends

    def free(self, actor: Actor) -> None:
        """The server closes an actor's session: rolls back and frees its locks."""
        if actor.session is not None:
            self.engine.disconnect(actor.session)
            actor.session = None
            self.settled()

    def stop_looking(self, actor: Actor) -> None:
        """The actor waits for no change any more."""
        for looks in self.looks.values():
            if looks.actor is actor:
                looks.leave()

    def gone(self, actor: Actor) -> None:
        """The process has ended; the server notices a little later."""
        if actor.session is not None:
            self.world.call_at(
                self.world.now + self.costs.notice_s, STATEMENT, lambda: self.free(actor)
            )

    def final(self, attempts: list[Attempt]) -> None:
        """These jobs are in a final state."""
        final = self._final
        for job, _ in attempts:
            if not final[job]:
                final[job] = 1
                self._unfinished -= 1
        if self._unfinished == 0:
            self.end()

    def job_of(self, number: int) -> int:
        """The row of the log that a session's statement belongs to, 0 for none."""
        actor = next(one for one in self.actors if one.number == number)
        return actor.worker - SPAWNED + 1 if actor.worker >= SPAWNED else 0

    def note_thrown(self, actor: Actor, thrown: Thrown) -> None:
        """Record what the server threw at an actor; a fault's own exception is its crash."""
        if isinstance(thrown, Raised):
            return
        kind = KINDS.get(type(thrown), type(thrown).__name__.lower())
        if kind in COUNTED:
            self.recorder.counts[COUNTED[kind]] += 1
        self.recorder.events.append(Record(self.world.now, kind, actor.worker, 0, 0, actor.step))


KINDS: dict[type[Thrown], str] = {
    Deadlock: "deadlock",
    LockTimeout: "lock timeout",
    LimitExceeded: "limit exceeded",
}
COUNTED = {"deadlock": "deadlocks", "lock timeout": "lock_timeouts"}
