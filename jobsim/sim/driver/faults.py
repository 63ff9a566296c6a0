"""Faults in the simulation: at a step of a script, or at an instant whatever the script is at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from jobsim.effects import Effect, Raised, WaitForWork
from jobsim.faults import Fault, TimedFault, at_instants, at_steps
from jobsim.run import Run
from jobsim.sim.driver.actor import PENDING, Actor, Operation
from jobsim.sim.driver.world import WORK_ENDS

if TYPE_CHECKING:
    from jobsim.sim.driver.stage import Stage


class Faults:
    """The faults of one run."""

    def __init__(self, stage: Stage, run: Run, seed: np.random.SeedSequence) -> None:
        self.stage = stage
        self.timed = at_instants(run.faults, run.workers, run.until_s, seed)
        self._faults = run.faults
        self._met: dict[str, Counter[str]] = {}

    def at_step(self, actor: Actor, effect: Effect[Any], operation: Operation) -> Operation:
        """The operation, with what goes wrong there; the very same where nothing does."""
        mine = at_steps(self._faults, actor.part.met_as) if self._faults else []
        here = [fault for fault in mine if fault.at == effect.label]
        if not here:
            return operation
        met = self._met.setdefault(actor.part.troupe or actor.part.name, Counter())

        def faulty(arguments: tuple[Any, ...]) -> Any:
            met[effect.label] += 1
            actor.step = effect.label
            for fault in here:
                if fault.nth == met[effect.label]:
                    return self._meet_at(actor, effect, operation, arguments, fault)
            return operation(arguments)

        return faulty

    def _meet_at(
        self,
        actor: Actor,
        effect: Effect[Any],
        operation: Operation,
        arguments: tuple[Any, ...],
        fault: Fault,
    ) -> Any:

        def strike(go_on: Callable[[], Any]) -> Any:
            return self._happen(actor, fault, go_on)

        if fault.when == "before":
            return self._happen(actor, fault, lambda: operation(arguments))
        if fault.when == "during" and isinstance(effect, WaitForWork):
            now_s = self.stage.world.now
            half_s = now_s + (actor.work_ends_s - now_s) / 2
            return actor.wait(
                half_s, WORK_ENDS, lambda: self._happen(actor, fault, lambda: operation(arguments))
            )
        if fault.when == "during" and fault.kind == "kill":
            reply = operation(arguments)
            if reply is PENDING:
                actor.die("died", orphan=True)
                return PENDING
            return actor.afterwards(reply, strike)
        return actor.afterwards(operation(arguments), strike)

    def _happen(self, actor: Actor, fault: Fault, go_on: Callable[[], Any]) -> Any:
        """What the fault does to the actor, and how it goes on where it does."""
        if fault.kind == "kill":
            actor.die("died")
            return PENDING
        if fault.kind == "raise":
            raise Raised
        assert fault.for_s is not None
        actor.pause(fault.for_s)
        return actor.wait(actor.paused_until_s, WORK_ENDS, go_on)

    def meet(self, timed: TimedFault) -> None:
        """A fault at an instant."""
        actor = next((one for one in self.stage.actors if one.worker == timed.worker), None)
        if actor is None or not actor.alive:
            return
        if timed.fault.kind == "kill":
            actor.die("died", orphan=not actor.asleep)
        elif timed.fault.kind == "pause":
            assert timed.fault.for_s is not None
            actor.pause(timed.fault.for_s)
        elif actor.asleep:
            actor.interrupt(Raised())
        else:
            actor.afterwards(PENDING, lambda go_on: self._happen(actor, timed.fault, go_on))
