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


def statement(stage: Stage, actor: Actor, effect: Statement, costs: Costs) -> Operation:
    """Send, execute under locks, answer; outside a transaction, commit before the answer."""
    serve = _serving(stage, actor, effect, costs)
    execute = _executing(stage, actor, effect, serve, costs)
    return _sending(stage, actor, costs, costs.send_s, stage.run.round_trip_s / 2, execute)


def _sending(
    stage: Stage,
    actor: Actor,
    costs: Costs,
    compute_s: float,
    trip_s: float,
    then: Operation,
) -> Operation:
    """Take a processor's time and a trip to the server, then go on there."""
    world = stage.world
    queue, processors = world._queue, world.processors
    scattered = stage.scatter(actor, costs)

    def send(arguments: tuple[Any, ...]) -> Any:
        now_s = world._now
        actor.statements += 1
        actor.sent_s = now_s
        if actor.claiming_s < 0:
            actor.claiming_s = now_s
        busy_s = compute_s * scattered()
        t_s = now_s + busy_s + trip_s
        if t_s == now_s or (queue[0][0] > t_s and world.busy < processors):
            world._now = t_s
            return then(arguments)
        stage.spend(busy_s, trip_s, lambda: actor.go_on(lambda: then(arguments)))
        return PENDING

    return send


def _executing(
    stage: Stage, actor: Actor, effect: Statement, serve: Callable[[Any], Any], costs: Costs
) -> Operation:
    """Run a statement on the engine, wait for locks where it must."""
    world, engine = stage.world, stage.engine
    plan = engine.compile(effect)
    run, granted, victims = engine.run, engine.granted, engine.victims
    refused = _refusing(stage, actor, costs)

    def execute(arguments: tuple[Any, ...]) -> Any:
        if world._now >= stage.purge_due_s:
            stage.purge()
        try:
            reply = run(actor.session, plan, arguments, world._now)
        except Thrown as thrown:
            return refused(thrown)
        if reply is BLOCKED or granted or victims:
            return unsettled(reply)
        return serve(reply)

    def resume() -> Any:
        try:
            return unsettled(engine.resume(actor.session, world._now))
        except Thrown as thrown:
            return refused(thrown)

    def unsettled(reply: Any) -> Any:
        if reply is BLOCKED:
            stage.block(actor, resume)
        stage.settle_waits()
        return PENDING if reply is BLOCKED else serve(reply)

    return execute


def _refusing(stage: Stage, actor: Actor, costs: Costs) -> Callable[[Thrown], Any]:
    """The server answers with an error; a deadlock's victim has lost its transaction."""

    def refused(thrown: Thrown) -> Any:
        if isinstance(thrown, Deadlock):
            actor.in_transaction = False
        stage.settle_waits()
        stage.spend(costs.deadlock_s, 0.0, lambda: actor.go_on(lambda: throw(thrown)))
        return PENDING

    def throw(thrown: Thrown) -> Any:
        if not actor.in_transaction:
            stage.engine.rollback(actor.session)
        stage.settled()
        raise thrown

    return refused


def _serving(stage: Stage, actor: Actor, effect: Statement, costs: Costs) -> Callable[[Any], Any]:
    """Take the server's time for what the statement touched, then answer."""
    world, engine = stage.world, stage.engine
    queue, processors = world._queue, world.processors
    scattered = stage.scatter(actor, costs)
    base_s, trip_s = stage.base_cost_s(effect, costs), stage.run.round_trip_s / 2
    examined_s, changed_s = costs.examined_s, costs.changed_s
    dead_s = costs.dead_entry_s(stage.run.isolation)

    def serve(reply: Any) -> Any:
        session = actor.session
        actor.examined += session.examined
        busy_s = (
            base_s
            + examined_s * session.examined
            + changed_s * session.changed
            + dead_s * session.walked_dead
        ) * scattered()
        now_s = world._now
        t_s = now_s + busy_s + trip_s
        if t_s == now_s or (queue[0][0] > t_s and world.busy < processors):
            world._now = t_s
            return answer(reply)
        stage.spend(busy_s, trip_s, lambda: actor.go_on(lambda: answer(reply)))
        return PENDING

    def answer(reply: Any) -> Any:
        if not actor.in_transaction:
            engine.commit(actor.session)
            stage.settled()
        return reply

    return serve


def begin(stage: Stage, actor: Actor, effect: Begin, costs: Costs) -> Operation:
    def end(arguments: tuple[Any, ...]) -> None:
        actor.in_transaction = True
        actor.transaction_s = stage.world.now
        stage.engine.begin(actor.session)

    cost_s = costs.send_s + costs.begin_s
    return _sending(stage, actor, costs, cost_s, stage.run.round_trip_s, end)


def commit(stage: Stage, actor: Actor, effect: Commit, costs: Costs) -> Operation:
    engine = stage.engine

    def end(arguments: tuple[Any, ...]) -> None:
        actor.in_transaction = False
        actor.transaction_s = None
        engine.commit(actor.session)
        stage.settled()

    cost_s = costs.send_s + costs.commit_s
    return _sending(stage, actor, costs, cost_s, stage.run.round_trip_s, end)


def rollback(stage: Stage, actor: Actor, effect: Rollback, costs: Costs) -> Operation:
    engine = stage.engine

    def end(arguments: tuple[Any, ...]) -> None:
        actor.in_transaction = False
        actor.transaction_s = None
        engine.rollback(actor.session)
        stage.settled()

    cost_s = costs.send_s + costs.rollback_s
    return _sending(stage, actor, costs, cost_s, stage.run.round_trip_s, end)


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
