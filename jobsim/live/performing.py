"""How each kind of effect is performed: one maker a kind (notes: see the module beside)."""

from __future__ import annotations

from contextlib import suppress
from math import floor
from typing import Any

import pymysql

from jobsim.effects import (
    Attempt,
    Begin,
    Clock,
    Commit,
    Connect,
    Delete,
    Disconnect,
    Insert,
    Kill,
    Poll,
    ProcessList,
    Query,
    Rollback,
    Select,
    Sleep,
    Spawn,
    Start,
    Update,
    WaitForWork,
)
from jobsim.live.driver import Performer
from jobsim.live.ops import Op, performs

A_MOMENT = 1e-9
"""Of a tick: a poll that was woken at its tick does not come to the same tick again."""


@performs(Connect)
def connect(me: Performer, effect: Connect) -> Op:
    return lambda: me.connect(effect)


@performs(Disconnect)
def disconnect(me: Performer, effect: Disconnect) -> Op:
    return me.disconnect


@performs(Begin)
def begin(me: Performer, effect: Begin) -> Op:
    return _statement(me, me.session.begin)


@performs(Commit)
def commit(me: Performer, effect: Commit) -> Op:
    def commit() -> None:
        me.session.commit()
        me.ring_if_due()

    return _statement(me, commit)


@performs(Rollback)
def rollback(me: Performer, effect: Rollback) -> Op:
    def rollback() -> None:
        me.session.rollback()
        me.to_ring = False

    return _statement(me, rollback)


@performs(Select)
def select(me: Performer, effect: Select) -> Op:
    return _statement(me, me.session.select(effect, me.started))


@performs(Update)
def update(me: Performer, effect: Update) -> Op:
    change = me.session.change(effect, me.started)
    if me.bells is None or not me.bells.rings_for(effect):
        return _statement(me, change)

    def update(*arguments: Any) -> int:
        matched: int = change(*arguments)
        me.ring()
        return matched

    return _statement(me, update)


@performs(Delete)
def delete(me: Performer, effect: Delete) -> Op:
    return _statement(me, me.session.change(effect, me.started))


@performs(Insert)
def insert(me: Performer, effect: Insert) -> Op:
    add = me.session.insert(effect, me.started)
    if me.bells is None or me.bells.table.name != effect.table.name:
        return _statement(me, add)

    def insert(rows: list[tuple[Any, ...]]) -> int:
        added: int = add(rows)
        me.ring()
        return added

    return _statement(me, insert)


@performs(Clock)
def clock(me: Performer, effect: Clock) -> Op:
    if effect.of == "worker":
        return me.now
    return _statement(me, lambda: me.session.now(me.started))


@performs(Sleep)
def sleep(me: Performer, effect: Sleep) -> Op:
    def sleep(t_s: float) -> None:
        me.end_look()
        _wait(me, t_s, None)

    return sleep


@performs(Poll)
def poll(me: Performer, effect: Poll) -> Op:
    wake = me.bells.wake(me.worker) if me.bells is not None and effect.notify else None

    def poll() -> None:
        me.end_look(found=False)
        _wait(me, next_tick_s(me, effect.every_s), wake)

    return poll


def _wait(me: Performer, t_s: float, wake: int | None) -> None:
    if me.halfway is not None:
        me.pause.until((me.now() + t_s) / 2)
        me.strike_halfway()
    me.pause.until(t_s, wake)


def next_tick_s(me: Performer, every_s: float) -> float:
    """When a script that polls looks again; its ticks begin when it began to idle."""
    now_s = me.now()
    if me.idle_since_s is None:
        me.idle_since_s = now_s
    if every_s <= 0:
        return now_s
    ticks = floor((now_s - me.idle_since_s) / every_s + A_MOMENT) + 1
    return me.idle_since_s + ticks * every_s


@performs(Start)
def start(me: Performer, effect: Start) -> Op:
    def start(attempt: Attempt) -> None:
        me.end_look()
        me.attempt = attempt
        me.journal.started(me.now(), attempt)
        me.work.start(attempt)

    return start


@performs(WaitForWork)
def wait_for_work(me: Performer, effect: WaitForWork) -> Op:
    def wait(for_s: float | None) -> str:
        me.end_look()
        outcome = _work(me, for_s)
        if outcome != "time":
            assert me.attempt is not None
            me.journal.ended(me.now(), me.attempt, outcome)
        return outcome

    return wait


def _work(me: Performer, for_s: float | None) -> str:
    if me.halfway is None:
        return me.work.wait(for_s)
    half_s = me.work.left_s() / 2 if for_s is None else min(me.work.left_s(), for_s) / 2
    outcome = me.work.wait(half_s)
    me.strike_halfway()
    if outcome != "time":
        return outcome
    return me.work.wait(None if for_s is None else for_s - half_s)


@performs(Query)
def query(me: Performer, effect: Query) -> Op:
    """The logged statement: it is at work once it has the row that it touches."""
    run_s, fails = me.load.run_s, me.load.fails

    def query(attempt: Attempt, touches: int | None) -> str:
        me.attempt = attempt
        if touches is None:
            me.journal.started(me.now(), attempt)
        try:
            me.session.busy(effect.label, attempt, float(run_s[attempt.job - 1]), touches)
        finally:
            if touches is not None:
                _note_lock(me, attempt)
        me.journal.ended(me.now(), attempt, "completed")
        return "failed" if fails[attempt.job - 1] else "completed"

    return _statement(me, query)


def _note_lock(me: Performer, attempt: Attempt) -> None:
    with suppress(pymysql.MySQLError):  # the connection may be gone
        locked_s = me.session.locked_s(attempt, me.started)
        if locked_s is not None:
            me.journal.started(locked_s, attempt)


@performs(ProcessList)
def process_list(me: Performer, effect: ProcessList) -> Op:
    return _statement(me, lambda: me.session.sessions(me.hidden))


@performs(Kill)
def kill(me: Performer, effect: Kill) -> Op:
    return _statement(me, lambda victim: me.session.kill(victim, effect.what))


@performs(Spawn)
def spawn(me: Performer, effect: Spawn) -> Op:
    return me.spawn


def _statement(me: Performer, op: Op) -> Op:
    def statement(*arguments: Any) -> Any:
        me.begin_look()
        me.sending = True
        try:
            return op(*arguments)
        finally:
            me.sending = False

    return statement
