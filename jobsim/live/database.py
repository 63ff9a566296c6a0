"""The database of a live run: reached, looked at, and judged fit before anything is written."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymysql
import sqlalchemy as sa
from packaging.version import Version

from jobsim.errors import DatabaseError
from jobsim.live.server import ThrowAwayServer
from jobsim.live.speech import SPEECHES, Speech

DRIVERS = {"mysql": "mysql+pymysql", "mariadb": "mysql+pymysql", "mysql+pymysql": "mysql+pymysql"}
REACH_S = 10
LISTED_S = 0.2
"""The server renews its list of transactions once nobody has asked for it for 0.1 s."""
LOOPBACK = (None, "localhost", "127.0.0.1", "::1")
OWN = ("system user", "event_scheduler")

NAMES = {"mariadb": "MariaDB", "mysql": "MySQL", "postgresql": "PostgreSQL"}

AT_WORK = """
    SELECT user, command FROM information_schema.processlist
    WHERE id <> CONNECTION_ID() AND command IN ('Query', 'Execute')"""
AT_WORK_OR_IN_TRANSACTION = """
    SELECT p.user, p.command FROM information_schema.processlist p
    LEFT JOIN information_schema.innodb_trx t ON t.trx_mysql_thread_id = p.id
    WHERE p.id <> CONNECTION_ID() AND (p.command IN ('Query', 'Execute') OR t.trx_id IS NOT NULL)"""

SETTINGS = (
    "innodb_flush_log_at_trx_commit",
    "innodb_doublewrite",
    "sync_binlog",
    "log_bin",
    "innodb_snapshot_isolation",
    "innodb_lock_wait_timeout",
    "innodb_deadlock_detect",
    "innodb_print_all_deadlocks",
    "innodb_buffer_pool_size",
    "max_connections",
)
"""What decides about the cost of a commit and of a lock, kept with every result."""


@dataclass(frozen=True)
class Database:
    """A server, and the schema on it that jobsim may write to.

    Attributes
    ----------
    url
        Where it is; printed without its password.
    dialect, version
        ``mariadb`` or ``mysql``, and such as ``10.11.19``.
    settings
        The server's settings that a result is to be read with, and what became of commits.
    pid
        The server's process, where it runs on this machine and belongs to us.
    folder
        Where a run's files go, if they are to go away with the server.
    """

    engine: sa.Engine = field(repr=False)
    """Pools nothing, so that forked processes may use it too; it has asked its questions."""
    url: sa.URL
    dialect: str
    version: str
    settings: Mapping[str, str] = field(repr=False)
    pid: int | None = None
    folder: Path | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{NAMES[self.dialect]} {self.version} at {masked(self.url)}"

    @property
    def speech(self) -> Speech:
        return SPEECHES[self.dialect]

    @property
    def name(self) -> str:
        """The schema's name, as short as the name of a lock may be."""
        return str(self.url.database)[:50]

    @property
    def skip_locked(self) -> bool:
        """Whether a locking read can step past locked rows."""
        return self.at_least({"mariadb": "10.6", "mysql": "8.0"})

    def at_least(self, least: Mapping[str, str]) -> bool:
        """Whether its version is at least the one that this mapping names for its dialect."""
        known = least.get(self.dialect)
        return known is not None and Version(self.version) >= Version(known)

    def require(self, needs: Mapping[str, str], what: str = "this policy") -> None:
        """Refuse what the server cannot do.

        Parameters
        ----------
        needs
            The least version by dialect; empty where any will do.

        Raises
        ------
        DatabaseError
            It names the versions that can.
        """
        if needs and not self.at_least(needs):
            able = " or ".join(f"{NAMES[name]} {least}" for name, least in needs.items())
            raise DatabaseError(
                f"{what} needs {able} or later; this is {NAMES[self.dialect]} {self.version}"
            )

    def connect(self) -> sa.Connection:
        """Open one connection, outside any pool; each statement commits by itself.

        Raises
        ------
        DatabaseError
            It cannot be reached.
        """
        return _connect(self.engine)


def open_database(url: str, *, scratch: bool = False, yes: bool = False) -> Database:
    """The user's own database, fit to be written to.

    Parameters
    ----------
    url
        As SQLAlchemy writes it: ``mariadb://user:password@host:port/name``.
    scratch
        The user says that jobsim may make and drop tables in it.
    yes
        Other sessions may be at work on the server.

    Raises
    ------
    DatabaseError
        Not reachable, not of a kind that jobsim runs on, not allowed, or busy.
    """
    parsed = parse_url(url)
    if not scratch:
        raise DatabaseError(
            f"{masked(parsed)}: say --scratch if jobsim may make and drop tables named jobsim_... "
            "there; without --database it uses a throw-away server"
        )
    database = look_at(parsed)
    if not yes:
        _refuse_busy(database)
    return database


@contextmanager
def throw_away(*, durable: bool = False) -> Iterator[Database]:
    """A private server for as long as this context lasts."""
    with ThrowAwayServer(durable=durable) as server:
        yield on_throw_away(server)


def on_throw_away(server: ThrowAwayServer) -> Database:
    """The database of a private server that runs."""
    return look_at(parse_url(server.url), server.pid, server.folder)


def parse_url(url: str) -> sa.URL:
    """A URL of a database that a live run can use.

    Raises
    ------
    DatabaseError
        Not a URL, or of another kind of server; the text never shows the password.
    """
    form = "write it as mariadb://user:password@host:port/name"
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise DatabaseError(f"the database's address is not a URL; {form}") from None
    if parsed.drivername not in DRIVERS:
        raise DatabaseError(
            f"{masked(parsed)}: live runs are made on MariaDB and MySQL so far; {form}"
        )
    if not parsed.database:
        raise DatabaseError(f"{masked(parsed)}: the address names no database; {form}")
    return parsed.set(drivername=DRIVERS[parsed.drivername])


def masked(url: sa.URL) -> str:
    """The address without its password, nor the folders of a socket."""
    shown = url.set(query={}).render_as_string(hide_password=True)
    return shown.replace("mysql+pymysql", "mysql")


def look_at(url: sa.URL, pid: int | None = None, folder: Path | None = None) -> Database:
    """Ask a server what it is."""
    engine = _engine(url)
    with _connect(engine) as connection:
        text = str(connection.exec_driver_sql("SELECT VERSION()").scalar())
        names = ", ".join(f"'{name}'" for name in SETTINGS)
        shown = connection.exec_driver_sql(f"SHOW VARIABLES WHERE Variable_name IN ({names})")
        settings = {str(name): str(value) for name, value in shown}
    dialect = "mariadb" if "mariadb" in text.lower() else "mysql"
    return Database(engine, url, dialect, text.split("-")[0], settings, pid, folder)


def _engine(url: sa.URL) -> sa.Engine:
    return sa.create_engine(
        url,
        poolclass=sa.NullPool,
        isolation_level="AUTOCOMMIT",
        connect_args=_connect_args(url),
    )


def _connect(engine: sa.Engine) -> sa.Connection:
    try:
        return engine.connect()
    except sa.exc.DBAPIError as error:
        said = _said(error.orig)
    raise DatabaseError(f"{masked(engine.url)} cannot be reached: {said}")


def lost(database: Database, error: sa.exc.DBAPIError) -> DatabaseError:
    """What to say when the server stops answering in the midst of a run."""
    return DatabaseError(f"{database} was lost during the run: {_said(error.orig)}")


def let_go(connection: sa.Connection) -> None:
    """Close a forked copy of a connection without a word to the server.

    A copy that stays open would keep the server from noticing its owner's death.
    """
    raw: Any = connection.connection.driver_connection
    raw._force_close()


def _connect_args(url: sa.URL) -> dict[str, Any]:
    args: dict[str, Any] = {
        "connect_timeout": REACH_S,
        "program_name": "jobsim",
        "autocommit": True,
    }
    on_this_machine = "unix_socket" in url.query or url.host in LOOPBACK
    if on_this_machine and not any(name.startswith("ssl") for name in url.query):
        # reading the machine's certificates takes 0.15 s a connection, and nobody listens
        args["ssl_disabled"] = True
    return args


def _said(error: BaseException | None) -> str:
    """A driver's message in one line."""
    text = str(error.args[-1] if isinstance(error, pymysql.MySQLError) and error.args else error)
    return " ".join(text.split())


def _refuse_busy(database: Database) -> None:
    with database.connect() as connection:
        busy = busy_sessions(connection)
        if busy:  # somebody who just finished is still in the server's list of transactions
            time.sleep(LISTED_S)
            busy = busy_sessions(connection)
    if busy:
        raise DatabaseError(
            f"{masked(database.url)}: other sessions are at work there ({', '.join(busy[:3])}); "
            "they would slow the run and the run them: say --yes if that is meant"
        )


def busy_sessions(connection: sa.Connection) -> list[str]:
    """Other sessions with a statement or a transaction under way, as ``user: command``."""
    try:
        rows = connection.exec_driver_sql(AT_WORK_OR_IN_TRANSACTION).all()
    except sa.exc.DBAPIError:  # needs the PROCESS privilege
        rows = connection.exec_driver_sql(AT_WORK).all()
    return [f"{user}: {command}" for user, command in rows if user not in OWN]
