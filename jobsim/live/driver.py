"""Performing a script on the live database, in this process.

Each kind of effect has one maker (in :mod:`jobsim.live.performing` and :mod:`jobsim.live.noting`),
found by the effect's type; it is called when an effect is first met, and gives the function that
performs it from then on. The loop that drives a script is :meth:`Performer.perform`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import pymysql

from jobsim.effects import (
    Attempt,
    ChangedSinceRead,
    Connect,
    ConnectionLost,
    Deadlock,
    Effect,
    Isolation,
    Note,
    Raised,
    Script,
    Thrown,
)
from jobsim.faults import Fault
from jobsim.live.bell import Bells
from jobsim.live.database import Database
from jobsim.live.journal import Journal
from jobsim.live.ops import MAKERS, Op, Ops
from jobsim.live.pause import Pause
from jobsim.live.session import EVENT_OF, Session, thrown_by
from jobsim.live.showing import SEARCHES, shown_once, traced
from jobsim.live.striking import struck
from jobsim.live.tally import Tally
from jobsim.live.work import Work
from jobsim.run import Load

GONE = (Deadlock, ChangedSinceRead, ConnectionLost)
"""Thrown when the server has ended the transaction."""


class Start(NamedTuple):
    """The common start of a run.

    Attributes
    ----------
    start_s
        Of the machine's monotonic clock.
    origin
        The server's clock then.
    hidden
        Sessions on the server that only watch the run.
    """

    start_s: float
    origin: datetime
    hidden: tuple[int, ...] = ()


class AtNext(Ops):
    """Stands in for a performer's ops, to do something before its next effect.

    Notes come through: they cost nothing, and say what the step before them has come to.
    """

    def __init__(self, performer: Performer, strike: Callable[[], None]) -> None:
        super().__init__(self._meet)
        self.performer = performer
        self.strike = strike
        self.ops = performer.ops

    def _meet(self, effect: Effect[Any]) -> Op:
        if isinstance(effect, Note):
            return self.ops[effect]
        self.performer.ops = self.ops
        self.strike()
        return self.ops[effect]


def _raise() -> None:
    raise Raised("a fault")


@dataclass(eq=False)
class Performer:
    """One process's part in a run.

    Attributes
    ----------
    worker
        Its number in the run.
    load
        What each row of the log takes.
    gate
        Waits, once this process is connected, for the common start of all; gives the server's
        clock at that instant.
    spawn
        Has a script started in a process of its own: its role, the number of its row.
    faults
        Those that meet this worker at a step.
    tally
        Counts how often a fault's step was come to.
    bells
        By which workers are woken, where they are.
    trace
        Whether every step is put into the journal.
    """

    worker: int
    load: Load
    database: Database
    isolation: Isolation
    journal: Journal
    pause: Pause
    work: Work
    gate: Callable[[], Start]
    spawn: Callable[[str, int], None]
    faults: Sequence[Fault] = ()
    tally: Tally = field(default_factory=Tally)
    bells: Bells | None = None
    trace: bool = False

    sending: bool = field(default=False, init=False)
    step: str = field(default="", init=False)
    start: Start | None = field(default=None, init=False)
    attempt: Attempt | None = field(default=None, init=False)
    looking_since_s: float | None = field(default=None, init=False)
    idle_since_s: float | None = field(default=None, init=False)
    halfway: Callable[[], None] | None = field(default=None, init=False)
    to_ring: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.now = self.pause.now
        self.ops = Ops(self._make)
        self._session: Session | None = None

    def perform(self, script: Script[None]) -> None:
        """Drive a script to its end.

        Raises
        ------
        Thrown
            Something thrown into the script that it did not catch.
        Stopped
            The run ended before the script did.
        """
        go_on: Callable[[Any], Any] = script.send
        value: Any = None
        while True:
            try:
                effect, arguments = go_on(value)
            except StopIteration:
                return
            self.step = effect.label
            try:
                value = self.ops[effect](*arguments)
                go_on = script.send
            except pymysql.MySQLError as error:
                go_on, value = script.throw, self._thrown(error, effect)
            except Thrown as error:
                go_on, value = script.throw, error

    @property
    def started(self) -> datetime:
        """The server's clock when the run began."""
        if self.start is None:
            raise RuntimeError("the run has not begun")
        return self.start.origin

    @property
    def hidden(self) -> tuple[int, ...]:
        """Sessions on the server that have no part in the run."""
        return () if self.start is None else self.start.hidden

    @property
    def session(self) -> Session:
        """The connection of this script."""
        if self._session is None:
            raise RuntimeError("a script connects before its first statement")
        return self._session

    def connect(self, effect: Connect) -> None:
        """Open the connection; the first time, wait for the others."""
        self.disconnect()
        self._session = Session(self.database, self.isolation, effect)
        self.await_start()

    def await_start(self) -> None:
        """Wait for the others; only once."""
        if self.start is None:
            self.start = self.gate()

    def disconnect(self) -> None:
        """Close the connection; what was made for it is made again for the next."""
        if self._session is not None:
            self._session.close()
            self._session = None
            self.ops.clear()

    def begin_look(self) -> None:
        """A statement is sent: if it is the first in a while, a claim may begin with it."""
        if self.looking_since_s is None:
            self.looking_since_s = self.now()
            if self.bells is not None and self.worker in self.bells.ends:
                self.bells.silence(self.worker)

    def end_look(self, *, found: bool = True) -> float:
        """The script has worked, slept or noted: the instant its statements began."""
        began_s = self.now() if self.looking_since_s is None else self.looking_since_s
        self.looking_since_s = None
        if found:
            self.idle_since_s = None
        return began_s

    def raise_now(self) -> None:
        """Throw an exception into the script, or after the statement that is under way.

        Within a statement it would leave a reply unread, and the connection useless.
        """
        self.note("raised", self.step)
        if not self.sending:
            raise Raised("a fault")
        self.strike_next(_raise)

    def strike_next(self, strike: Callable[[], None]) -> None:
        """Have a fault before the next effect that is not a note."""
        self.ops = AtNext(self, strike)

    def strike_halfway(self) -> None:
        """Have the fault that waits for the middle of what is being waited for."""
        strike, self.halfway = self.halfway, None
        if strike is not None:
            strike()

    def ring(self) -> None:
        """A row may fit what idle workers look for, once the transaction commits."""
        self.to_ring = self.bells is not None
        if not self.session.in_transaction:
            self.ring_if_due()

    def ring_if_due(self) -> None:
        """What was changed can be seen: wake those who look for it."""
        if self.bells is not None and self.to_ring:
            self.bells.ring()
        self.to_ring = False

    def note(self, kind: str, step: str, value: float | None = None) -> None:
        """Put something out of the ordinary into the journal, with the attempt at hand."""
        self.journal.event(self.now(), kind, step, *(self.attempt or (0, 0)), value)

    def _make(self, effect: Effect[Any]) -> Op:
        if not isinstance(effect, Connect):
            self.await_start()
        op = MAKERS[type(effect)](self, effect)
        for at, fault in enumerate(self.faults):
            if fault.at == effect.label:
                op = struck(self, effect, op, at)
        op = traced(self, effect, op) if self.trace else op
        return shown_once(self, effect, op) if isinstance(effect, SEARCHES) else op

    def _thrown(self, error: pymysql.MySQLError, effect: Effect[Any]) -> Thrown:
        thrown = thrown_by(error)
        if thrown is None:
            raise error
        self.note(EVENT_OF[type(thrown)], effect.label)
        if isinstance(thrown, GONE):
            self.session.lost_transaction()
            self.to_ring = False
        return thrown
