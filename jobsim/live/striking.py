"""Faults at a step: a real SIGKILL, SIGSTOP or exception, exactly there."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jobsim.effects import (
    Begin,
    Commit,
    Delete,
    Effect,
    Insert,
    Kill,
    Poll,
    ProcessList,
    Query,
    Raised,
    Rollback,
    Select,
    Sleep,
    Update,
    WaitForWork,
)
from jobsim.faults import Fault
from jobsim.live.ops import Op

if TYPE_CHECKING:
    from jobsim.live.driver import Performer

STATEMENTS = (
    Select, Update, Insert, Delete, Begin, Commit, Rollback, Query, ProcessList, Kill
)  # fmt: skip


def struck(me: Performer, effect: Effect[Any], op: Op, at: int) -> Op:
    """The same, but the fault number ``at`` meets it when its time has come."""
    fault = me.faults[at]

    def strike() -> None:
        STRIKES[fault.kind](me, effect, fault)

    meet = _meeting(me, effect, op, fault, strike)

    def perform(*arguments: Any) -> Any:
        return (meet if me.tally.next(at) == fault.nth else op)(*arguments)

    return perform


def _kill(me: Performer, effect: Effect[Any], fault: Fault) -> None:
    me.note("died", effect.label)
    os.kill(os.getpid(), signal.SIGKILL)


def _raise(me: Performer, effect: Effect[Any], fault: Fault) -> None:
    me.note("raised", effect.label)
    raise Raised(f"a fault at {effect.label}")


def _pause(me: Performer, effect: Effect[Any], fault: Fault) -> None:
    me.note("hung", effect.label, fault.for_s)  # the supervisor reads it and lets us go on
    os.kill(os.getpid(), signal.SIGSTOP)
    me.note("resumed", effect.label)


STRIKES = {"kill": _kill, "raise": _raise, "pause": _pause}


def _meeting(
    me: Performer, effect: Effect[Any], op: Op, fault: Fault, strike: Callable[[], None]
) -> Op:
    def before(*arguments: Any) -> Any:
        strike()
        return op(*arguments)

    def after(*arguments: Any) -> Any:
        reply = op(*arguments)
        me.strike_next(strike)
        return reply

    def sent(*arguments: Any) -> Any:
        me.session.once_sent(strike)
        return op(*arguments)

    def halfway(*arguments: Any) -> Any:
        me.halfway = strike
        return op(*arguments)

    if fault.when != "during":
        return before if fault.when == "before" else after
    if isinstance(effect, (WaitForWork, Sleep, Poll)):
        return halfway
    # an exception has no midst of a statement: the script meets it in the place of the reply
    return sent if isinstance(effect, STATEMENTS) and fault.kind != "raise" else after
