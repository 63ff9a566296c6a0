"""How each effect is performed in the simulation: one function an effect.

Each makes an operation for one actor and one effect; what never changes is looked up then. Two ways
lead through a statement: the short one, when nothing else is due before the statement ends and a
processor is free (the clock is moved, nothing is scheduled), and the long one through the world's
events. Both charge the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
Execute: TypeAlias = Callable[[Any, float], Any]
"""What the server does: with the arguments or with a reply, and this statement's factor."""


def statement(stage: Stage, actor: Actor, effect: Statement, costs: Costs) -> Operation:
    """Send, execute under locks, answer; outside a transaction, commit before the answer."""
    long_way = LongWay(stage, actor, stage.engine.compile(effect), costs)
    base_s = stage.base_cost_s(effect, costs)
    held_s = min(base_s, costs.held_s)
    serve = _serving(stage, actor, held_s, costs, long_way)
    execute = _executing(stage, actor, long_way, serve)
    return _sending(stage, actor, costs, base_s - held_s, stage.run.round_trip_s / 2, execute)


def _sending(
    stage: Stage, actor: Actor, costs: Costs, server_s: float, trip_s: float, execute: Execute
) -> Operation:
    """Note that something was sent, and charge the time until it touches a row."""
    world = stage.world
    queue, processors, busy_s = world._queue, world.processors, costs.send_s + server_s
    draw, go_long_way = stage.scatter(actor, costs), LongWay(stage, actor, None, costs).send

    def perform(arguments: tuple[Any, ...]) -> Any:
        actor.sent_s = now_s = world._now
        actor.statements += 1
        if actor.claiming_s < 0:
            actor.claiming_s = now_s
        factor = draw()
        t_s = now_s + busy_s * factor + trip_s
        if t_s > now_s and (queue[0][0] <= t_s or world.busy >= processors):
            parts_s = costs.send_s * factor, trip_s, server_s * factor
            return go_long_way(*parts_s, lambda: execute(arguments, factor))
        world._now = t_s
        return execute(arguments, factor)

    return perform


def _executing(stage: Stage, actor: Actor, long_way: LongWay, serve: Execute) -> Execute:
    """Run the statement on the modelled server, and wait there where it has to."""
    world, engine, plan = stage.world, stage.engine, long_way.plan
    run, granted, victims = engine.run, engine.granted, engine.victims

    def execute(arguments: tuple[Any, ...], factor: float) -> Any:
        t_s = world._now
        if t_s >= stage.purge_due_s:
            stage.purge()
        try:
            reply = run(actor.session, plan, arguments, t_s)
        except Thrown as thrown:
            return long_way.refuse(thrown)
        if reply is BLOCKED or granted or victims:
            return long_way.unsettled(reply, lambda reply: serve(reply, factor))
        return serve(reply, factor)

    return execute


def _serving(stage: Stage, actor: Actor, base_s: float, costs: Costs, long_way: LongWay) -> Execute:
    """Charge the server's time by what the statement did, and answer."""
    world = stage.world
    queue, processors, trip_s = world._queue, world.processors, stage.run.round_trip_s / 2
    examined_s, changed_s = costs.examined_s, costs.changed_s
    dead_s = costs.dead_entry_s(stage.run.isolation)
    answer = _answering(stage, actor)

    def serve(reply: Any, factor: float) -> Any:
        session = actor.session
        dead = session.walked_dead
        rows = session.examined - dead
        actor.examined += rows
        busy_s = factor * (base_s + examined_s * rows + changed_s * session.changed + dead_s * dead)
        now_s = world._now
        t_s = now_s + busy_s + trip_s
        if t_s > now_s and (queue[0][0] <= t_s or world.busy >= processors):
            return long_way.answer(busy_s, trip_s, lambda: answer(reply))
        world._now = t_s
        return reply if actor.in_transaction else answer(reply)

    return serve


def _answering(stage: Stage, actor: Actor) -> Callable[[Any], Any]:
    """What comes before a statement's reply: outside a transaction, its commit."""
    commit = _closing(stage, actor, stage.engine.commit)

    def answer(reply: Any) -> Any:
        if not actor.in_transaction:
            commit((), 1.0)
        return reply

    return answer


class LongWay:
    """What a statement does beside the short way: events, waits for locks, errors."""

    def __init__(self, stage: Stage, actor: Actor, plan: Any, costs: Costs) -> None:
        self.stage, self.actor, self.plan, self.costs = stage, actor, plan, costs

    def send(self, client_s: float, trip_s: float, server_s: float, then: Callable[[], Any]) -> Any:
        """Be sent, travel, be parsed, then go on: on the same processor, if it goes on at once."""
        world, go_on = self.stage.world, partial(self.actor.go_on, then)
        if trip_s == 0:
            world.compute(client_s + server_s, go_on, more=True)
        else:
            parse = partial(world.compute, server_s, go_on, more=True)
            world.compute(client_s, partial(world.later, trip_s, parse))
        return PENDING

    def answer(self, server_s: float, trip_s: float, then: Callable[[], Any]) -> Any:
        """Go on where the statement has got to, travel back, then go on."""
        world, go_on = self.stage.world, partial(self.actor.go_on, then)
        world.compute_on(server_s, partial(world.later, trip_s, go_on) if trip_s else go_on)
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
            self.stage.count_deadlock()
        self.stage.settle_waits()
        return self.answer(self.costs.deadlock_s, 0.0, lambda: self.throw(thrown))

    def throw(self, thrown: Thrown) -> Any:
        if not self.actor.in_transaction:
            self.stage.engine.rollback(self.actor.session)
        self.stage.settled()
        raise thrown


def begin(stage: Stage, actor: Actor, effect: Begin, costs: Costs) -> Operation:
    world, begin = stage.world, stage.engine.begin

    def end(arguments: tuple[Any, ...], factor: float) -> None:
        actor.in_transaction = True
        actor.transaction_s = world._now
        begin(actor.session)

    return _about_transaction(stage, actor, costs, costs.begin_s, end)


def commit(stage: Stage, actor: Actor, effect: Commit, costs: Costs) -> Operation:
    end = _closing(stage, actor, stage.engine.commit)
    return _about_transaction(stage, actor, costs, costs.commit_s, end)


def rollback(stage: Stage, actor: Actor, effect: Rollback, costs: Costs) -> Operation:
    end = _closing(stage, actor, stage.engine.rollback)
    return _about_transaction(stage, actor, costs, costs.rollback_s, end)


def _about_transaction(
    stage: Stage, actor: Actor, costs: Costs, server_s: float, end: Execute
) -> Operation:
    """A statement about the transaction itself: no rows, no waiting, so it is charged as one."""
    return _sending(stage, actor, costs, server_s, stage.run.round_trip_s, end)


def _closing(stage: Stage, actor: Actor, close: Callable[[Any], None]) -> Execute:
    """End the transaction by a commit or a rollback."""
    world, unsettled = stage.world, stage.unsettled
    granted, victims = stage.engine.granted, stage.engine.victims

    def end(arguments: tuple[Any, ...], factor: float) -> None:
        actor.in_transaction = False
        actor.transaction_s = None
        if world._now >= stage.purge_due_s:
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
