"""One script at work in the simulation: asks, is answered at once or waits, and may die.

An operation (see :mod:`jobsim.sim.driver.operations`) performs one effect for one actor. It either
answers at once, having moved the clock if that took time, or schedules the rest and answers
``PENDING``; the actor then sleeps until its one wake-up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simpy.events import Event

from jobsim.effects import Attempt, Effect, Note, Request, Script, Thrown
from jobsim.effects.base import PENDING as PENDING
from jobsim.effects.base import answer_at_once
from jobsim.events import Event as Record
from jobsim.events import Holder
from jobsim.run import Part
from jobsim.sim.driver.world import STATEMENT, Wake

if TYPE_CHECKING:
    from jobsim.sim.driver.stage import Stage

Operation = Callable[[tuple[Any, ...]], Any]


class Operations(dict[Effect[Any], Operation]):
    """An actor's operation for each effect, made when the effect is first asked for."""

    def __init__(self, make: Callable[[Effect[Any]], Operation]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, effect: Effect[Any]) -> Operation:
        operation = self[effect] = self.make(effect)
        return operation


class Actor:
    """A script, its session on the modelled server, and what it holds.

    Attributes
    ----------
    session, number, user
        Its connection, None before it connects and after it is gone; its id and its user.
    info, sent_s
        A long statement at work, and when the last statement was sent.
    limit_s
        The server's time limit for its statements.
    transaction_s
        When its open transaction began.
    in_transaction
        Whether a Begin is open.
    claiming_s
        The first statement since it last worked, slept or noted something; negative before it.
    statements, examined, empties, deeds
        How many statements it sent, rows they examined, claims found nothing, and looks led to
        something.
    asleep
        Waits for an instant or for a change; else it waits for the server, or plays.
    paused_until_s
        A paused process does nothing before this instant.
    orphan, fate
        The process is gone and the server is still at its statement; what became of the process.
    """

    __slots__ = (
        "_script", "_strike", "_then", "_wake", "_wake_s", "alive", "asleep", "blocked_since_s",
        "charged", "claiming_s", "deeds", "empties", "empties_at_deed", "examined", "fate",
        "free_of_charge", "holder", "in_transaction", "info", "limit_s", "lock_timeout", "number",
        "operations", "orphan", "part", "paused_until_s", "resume", "sent_at_deed", "sent_s",
        "session", "stage", "statements", "step", "transaction_s", "undisturbed", "user", "work",
        "work_ends_s", "worker", "world",
    )  # fmt: skip

    def __init__(self, stage: Stage, part: Part) -> None:
        self.stage = stage
        self.world = stage.world
        self.part = part
        self.worker = part.worker
        self.holder = Holder(part.worker, stage.recorder)
        self.number = next(stage.numbers)
        self.session: Any = None
        self.user = "jobsim"
        self.info: str | None = None
        self.limit_s: float | None = None
        self.sent_s = 0.0
        self.transaction_s: float | None = None
        self.in_transaction = False
        self.claiming_s = -1.0
        self.statements = self.empties = self.deeds = self.examined = 0
        self.sent_at_deed = self.empties_at_deed = 0
        self.alive, self.asleep, self.orphan, self.fate = True, False, False, ""
        self.paused_until_s = 0.0
        self.step = ""
        self.work: Attempt | None = None
        self.work_ends_s = 0.0
        self.blocked_since_s = 0.0
        self.lock_timeout: Wake | None = None
        self.resume: Callable[[], Any] = _nothing
        self._then: Callable[[], Any] = _nothing
        self._strike: Callable[[Callable[[], Any]], Any] | None = None
        self._wake = Wake(self.world, self._woken)
        self._wake_s = 0.0
        self._script: Script[None] = part.begin()
        self.charged = stage.operations(self)
        self.free_of_charge = stage.operations(self, free=True)
        self.operations = self.charged
        self.undisturbed = not stage.run.faults

    def begin(self) -> None:
        """Play the script from its start."""
        self.go(None)

    def go(self, reply: Any) -> None:
        """Give the script a reply and play on until it has to wait."""
        if self.undisturbed:
            return self._play(self._script.send, reply)
        send, operations = self._script.send, self.operations
        self.stage.last_played_s = self.world.now
        while True:
            try:
                effect, arguments = send(reply)
            except StopIteration:
                return self.leave()
            except Thrown as thrown:
                return self.crash(thrown)
            try:
                reply = operations[effect](arguments)
            except Thrown as thrown:
                self.step = effect.label
                return self.throw(thrown)
            if reply is PENDING:
                if self.alive:
                    self.step = effect.label
                return None

    def throw(self, thrown: Thrown) -> None:
        """Throw into the script, and play on."""
        if self.undisturbed:
            self.stage.note_thrown(self, thrown)
            return self._play(self._script.throw, thrown)
        while True:
            self.stage.note_thrown(self, thrown)
            try:
                effect, arguments = self._script.throw(thrown)
            except StopIteration:
                return self.leave()
            except Thrown as uncaught:
                return self.crash(uncaught)
            try:
                reply = self.operations[effect](arguments)
            except Thrown as another:
                self.step, thrown = effect.label, another
                continue
            if reply is not PENDING:
                return self.go(reply)
            if self.alive:
                self.step = effect.label
            return None

    def _play(self, enter: Callable[[Any], Request], given: Any) -> None:
        """Enter the script, which is answered inside until it has to wait.

        Not where there are faults: they come between a request and its reply.
        """
        self.stage.last_played_s = self.world._now
        before = answer_at_once(self.operations)
        try:
            effect, _ = enter(given)
            self.step = effect.label
        except StopIteration:
            self.leave()
        except Thrown as thrown:
            self.crash(thrown)
        finally:
            answer_at_once(before)

    def wait(self, t_s: float, priority: int, then: Callable[[], Any]) -> Any:
        """Wait for an instant; ``then`` gives the operation's reply. Replies ``PENDING``."""
        self._then, self.asleep = then, True
        self.world.at(t_s, priority, self._wake)
        return PENDING

    def wait_without_end(self, then: Callable[[], Any]) -> Any:
        """Wait for somebody to call :meth:`wake_at`."""
        self._then, self.asleep = then, True
        return PENDING

    def wake_by(self, t_s: float, priority: int) -> None:
        """Give a waiting actor an instant to wake at, unless it has one that is no later."""
        if self._wake.scheduled and self._wake_s <= t_s:
            return
        self._forget_wake()
        self._wake_s = t_s
        self.world.at(t_s, priority, self._wake)

    def go_on(self, then: Callable[[], Any]) -> None:
        """Answer the operation that the script waits for, now."""
        if not self.alive:
            return self._go_on_without_client(then)
        if self.paused_until_s > self.world.now:
            self.wait(self.paused_until_s, STATEMENT, then)
            return None
        try:
            reply = then()
            if reply is not PENDING and self._strike is not None:
                reply = self.afterwards(reply, self._strike)
        except Thrown as thrown:
            return self.throw(thrown)
        return None if reply is PENDING else self.go(reply)

    def _go_on_without_client(self, then: Callable[[], Any]) -> None:
        """The server finishes a statement whose client is gone, then notices.

        What it did counts: the notes that follow are written, and nothing else happens.
        """
        if not self.orphan:
            return
        try:
            reply = then()
            if reply is PENDING:
                return
            self._play_notes(reply)
        except (Thrown, StopIteration):
            pass
        self.orphan = False
        self._bury()

    def _play_notes(self, reply: Any) -> Request:
        """Play on to the next request that is not a note."""
        while True:
            effect, arguments = self._script.send(reply)
            if not isinstance(effect, Note):
                return effect, arguments
            reply = self.charged[effect](arguments)

    def afterwards(self, reply: Any, strike: Callable[[Callable[[], Any]], Any]) -> Any:
        """Have a fault once the operation in hand has its reply, before the next effect.

        Notes come through: they cost nothing, and say what the step has come to. ``strike`` is
        given what would go on.
        """
        if reply is PENDING:
            self._strike = strike
            return PENDING
        self._strike = None
        try:
            effect, arguments = self._play_notes(reply)
        except StopIteration:
            self.leave()
            return PENDING
        try:
            result = strike(lambda: self.operations[effect](arguments))
        except Thrown as thrown:
            self.throw(thrown)
            return PENDING
        if result is not PENDING:
            self.go(result)
        return PENDING

    def interrupt(self, thrown: Thrown) -> None:
        """Throw into a script that is asleep."""
        self._forget_wake()
        self.asleep = False
        self.stage.stop_looking(self)
        self.throw(thrown)

    def _woken(self, _: Event) -> None:
        self.asleep = False
        if not self.undisturbed:
            return self.go_on(self._then)
        try:
            reply = self._then()
        except Thrown as thrown:
            return self.throw(thrown)
        return None if reply is PENDING else self._play(self._script.send, reply)

    def _forget_wake(self) -> None:
        if self._wake.scheduled:
            self.world.forget(self._wake)
            self._wake = Wake(self.world, self._woken)

    def leave(self) -> None:
        """The script came to its end."""
        self.alive = False
        self.stage.gone(self)

    def crash(self, thrown: Thrown) -> None:
        """An exception that nothing caught ends the process; its connection closes with it."""
        self.die("raised")

    def die(self, outcome: str, orphan: bool = False) -> None:
        """The process is gone, with all that it held."""
        self.alive, self.orphan, self.fate = False, orphan, outcome
        self._forget_wake()
        self._record(self.world.now, outcome)
        self.stage.stop_looking(self)
        if not orphan:
            self._bury()

    def _bury(self) -> None:
        """Nobody will finish what was in its hands, and the server notices."""
        self.holder.lost(self.fate)
        self._script.close()
        self.stage.gone(self)

    def shows(self, info: str) -> None:
        """A statement that takes long begins: it can be seen, and killed."""
        self.info = info

    def did(self) -> None:
        """A look led to something."""
        self.deeds += 1
        self.sent_at_deed, self.empties_at_deed = self.statements, self.empties
        self.claiming_s = -1.0

    def _record(self, t_s: float, kind: str) -> None:
        job, number = self.work or (0, 0)
        self.stage.recorder.events.append(Record(t_s, kind, self.worker, job, number, self.step))

    def pause(self, for_s: float) -> None:
        """The process stops, and goes on after ``for_s`` seconds."""
        now_s = self.world.now
        self.paused_until_s = now_s + for_s
        self._record(now_s, "hung")
        self._record(self.paused_until_s, "resumed")


def _nothing() -> None:
    return None
