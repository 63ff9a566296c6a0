"""A script's connection: its statements, its transaction, and what the server throws."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

import pymysql

from jobsim import effects
from jobsim.effects import (
    Attempt,
    ChangedSinceRead,
    Connect,
    ConnectionLost,
    Deadlock,
    Delete,
    DuplicateKey,
    Insert,
    Isolation,
    Killed,
    LimitExceeded,
    LockTimeout,
    Select,
    Thrown,
    Update,
)
from jobsim.live import processlist
from jobsim.live.database import Database
from jobsim.live.ops import Op
from jobsim.live.processlist import mark
from jobsim.live.statements import binder, insert_sql, to_datetime, to_seconds
from jobsim.policies.killer import SHARED

THROWN: dict[int, type[Thrown]] = {
    1020: ChangedSinceRead,
    1062: DuplicateKey,
    1205: LockTimeout,
    1213: Deadlock,
    1317: Killed,
    1927: ConnectionLost,
    1969: LimitExceeded,
    2006: ConnectionLost,
    2013: ConnectionLost,
    3024: LimitExceeded,
    3572: LockTimeout,
    4031: ConnectionLost,
}
"""By the number of the server's error, or of its client's."""

EVENT_OF: dict[type[Thrown], str] = {
    ChangedSinceRead: "changed since read",
    DuplicateKey: "duplicate key",
    LockTimeout: "lock timeout",
    Deadlock: "deadlock",
    Killed: "killed",
    ConnectionLost: "connection lost",
    LimitExceeded: "limit exceeded",
}
"""What the record of a run calls it."""

LARGEST_INSERT = 8 << 20
"""Bytes of one INSERT of many rows; a server takes 16 MB by default."""


def thrown_by(error: pymysql.MySQLError) -> Thrown | None:
    """What a script is thrown for an error of the driver; None for one that is a bug."""
    number = error.args[0] if error.args else None
    if isinstance(error, pymysql.InterfaceError):  # the socket is closed already
        return ConnectionLost(str(error))
    return THROWN[number](str(error)) if number in THROWN else None


class Session:
    """One connection to the database of the run.

    Attributes
    ----------
    in_transaction
        Between a Begin and its Commit or Rollback; outside, each statement commits by itself.
    """

    def __init__(self, database: Database, isolation: Isolation, connect: Connect) -> None:
        self.speech = database.speech
        self.user = connect.user or ""
        self._connection = database.connect()
        raw: Any = self._connection.connection.driver_connection
        self._raw: pymysql.Connection[Any] = raw
        self._cursor = raw.cursor()
        self._cursor.max_stmt_length = LARGEST_INSERT
        for statement in first_statements(database, isolation, connect):
            self._cursor.execute(statement)
        self.in_transaction = False

    def begin(self) -> None:
        self._cursor.execute("BEGIN")
        self.in_transaction = True

    def commit(self) -> None:
        self._cursor.execute("COMMIT")
        self.in_transaction = False

    def rollback(self) -> None:
        self._cursor.execute("ROLLBACK")
        self.in_transaction = False

    def lost_transaction(self) -> None:
        """The server has ended the transaction by itself."""
        self.in_transaction = False

    def now(self, origin: datetime) -> float:
        """The server's clock, in seconds since the run began."""
        self._cursor.execute("SELECT NOW(6)")
        seconds = to_seconds(origin, self._cursor.fetchone()[0])
        assert seconds is not None
        return seconds

    def select(self, effect: Select, origin: datetime) -> Op:
        """What performs a Select."""
        bind, cursor = binder(effect, self.speech, origin), self._cursor
        instants = [effect.table.kind(name) == "instant" for name in effect.columns]

        def select(*arguments: Any) -> list[tuple[Any, ...]]:
            cursor.execute(*bind(arguments))
            rows = list(cursor.fetchall())
            return [_seconds(row, instants, origin) for row in rows] if any(instants) else rows

        return select

    def change(self, effect: Update | Delete, origin: datetime) -> Op:
        """What performs an Update or a Delete: the reply is the number of rows matched."""
        bind, cursor = binder(effect, self.speech, origin), self._cursor

        def change(*arguments: Any) -> int:
            # PyMySQL asks for rows matched, not rows changed, as SQLAlchemy has it ask
            matched: int = cursor.execute(*bind(arguments))
            return matched

        return change

    def insert(self, effect: Insert, origin: datetime) -> Op:
        """What performs an Insert."""
        sql, cursor = insert_sql(effect, self.speech), self._cursor
        instants = [effect.table.kind(name) == "instant" for name in effect.columns]

        def insert(rows: list[tuple[Any, ...]]) -> int:
            values = [_datetimes(row, instants, origin) for row in rows]
            added = cursor.executemany(sql, values)
            return int((cursor.lastrowid if effect.returning_id else added) or 0)

        return insert

    def busy(self, label: str, attempt: Attempt, demand_s: float, touches: int | None) -> None:
        """Keep the server busy with one statement, which first locks a shared row if it is to."""
        comment = mark(label, attempt.job, self.user)
        if touches is None:
            self._cursor.execute(f"SELECT {comment} SLEEP({demand_s:.6f})")
            if self._cursor.fetchone()[0]:  # it was interrupted, and does not call that an error
                raise Killed("the sleep was interrupted")
            return
        noted = f"(@locked_{attempt.job:d} := SYSDATE(6))"
        self._cursor.execute(
            f"UPDATE {comment} {SHARED.name} SET hits = hits + 1 + "
            f"IF({noted} IS NULL, 0, SLEEP({demand_s:.6f})) WHERE id = {touches:d}"
        )

    def locked_s(self, attempt: Attempt, origin: datetime) -> float | None:
        """When the busy statement of an attempt had its row; None if it never had it."""
        self._cursor.execute(f"SELECT CAST(@locked_{attempt.job:d} AS DATETIME(6))")
        return to_seconds(origin, self._cursor.fetchone()[0])

    def sessions(self, hidden: Collection[int]) -> list[effects.Session]:
        """Every session but this one and the hidden ones."""
        return processlist.sessions(self._cursor, self.speech.name, hidden)

    def kill(self, victim: effects.Session, what: str) -> bool:
        """End another session's statement, or the session: whether it was still there."""
        return processlist.kill(self._cursor, victim, what, self.speech.name)

    def text(
        self, effect: Select | Update | Delete, arguments: tuple[Any, ...], origin: datetime
    ) -> str:
        """The SQL that these arguments make, with their values in it."""
        return str(self._cursor.mogrify(*binder(effect, self.speech, origin)(arguments)))

    def once_sent(self, action: Callable[[], None]) -> None:
        """Do something when the next statement is on its way and its reply not yet read."""
        raw: Any = self._raw
        read = raw._read_query_result

        def act_then_read(*arguments: Any, **named: Any) -> Any:
            del raw._read_query_result
            action()
            return read(*arguments, **named)

        raw._read_query_result = act_then_read

    def close(self) -> None:
        """Leave; the server takes back what was not committed. May be called again."""
        if not self._connection.closed:
            self._connection.invalidate()
        self._connection.close()


def first_statements(database: Database, isolation: Isolation, connect: Connect) -> list[str]:
    """What a connection begins with: UTC, its isolation level and its limits."""
    level = isolation.replace("-", " ").upper()
    return [
        f"SET SESSION TRANSACTION ISOLATION LEVEL {level}",
        "SET SESSION " + ", ".join(["time_zone = '+00:00'", *_limits(database, connect)]),
    ]


def _limits(database: Database, connect: Connect) -> list[str]:
    limits = []
    if connect.statement_limit_s is not None and database.dialect == "mariadb":
        limits.append(f"max_statement_time = {connect.statement_limit_s:g}")
    if connect.statement_limit_s is not None and database.dialect == "mysql":
        limits.append(f"max_execution_time = {connect.statement_limit_s * 1000:.0f}")
    if connect.lock_wait_s is not None:
        limits.append(f"innodb_lock_wait_timeout = {max(1, round(connect.lock_wait_s))}")
    if connect.idle_limit_s is not None:
        limits.append(f"wait_timeout = {max(1, round(connect.idle_limit_s))}")
    return limits


def _seconds(row: tuple[Any, ...], instants: list[bool], origin: datetime) -> tuple[Any, ...]:
    return tuple(
        to_seconds(origin, value) if instant else value
        for value, instant in zip(row, instants, strict=True)
    )


def _datetimes(row: tuple[Any, ...], instants: list[bool], origin: datetime) -> tuple[Any, ...]:
    return tuple(
        to_datetime(origin, value) if instant else value
        for value, instant in zip(row, instants, strict=True)
    )
