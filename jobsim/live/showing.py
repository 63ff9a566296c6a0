"""Putting into the journal what a script sends: each statement once, or every step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pymysql

from jobsim.effects import Delete, Effect, Select, Thrown, Update
from jobsim.live.ops import Op
from jobsim.live.plans import expected_index

if TYPE_CHECKING:
    from jobsim.live.driver import Performer

SEARCHES = (Select, Update, Delete)
"""Statements that have to find their rows."""


def shown_once(me: Performer, effect: Select | Update | Delete, op: Op) -> Op:
    """The same; the first time its SQL is put into the journal."""

    def first(*arguments: Any) -> Any:
        me.ops[effect] = op
        sql = me.session.text(effect, arguments, me.started)
        me.journal.statement(me.now(), effect.label, sql, expected_index(effect))
        return op(*arguments)

    return first


def traced(me: Performer, effect: Effect[Any], op: Op) -> Op:
    """The same, with every asking and its reply in the journal."""

    def step(*arguments: Any) -> Any:
        began_s = me.now()
        try:
            reply = op(*arguments)
        except (pymysql.MySQLError, Thrown) as error:
            me.journal.step(began_s, effect.label, repr(arguments), repr(error))
            raise
        me.journal.step(began_s, effect.label, repr(arguments), repr(reply))
        return reply

    return step
