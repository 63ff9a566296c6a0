"""A connection, its transactions, and what can be seen and done of other connections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jobsim.effects.base import Effect

Isolation = Literal["repeatable-read", "read-committed", "serializable", "read-uncommitted"]


@dataclass(frozen=True, slots=True, eq=False)
class Connect(Effect[None]):
    """Open this script's connection, as ``user``, with the server's limits for it.

    ``statement_limit_s`` ends a statement that runs longer (``max_statement_time``),
    ``lock_wait_s`` a wait for a row lock, ``idle_limit_s`` a connection that says nothing.
    None leaves the server's default.
    """

    label: str = "connect"
    user: str | None = None
    statement_limit_s: float | None = None
    lock_wait_s: float | None = None
    idle_limit_s: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Disconnect(Effect[None]):
    """Close the connection; an open transaction is rolled back by the server."""

    label: str = "disconnect"


@dataclass(frozen=True, slots=True, eq=False)
class Begin(Effect[None]):
    """Open a transaction. A statement outside one is a transaction of its own."""

    label: str = "begin"


@dataclass(frozen=True, slots=True, eq=False)
class Commit(Effect[None]):
    """Make the transaction's changes durable and visible, and free its locks."""

    label: str = "commit"


@dataclass(frozen=True, slots=True, eq=False)
class Rollback(Effect[None]):
    """Take the transaction's changes back and free its locks."""

    label: str = "rollback"


@dataclass(frozen=True, slots=True, eq=False)
class Query(Effect[Literal["completed", "failed"]]):
    """The statement that a log recorded. Arguments: the attempt, and the row it touches or None.

    It needs its logged run time on the server once it has its locks. The row is one of the shared
    table: the statement locks it first and holds it to its end.
    """

    label: str = "query"


@dataclass(frozen=True, slots=True)
class Session:
    """One line of the server's process list, with what it does to others.

    Attributes
    ----------
    session
        The connection's id.
    query_id
        The running statement's id where the server has one (MariaDB), else 0.
    user, command, state, info
        As the process list shows them.
    time_s
        Age of the running statement, or of the idleness of a ``Sleep``.
    transaction_s
        Age of the open transaction, None without one.
    rows_changed
        Rows that the transaction has changed: what a rollback would cost.
    blocked_by
        Sessions whose locks this one waits for.
    """

    session: int
    query_id: int
    user: str
    command: str
    time_s: float
    state: str
    info: str | None
    transaction_s: float | None = None
    rows_changed: int = 0
    blocked_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ProcessList(Effect[list[Session]]):
    """Every connection on the server but this one."""

    label: str = "process list"


@dataclass(frozen=True, slots=True, eq=False)
class Kill(Effect[bool]):
    """End a statement or a whole connection. Arguments: the :class:`Session`.

    The reply says whether there was still something to kill.
    """

    label: str = "kill"
    what: Literal["statement", "connection"] = "statement"
