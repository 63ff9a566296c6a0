"""Statements that take long, and what one session sees of the others and does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobsim.effects import (
    Kill,
    Killed,
    LimitExceeded,
    Param,
    ProcessList,
    Query,
    Select,
    Session,
    Spawn,
    Thrown,
    column,
)
from jobsim.policies.killer import SHARED
from jobsim.sim.costs import Costs
from jobsim.sim.database import BLOCKED
from jobsim.sim.driver.actor import Actor, Operation
from jobsim.sim.driver.world import WORK_ENDS

if TYPE_CHECKING:
    from jobsim.sim.driver.stage import Stage

lock_shared = Select("lock", SHARED, ("id",), column("id").equals(Param("row")), lock=True)


def query(stage: Stage, actor: Actor, effect: Query, costs: Costs) -> Operation:
    """Lock the row that is touched, stay busy for the logged time, let go."""
    world, engine, holder = stage.world, stage.engine, actor.holder
    plan = engine.compile(lock_shared)

    def begun(arguments: tuple[Any, ...]) -> Any:
        attempt, touches = arguments
        actor.statements += 1
        actor.sent_s = world.now
        actor.work = attempt
        actor.shows(f"{effect.label} {attempt.job}")
        if touches is None:
            return working()
        try:
            reply = engine.run(actor.session, plan, (touches,), world.now)
        except Thrown as thrown:
            return stage.throw_after(actor, 0.0, thrown)
        return locked(reply)

    def locked(reply: Any) -> Any:
        stage.settle_waits()
        if reply is BLOCKED:
            return stage.block(actor, lambda: locked(engine.resume(actor.session, world.now)))
        return working()

    def working() -> Any:
        assert actor.work is not None
        holder.started(actor.work, world.now)
        ends_s = world.now + stage.run_s[actor.work.job - 1]
        if actor.limit_s is not None and actor.sent_s + actor.limit_s < ends_s:
            return actor.wait(actor.sent_s + actor.limit_s, WORK_ENDS, over_the_limit)
        return actor.wait(ends_s, WORK_ENDS, done)

    def over_the_limit() -> Any:
        stage.end_statement(actor)
        raise LimitExceeded

    def done() -> str:
        assert actor.work is not None
        job = actor.work.job
        holder.ended(actor.work, world.now)
        stage.end_statement(actor)
        return "failed" if stage.fails[job - 1] else "completed"

    return begun


def process_list(stage: Stage, actor: Actor, effect: ProcessList, costs: Costs) -> Operation:
    """Every session but this one, as the server lists them."""

    def listed(arguments: tuple[Any, ...]) -> list[Session]:
        actor.statements += 1
        others = [one for one in stage.actors if one.session is not None and one is not actor]
        return [shown(one) for one in others]

    def shown(other: Actor) -> Session:
        now_s = stage.world.now
        busy = other.info is not None or not other.asleep
        blockers = stage.engine.blockers(other.session)
        began_s = other.transaction_s
        return Session(
            session=other.number,
            query_id=other.statements,
            user=other.user,
            command="Query" if busy else "Sleep",
            time_s=now_s - other.sent_s,
            state="Updating" if blockers else "User sleep" if other.info else "",
            info=other.info if busy else None,
            transaction_s=None if began_s is None else now_s - began_s,
            rows_changed=len(other.session.undo),
            blocked_by=tuple(stage.by_session[one].number for one in blockers),
        )

    return listed


def kill(stage: Stage, actor: Actor, effect: Kill, costs: Costs) -> Operation:
    """End another session's statement, where it is still the one that was seen."""

    def killed(arguments: tuple[Any, ...]) -> bool:
        actor.statements += 1
        victim: Session = arguments[0]
        other = next((one for one in stage.actors if one.number == victim.session), None)
        if other is None or other.session is None or other.statements != victim.query_id:
            return False
        return stage.kill_statement(other, Killed())

    return killed


def spawn(stage: Stage, actor: Actor, effect: Spawn, costs: Costs) -> Operation:
    """Start a script of its own."""

    def spawned(arguments: tuple[Any, ...]) -> None:
        stage.spawn(*arguments)

    return spawned
