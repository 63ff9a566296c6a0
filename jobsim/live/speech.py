"""How each kind of server says what standard SQL leaves open: its clock, its locking reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy.dialects import mssql, postgresql, sqlite
from sqlalchemy.dialects.mysql import pymysql
from sqlalchemy.engine import Dialect

from jobsim.errors import UsageError
from jobsim.policies.settings import nearest


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
    locks
        Whether it has locking reads (``FOR UPDATE``); where not, a writer locks it all.
    """

    name: str
    now: str
    ago: str
    begin: str = "BEGIN"
    locks: bool = True
    dialect: Callable[[], Dialect] = field(repr=False, kw_only=True)

    def seconds_ago(self, seconds_s: float) -> str:
        """The clock less that many seconds."""
        return self.ago.format(f"{seconds_s:.6f}".rstrip("0").rstrip("."))


def _dialect(of: Any, paramstyle: str) -> Dialect:
    made: Dialect = of.dialect(paramstyle=paramstyle)
    return made


def _mariadb() -> Any:
    dialect = pymysql.dialect(paramstyle="format")
    dialect.is_mariadb = True
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
    locks=False,
    dialect=partial(_dialect, sqlite, "qmark"),
)
MSSQL = Speech(
    "mssql",
    "SYSUTCDATETIME()",
    "DATEADD(MICROSECOND, -1000000 * {}, SYSUTCDATETIME())",
    begin="BEGIN TRANSACTION",
    dialect=partial(_dialect, mssql, "qmark"),
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
