"""What one session sees of the others on a server, and what it can do to them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from typing import Any

import pymysql

from jobsim.effects import Session

SESSIONS = {
    "mariadb": """
        SELECT p.id, p.query_id, p.user, p.command, p.time_ms / 1000, p.state, p.info,
               TIMESTAMPDIFF(MICROSECOND, t.trx_started, SYSDATE(6)) / 1000000, t.trx_rows_modified
        FROM information_schema.processlist p
        LEFT JOIN information_schema.innodb_trx t ON t.trx_mysql_thread_id = p.id
        WHERE p.id <> CONNECTION_ID()""",
    "mysql": """
        SELECT p.id, 0, p.user, p.command, p.time, p.state, p.info,
               TIMESTAMPDIFF(MICROSECOND, t.trx_started, SYSDATE(6)) / 1000000, t.trx_rows_modified
        FROM information_schema.processlist p
        LEFT JOIN information_schema.innodb_trx t ON t.trx_mysql_thread_id = p.id
        WHERE p.id <> CONNECTION_ID()""",
}
"""MySQL's ages are whole seconds, and it has no id of a statement."""

BLOCKERS = {
    "mariadb": """
        SELECT r.trx_mysql_thread_id, b.trx_mysql_thread_id
        FROM information_schema.innodb_lock_waits w
        JOIN information_schema.innodb_trx r ON r.trx_id = w.requesting_trx_id
        JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_trx_id""",
    "mysql": """
        SELECT waiting_pid, blocking_pid FROM sys.innodb_lock_waits""",
}

NO_SUCH_THREAD = 1094
NO_SUCH_QUERY = 1957

_MARK = re.compile(r"/\* (?P<label>.+?) (?P<job>\d+) by (?P<user>\S*) \*/")


def mark(label: str, job: int, user: str) -> str:
    """A comment that tells whose statement it is; users need no accounts of their own for it."""
    plain = re.sub(r"[^\w.@-]", "_", user)
    return f"/* {label} {job} by {plain} */"


def job_of(session: Session) -> int:
    """The row of the log that a session's statement belongs to, 0 for none."""
    found = _MARK.search(session.info or "")
    return int(found["job"]) if found else 0


def sessions(cursor: Any, dialect: str, hidden: Collection[int]) -> list[Session]:
    """Every session but this one and the hidden ones."""
    blockers = defaultdict(list)
    cursor.execute(BLOCKERS[dialect])
    for waiting, blocking in cursor.fetchall():
        blockers[waiting].append(blocking)
    cursor.execute(SESSIONS[dialect])
    return [
        _session(row, tuple(blockers[row[0]])) for row in cursor.fetchall() if row[0] not in hidden
    ]


def _session(row: tuple[Any, ...], blocked_by: tuple[int, ...]) -> Session:
    number, query, user, command, time_s, state, info, transaction_s, changed = row
    found = _MARK.search(info or "")
    return Session(
        session=int(number),
        query_id=int(query),
        user=found["user"] if found else str(user),
        command=str(command),
        time_s=float(time_s or 0.0),
        state=str(state or ""),
        info=info,
        transaction_s=None if transaction_s is None else float(transaction_s),
        rows_changed=int(changed or 0),
        blocked_by=blocked_by,
    )


def kill(cursor: Any, victim: Session, what: str, dialect: str) -> bool:
    """End a statement or a connection: whether it was still there.

    By the statement's own id where the server has one: a thread's id may be another's by now.
    """
    try:
        if what == "connection":
            cursor.execute(f"KILL CONNECTION {victim.session:d}")
        elif dialect == "mariadb":
            cursor.execute(f"KILL QUERY ID {victim.query_id:d}")
        else:
            cursor.execute(f"KILL QUERY {victim.session:d}")
    except pymysql.MySQLError as error:
        if error.args[0] in (NO_SUCH_THREAD, NO_SUCH_QUERY):
            return False
        raise
    return True
