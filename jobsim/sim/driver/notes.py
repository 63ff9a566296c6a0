"""What scripts note down, written into the records: one function a kind of note."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING, Any

from jobsim.effects import Note, Session
from jobsim.events import FINAL, Event
from jobsim.sim.driver.actor import Actor, Operation

if TYPE_CHECKING:
    from jobsim.sim.driver.stage import Stage


def submitted(stage: Stage, actor: Actor, effect: Note) -> Operation:
    world, recorder = stage.world, stage.recorder

    def noted(arguments: tuple[Any, ...]) -> None:
        recorder.submitted.extend([world._now] * len(arguments[0]))

    return noted


def claimed(stage: Stage, actor: Actor, effect: Note) -> Operation:
    world, holder = stage.world, actor.holder

    def noted(arguments: tuple[Any, ...]) -> None:
        holder.claimed(arguments[0], actor.claiming_s, world._now)
        actor.did()

    return noted


def empty(stage: Stage, actor: Actor, effect: Note) -> Operation:
    def noted(arguments: tuple[Any, ...]) -> None:
        actor.holder.empty(actor.claiming_s, stage.world.now)
        actor.empties += 1
        actor.claiming_s = -1.0

    return noted


def finished(stage: Stage, actor: Actor, effect: Note) -> Operation:
    world, holder = stage.world, actor.holder

    def noted(arguments: tuple[Any, ...]) -> None:
        attempts, outcome = arguments
        holder.finished(attempts, outcome, world._now)
        actor.did()
        if outcome in FINAL:
            stage.final(attempts)

    return noted


def reclaimed(stage: Stage, actor: Actor, effect: Note) -> Operation:
    def noted(arguments: tuple[Any, ...]) -> None:
        for job in arguments[0]:
            _happened(stage, actor, effect, job)

    return noted


def happened(stage: Stage, actor: Actor, effect: Note) -> Operation:
    return lambda arguments: _happened(stage, actor, effect, *arguments)


def killed(stage: Stage, actor: Actor, effect: Note) -> Operation:
    def noted(arguments: tuple[Any, ...]) -> None:
        victim: Session = arguments[0]
        _happened(stage, actor, effect, stage.job_of(victim.session), victim.time_s)

    return noted


def _happened(stage: Stage, actor: Actor, effect: Note, job: int, value: float = nan) -> None:
    stage.recorder.events.append(
        Event(stage.world.now, effect.kind, actor.worker, job, 0, effect.label, value)
    )
    actor.did()


NOTES: dict[str, Callable[[Stage, Actor, Note], Operation]] = {
    "submitted": submitted,
    "claimed": claimed,
    "empty": empty,
    "finished": finished,
    "reclaimed": reclaimed,
    "held": happened,
    "released": happened,
    "kill": killed,
}
