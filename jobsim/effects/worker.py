"""What happens beside the database: work, waiting, clocks, other processes, notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from jobsim.effects.base import Effect
from jobsim.effects.predicate import Predicate
from jobsim.effects.table import Table


class Attempt(NamedTuple):
    """One execution of a job: the job's id, and which execution of it this is (from 1)."""

    job: int
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Start(Effect[None]):
    """Begin an attempt's work. Argument: the :class:`Attempt`."""

    label: str = "start"


@dataclass(frozen=True, slots=True, eq=False)
class WaitForWork(Effect[Literal["completed", "failed", "time"]]):
    """Wait for the work begun last. Argument: at most this many seconds, or None.

    ``time`` means that the work goes on: a heartbeat is *start; wait; renew; wait again*.
    """

    label: str = "work"


@dataclass(frozen=True, slots=True, eq=False)
class Sleep(Effect[None]):
    """Do nothing until an instant. Argument: ``t_s``, in seconds since the run began."""

    label: str = "sleep"


@dataclass(frozen=True, slots=True, eq=False)
class Poll(Effect[None]):
    """Look again later: at the next tick of a clock that began when this script began to idle.

    The ticks are ``every_s`` apart and count from the end of the last work, so that how long an
    empty look takes does not shift them. A tick at which no row of ``table`` fits ``until`` is
    idle: nothing could come of it. A simulation may skip idle ticks, a live script sleeps.

    ``notify`` wakes the script at once when a row comes to fit, and ``every_s`` is then only the
    longest wait.
    """

    label: str
    every_s: float
    table: Table
    until: Predicate
    notify: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Clock(Effect[float]):
    """The time, in seconds since the run began, by the database's clock or the worker's own."""

    label: str = "now"
    of: Literal["database", "worker"] = "database"


@dataclass(frozen=True, slots=True, eq=False)
class Spawn(Effect[None]):
    """Start another script in a process of its own. Arguments: role name, its argument."""

    label: str = "spawn"


@dataclass(frozen=True, slots=True, eq=False)
class Note(Effect[None]):
    """Record that something happened; costs no time. Its arguments, by ``kind``:

    =============  ============================================================================
    ``submitted``  the ids of jobs whose rows are in, in the order in which they fall due
    ``claimed``    the attempts that a claim gave
    ``empty``      none; a claim found nothing
    ``finished``   attempts, and how they ended (:data:`jobsim.events.OUTCOMES`)
    ``reclaimed``  the ids of jobs given back
    ``held``       a firing that was granted its lease or renewed it, and the time-out in seconds
    ``released``   a firing that gave its lease back
    ``kill``       the :class:`~jobsim.effects.Session` whose statement was killed
    =============  ============================================================================

    A claim's own beginning need not be noted: it is the first statement since this script last
    worked, slept, looked or noted something.
    """

    kind: str
    label: str = "note"
