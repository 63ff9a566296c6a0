"""How each kind of server says what standard SQL leaves open: its clock, its locking reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy.dialects import mssql, postgresql, sqlite
from sqlalchemy.dialects.mysql import pymysql
from sqlalchemy.engine import Dialect

from jobsim.errors import UsageError
from jobsim.words import nearest


@dataclass(frozen=True, slots=True)
class Speech:
    """What a dialect says for the words that a policy uses.

    Attributes
    ----------
    now
        The clock when the statement starts.
    ago
        The same less a number of seconds, which is put in for ``{}``.
    begin
        Opens a transaction.
    lock_hint
        What a locking read has behind its table, by what it does at a locked row, where there is no
        ``FOR UPDATE``; empty where a transaction locks the whole database.
    fetches
        Says ``FETCH FIRST n ROWS ONLY`` for ``LIMIT n``.
    """

    name: str
    now: str
    ago: str
    begin: str = "BEGIN"
    lock_hint: Mapping[str, str] | None = None
    fetches: bool = False
    dialect: Callable[[], Dialect] = field(repr=False, kw_only=True)

    def seconds_ago(self, seconds_s: float) -> str:
        """The clock less that many seconds."""
        return self.ago.format(f"{seconds_s:.6f}".rstrip("0").rstrip("."))


def _dialect(of: Any, paramstyle: str) -> Any:
    return of.dialect(paramstyle=paramstyle)


def _mariadb() -> Any:
    dialect = pymysql.dialect(paramstyle="format")
    dialect.is_mariadb = True
    return dialect


def _mssql() -> Any:
    dialect = _dialect(mssql, "qmark")
    dialect._supports_offset_fetch = True  # since 2012
    return dialect


MARIADB = Speech("mariadb", "NOW(6)", "NOW(6) - INTERVAL {} SECOND", dialect=_mariadb)
MYSQL = Speech(
    "mysql",
    MARIADB.now,
    MARIADB.ago,
    dialect=partial(_dialect, pymysql, "format"),
)
POSTGRESQL = Speech(
    "postgresql",
    "statement_timestamp()",
    "statement_timestamp() - INTERVAL '{} seconds'",
    dialect=partial(_dialect, postgresql, "format"),
)
SQLITE = Speech(
    "sqlite",
    "strftime('%Y-%m-%d %H:%M:%f')",
    "strftime('%Y-%m-%d %H:%M:%f', '-{} seconds')",
    begin="BEGIN IMMEDIATE",
    lock_hint={},
    dialect=partial(_dialect, sqlite, "qmark"),
)
MSSQL = Speech(
    "mssql",
    "SYSUTCDATETIME()",
    "DATEADD(MICROSECOND, -1000000 * {}, SYSUTCDATETIME())",
    begin="BEGIN TRANSACTION",
    fetches=True,
    lock_hint={
        "wait": "WITH (UPDLOCK, ROWLOCK)",
        "skip": "WITH (UPDLOCK, ROWLOCK, READPAST)",
        "fail": "WITH (UPDLOCK, ROWLOCK, NOWAIT)",
    },
    dialect=_mssql,
)

SPEECHES = {one.name: one for one in (MARIADB, MYSQL, POSTGRESQL, SQLITE, MSSQL)}
LIVE = ("mariadb", "mysql")
"""Those that a live run can use; the others can be explained."""


def speech(name: str) -> Speech:
    """The speech of a dialect by its name.

    Raises
    ------
    UsageError
        No such dialect; names the nearest one.
    """
    if name not in SPEECHES:
        raise UsageError(f"unknown dialect {name!r}; {nearest(name, list(SPEECHES))}")
    return SPEECHES[name]
