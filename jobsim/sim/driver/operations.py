"""How each effect is performed in the simulation: one function an effect.

Each makes an operation for one actor and one effect; what never changes is looked up then. Two ways
lead through a statement: the short one, when nothing else is due before the statement ends and a
processor is free (the clock is moved, nothing is scheduled), and the long one through the world's
events. Both charge the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from jobsim.effects import (
    Begin,
    Clock,
    Commit,
    Connect,
    Deadlock,
    Delete,
    Disconnect,
    Effect,
    Insert,
    Kill,
    Note,
    Poll,
    ProcessList,
    Query,
    Rollback,
    Select,
    Sleep,
    Spawn,
    Start,
    Thrown,
    Update,
    WaitForWork,
)
from jobsim.sim.costs import Costs
from jobsim.sim.database import BLOCKED
from jobsim.sim.driver.actor import PENDING, Actor, Operation
from jobsim.sim.driver.notes import NOTES
from jobsim.sim.driver.sessions import kill, process_list, query, spawn
from jobsim.sim.driver.world import SUBMISSION, WORK_ENDS

if TYPE_CHECKING:
    from jobsim.sim.driver.stage import Stage

Statement: TypeAlias = Select | Update | Insert | Delete


def statement(  # noqa: C901 - one closure written out, see below
    stage: Stage, actor: Actor, effect: Statement, costs: Costs
) -> Operation:
    """Send, execute under locks, answer; outside a transaction, commit before the answer.

    The short way, written out in one function because nearly every statement takes it.
    """
    world, engine = stage.world, stage.engine
    queue, processors = world._queue, world.processors
    plan = engine.compile(effect)
    run, commit, granted, victims = engine.run, engine.commit, engine.granted, engine.victims
    factors, more = stage.scatter(actor, costs)
    draw = factors.pop
    trip_s = stage.run.round_trip_s / 2
    send_s, base_s = costs.send_s, stage.base_cost_s(effect, costs)
    examined_s, changed_s = costs.examined_s, costs.changed_s
    dead_s = costs.dead_entry_s(stage.run.isolation)
    unsettled = stage.unsettled
    long_way = LongWay(stage, actor, plan, costs)

    def perform(arguments: tuple[Any, ...]) -> Any:
        actor.sent_s = now_s = world._now
        actor.statements += 1
        if actor.claiming_s < 0:
            actor.claiming_s = now_s
        if not factors:
            more()
        factor = draw()
        t_s = now_s + send_s * factor + trip_s
        if t_s > now_s and (queue[0][0] <= t_s or world.busy >= processors):
            return long_way.send(send_s * factor, trip_s, lambda: execute(arguments, factor))
        world._now = t_s
        return execute(arguments, factor)

    def execute(arguments: tuple[Any, ...], factor: float) -> Any:
        t_s = world._now
        if t_s >= stage.purge_due_s:
            stage.purge()
        session = actor.session
        try:
            reply = run(session, plan, arguments, t_s)
        except Thrown as thrown:
            return long_way.refuse(thrown)
        if reply is BLOCKED or granted or victims:
            return long_way.unsettled(reply, lambda reply: serve(reply, factor))
        return serve(reply, factor)

    def serve(reply: Any, factor: float) -> Any:
        session = actor.session
        rows = session.examined - session.walked_dead
        actor.examined += rows
        busy_s = factor * (
            base_s + examined_s * rows + changed_s * session.changed + dead_s * session.walked_dead
        )
        now_s = world._now
        t_s = now_s + busy_s + trip_s
        if t_s > now_s and (queue[0][0] <= t_s or world.busy >= processors):
            return long_way.send(busy_s, trip_s, lambda: answer(reply))
        world._now = t_s
        return answer(reply)

    def answer(reply: Any) -> Any:
        if not actor.in_transaction:
            if world._now >= stage.purge_due_s:
                stage.purge()
            commit(actor.session)
            if unsettled or granted or victims:
                stage.settled()
        return reply

    return perform


class LongWay:
    """What a statement does beside the short way: events, waits for locks, errors."""

    def __init__(self, stage: Stage, actor: Actor, plan: Any, costs: Costs) -> None:
        self.stage, self.actor, self.plan, self.costs = stage, actor, plan, costs

    def send(self, busy_s: float, trip_s: float, then: Callable[[], Any]) -> Any:
        """Take a processor's time and a trip, then go on."""
        self.stage.spend(busy_s, trip_s, lambda: self.actor.go_on(then))
        return PENDING

    def unsettled(self, reply: Any, serve: Callable[[Any], Any]) -> Any:
        """Wait where the statement must, and tell others whose waits are over."""
        if reply is BLOCKED:
            self.stage.block(self.actor, lambda: self.resume(serve))
        self.stage.settle_waits()
        return PENDING if reply is BLOCKED else serve(reply)

    def resume(self, serve: Callable[[Any], Any]) -> Any:
        """The wait is over."""
        stage = self.stage
        try:
            reply = stage.engine.resume(self.actor.session, stage.world.now)
        except Thrown as thrown:
            return self.refuse(thrown)
        return self.unsettled(reply, serve)

    def refuse(self, thrown: Thrown) -> Any:
        """The server answers with an error; a deadlock's victim has lost its transaction."""
        if isinstance(thrown, Deadlock):
            self.actor.in_transaction = False
        self.stage.settle_waits()
        return self.send(self.costs.deadlock_s, 0.0, lambda: self.throw(thrown))

    def throw(self, thrown: Thrown) -> Any:
        if not self.actor.in_transaction:
            self.stage.engine.rollback(self.actor.session)
        self.stage.settled()
        raise thrown


def _ending(
    stage: Stage, actor: Actor, costs: Costs, server_s: float, end: Callable[[], None]
) -> Operation:
    """A statement about the transaction itself: no rows, no waiting."""
    world = stage.world
    queue, processors = world._queue, world.processors
    factors, more = stage.scatter(actor, costs)
    draw = factors.pop
    cost_s, trip_s = costs.send_s + server_s, stage.run.round_trip_s
    long_way = LongWay(stage, actor, None, costs)

    def perform(arguments: tuple[Any, ...]) -> Any:
        actor.sent_s = now_s = world._now
        actor.statements += 1
        if actor.claiming_s < 0:
            actor.claiming_s = now_s
        if not factors:
            more()
        busy_s = cost_s * draw()
        t_s = now_s + busy_s + trip_s
        if t_s > now_s and (queue[0][0] <= t_s or world.busy >= processors):
            return long_way.send(busy_s, trip_s, end)
        world._now = t_s
        return end()

    return perform


def begin(stage: Stage, actor: Actor, effect: Begin, costs: Costs) -> Operation:
    def end() -> None:
        actor.in_transaction = True
        actor.transaction_s = stage.world.now
        stage.engine.begin(actor.session)

    return _ending(stage, actor, costs, costs.begin_s, end)


def commit(stage: Stage, actor: Actor, effect: Commit, costs: Costs) -> Operation:
    return _ending(stage, actor, costs, costs.commit_s, _closing(stage, actor, stage.engine.commit))


def rollback(stage: Stage, actor: Actor, effect: Rollback, costs: Costs) -> Operation:
    return _ending(
        stage, actor, costs, costs.rollback_s, _closing(stage, actor, stage.engine.rollback)
    )


def _closing(stage: Stage, actor: Actor, close: Callable[[Any], None]) -> Callable[[], None]:
    """End the transaction by a commit or a rollback."""
    unsettled, granted, victims = stage.unsettled, stage.engine.granted, stage.engine.victims

    def end() -> None:
        actor.in_transaction = False
        actor.transaction_s = None
        if stage.world.now >= stage.purge_due_s:
            stage.purge()
        close(actor.session)
        if unsettled or granted or victims:
            stage.settled()

    return end


def connect(stage: Stage, actor: Actor, effect: Connect, costs: Costs) -> Operation:
    def connected(arguments: tuple[Any, ...]) -> None:
        actor.session = stage.engine.connect()
        actor.user = effect.user or "jobsim"
        actor.limit_s = effect.statement_limit_s
        stage.by_session[actor.session] = actor

    return connected


def disconnect(stage: Stage, actor: Actor, effect: Disconnect, costs: Costs) -> Operation:
    def disconnected(arguments: tuple[Any, ...]) -> None:
        stage.free(actor)

    return disconnected


def start(stage: Stage, actor: Actor, effect: Start, costs: Costs) -> Operation:
    world, run_s, holder = stage.world, stage.run_s, actor.holder

    def started(arguments: tuple[Any, ...]) -> None:
        attempt = arguments[0]
        now_s = world._now
        actor.work = attempt
        actor.work_ends_s = now_s + run_s[attempt[0] - 1]
        holder.started(attempt, now_s)

    return started


def wait_for_work(stage: Stage, actor: Actor, effect: WaitForWork, costs: Costs) -> Operation:
    world, fails, holder = stage.world, stage.fails, actor.holder
    queue = world._queue

    def ended() -> str:
        attempt = actor.work
        assert attempt is not None
        holder.ended(attempt, world._now)
        actor.work = None
        actor.claiming_s = -1.0
        return "failed" if fails[attempt[0] - 1] else "completed"

    def timed() -> str:
        actor.claiming_s = -1.0
        return "time"

    def waiting(arguments: tuple[Any, ...]) -> Any:
        t_s, then = actor.work_ends_s, ended
        if arguments[0] is not None and world._now + arguments[0] < t_s:
            t_s, then = world._now + arguments[0], timed
        if t_s < queue[0][0]:
            world._now = max(t_s, world._now)
            return then()
        return actor.wait(max(t_s, world._now), WORK_ENDS, then)

    return waiting


def sleep(stage: Stage, actor: Actor, effect: Sleep, costs: Costs) -> Operation:
    world = stage.world
    queue = world._queue

    def nothing() -> None:
        actor.claiming_s = -1.0

    def slept(arguments: tuple[Any, ...]) -> Any:
        t_s = arguments[0]
        if t_s <= world._now:
            return nothing()
        if t_s < queue[0][0]:
            world._now = t_s
            return nothing()
        return actor.wait(t_s, SUBMISSION, nothing)

    return slept


def poll(stage: Stage, actor: Actor, effect: Poll, costs: Costs) -> Operation:
    return stage.looking(actor, effect).look


def clock(stage: Stage, actor: Actor, effect: Clock, costs: Costs) -> Operation:
    world = stage.world
    return lambda arguments: world._now


def note(stage: Stage, actor: Actor, effect: Note, costs: Costs) -> Operation:
    return NOTES[effect.kind](stage, actor, effect)


MAKERS: dict[type[Effect[Any]], Callable[[Any, Any, Any, Costs], Operation]] = {
    Select: statement,
    Update: statement,
    Insert: statement,
    Delete: statement,
    Begin: begin,
    Commit: commit,
    Rollback: rollback,
    Connect: connect,
    Disconnect: disconnect,
    Start: start,
    WaitForWork: wait_for_work,
    Sleep: sleep,
    Poll: poll,
    Clock: clock,
    Note: note,
    Query: query,
    ProcessList: process_list,
    Kill: kill,
    Spawn: spawn,
}
