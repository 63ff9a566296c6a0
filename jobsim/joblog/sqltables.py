"""Tables of a live database, only ever read: in one read-only transaction, and by chunks."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from jobsim.errors import DatabaseError, UsageError
from jobsim.joblog.faultlist import shown
from jobsim.joblog.notes import Notes

if TYPE_CHECKING:
    import sqlalchemy as sa

REACH_S = 10
CHUNK_ROWS = 20_000
EXAMPLE = "mariadb://user:password@host/name, postgresql://..., sqlite:///file.db"

KINDS = {
    **dict.fromkeys(("mariadb", "mysql2", "trilogy"), "mysql"),
    **dict.fromkeys(("postgres", "postgis", "pgsql"), "postgresql"),
    "sqlite3": "sqlite",
    "sqlserver": "mssql",
}
"""What other libraries call a kind of database in its address, and what SQLAlchemy calls it."""

DRIVERS = {"mysql": "mysql+pymysql", "mssql": "mssql+pymssql"}
"""The driver of a kind where the address names none, and SQLAlchemy would take another."""

OWN_DRIVER = frozenset(
    ("asyncpg", "aiosqlite", "aiomysql", "asyncmy", "mysqldb", "mysqlconnector", "mariadbconnector")
)
"""Drivers of applications that are not used here: they are asynchronous, or PyMySQL is there."""

PACKAGES = {"psycopg": "psycopg[binary]", "psycopg2": "psycopg2-binary"}
"""The package that has a driver's module, where it is not called as the module."""

READ_ONLY = {
    "mysql": (
        "SET SESSION TRANSACTION READ ONLY",
        "SET SESSION time_zone = '+00:00'",
        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
    ),
    "postgresql": (
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
        "SET LOCAL TIME ZONE 'UTC'",
    ),
}
"""What makes a connection's transaction one that sees one instant, in UTC, and cannot write."""

OWN_SCHEMAS = re.compile(
    r"(?i)information_schema|sys|guest|pg_.*"
    r"|db_(?:owner|\w+admin|backupoperator|(?:deny)?data(?:reader|writer))"
)
"""The schemas that belong to the server."""


@dataclass(frozen=True)
class Database:
    """A database while it is read.

    Attributes
    ----------
    source
        Its address without the password.
    tables
        The columns of each table, those of its views too.
    """

    source: str
    connection: sa.Connection = field(repr=False)
    tables: dict[str, tuple[str, ...]] = field(repr=False)
    _schema_of: dict[str, str] = field(repr=False)

    def frame(
        self, table: str, columns: Iterable[str] | None = None, *, notes: Notes
    ) -> pd.DataFrame:
        """The rows of a table as text, missing where NULL.

        Raises
        ------
        DatabaseError
            It may not be read, or the connection is lost.
        """
        import sqlalchemy as sa

        wanted = list(self.tables[table] if columns is None else columns)
        cells: list[sa.ColumnClause[Any]] = [sa.column(name) for name in wanted]
        what = sa.select(*cells).select_from(self._named(table))
        with _told(self.source):
            result = self.connection.execution_options(stream_results=True).execute(what)
            return _frame(result, wanted)

    def rows(self, table: str) -> int:
        """How many rows a table has."""
        import sqlalchemy as sa

        count = sa.select(sa.func.count()).select_from(self._named(table))
        with _told(self.source):
            return int(self.connection.execute(count).scalar_one())

    def _named(self, table: str) -> sa.TableClause:
        import sqlalchemy as sa

        schema = self._schema_of.get(table)
        return sa.table(table if schema is None else table[len(schema) + 1 :], schema=schema)

    def query(self, sql: str) -> pd.DataFrame:
        """The rows that a query gives, as text.

        Raises
        ------
        UsageError
            It gives no rows, or two columns of one name.
        DatabaseError
            The server refuses it.
        """
        with _told(self.source):
            result = self.connection.exec_driver_sql(sql)
            if not result.returns_rows:
                raise UsageError("--query gives no rows; a SELECT with a row a job is right")
            names = list(result.keys())
            if len(set(names)) < len(names):
                raise UsageError("--query gives two columns of one name; name each (AS)")
            return _frame(result, names)


@contextmanager
def database(url: str) -> Iterator[Database]:
    """Connect to a database to read its tables.

    Parameters
    ----------
    url
        As SQLAlchemy writes it, or as other libraries do (`KINDS`).

    Raises
    ------
    DatabaseError
        It is no such URL, its driver is missing, or the database cannot be reached.
    """
    address = _address(url)
    engine = _engine(address)
    source = masked(address)
    try:
        with _told(source), engine.connect() as connection:
            for statement in READ_ONLY.get(engine.dialect.name, ()):
                connection.exec_driver_sql(statement)
            yield Database(source, connection, *_tables(connection))
    finally:
        engine.dispose()


def masked(address: sa.URL) -> str:
    """The address as it may be shown: without its password and its options."""
    text = address.set(query={}).render_as_string(hide_password=True)
    return text.replace("mysql+pymysql", "mysql")


def is_url(text: str) -> bool:
    """Whether `text` is the address of a database, and no file: it has ``://``."""
    kind, sign, _ = text.partition("://")
    return bool(sign) and kind.replace("+", "").replace("_", "").isalnum()


def _address(url: str) -> sa.URL:
    import sqlalchemy as sa

    try:
        address = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        # The text is not repeated: a password may be in it.
        raise DatabaseError(f"this is no URL of a database; as {EXAMPLE}") from None
    kind, _, driver = address.drivername.partition("+")
    kind = KINDS.get(kind, kind)
    own = f"{kind}+{driver}" if driver and driver not in OWN_DRIVER else DRIVERS.get(kind, kind)
    return address.set(drivername=own)


def _engine(address: sa.URL) -> sa.Engine:
    import sqlalchemy as sa

    options: dict[str, Any] = {"poolclass": sa.NullPool}
    if address.get_backend_name() == "sqlite":
        options["creator"] = lambda: _sqlite(address.database)
    elif address.get_backend_name() in ("mysql", "postgresql"):
        options["connect_args"] = {"connect_timeout": REACH_S}
    try:
        return sa.create_engine(address, **options)
    except ModuleNotFoundError as error:
        package = PACKAGES.get(str(error.name), str(error.name))
        raise DatabaseError(
            f"{masked(address)}: its driver is not installed: pip install '{package}'"
        ) from None
    except (sa.exc.NoSuchModuleError, sa.exc.ArgumentError, TypeError):
        kind = shown(address.drivername)
        raise DatabaseError(f"no database is of the kind {kind}; as {EXAMPLE}") from None


def _sqlite(file: str | None) -> sqlite3.Connection:
    if not file or not Path(file).is_file():
        raise sqlite3.OperationalError("there is no such file")
    return sqlite3.connect(f"{Path(file).absolute().as_uri()}?mode=ro", uri=True)


def _tables(connection: sa.Connection) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """The columns of each table, and the schema of those that are called with theirs before."""
    import sqlalchemy as sa

    inspector = sa.inspect(connection)
    found, schema_of = {}, {}
    for schema in _schemas(connection, inspector):
        for (_, table), columns in _columns(inspector, schema):
            name = table if schema is None else f"{schema}.{table}"
            found[name] = tuple(str(column["name"]) for column in columns)
            if schema is not None:
                schema_of[name] = schema
    return found, schema_of


def _schemas(connection: sa.Connection, inspector: sa.Inspector) -> list[str | None]:
    """The schemas whose tables are looked at; None is the one that needs no name."""
    if connection.dialect.name == "mysql" and inspector.default_schema_name is None:
        raise DatabaseError(f"{masked(connection.engine.url)} names no database; .../NAME is right")
    if connection.dialect.name in ("mysql", "sqlite"):
        return [None]
    own = inspector.default_schema_name
    others = [name for name in inspector.get_schema_names() if name != own]
    return [None, *(name for name in others if not OWN_SCHEMAS.fullmatch(name))]


def _columns(inspector: sa.Inspector, schema: str | None) -> Iterator[tuple[Any, list[Any]]]:
    import sqlalchemy as sa

    yield from inspector.get_multi_columns(schema=schema).items()
    for view in inspector.get_view_names(schema=schema):
        try:
            yield (schema, view), inspector.get_columns(view, schema=schema)
        except sa.exc.SQLAlchemyError:
            # A view whose tables are gone; it holds nothing.
            continue


@contextmanager
def _told(source: str) -> Iterator[None]:
    """Say what the driver says, in one line and without its statement or address."""
    import sqlalchemy as sa

    try:
        yield
    except sa.exc.DBAPIError as error:
        raise DatabaseError(f"{source}: {_reason(error.orig)}") from None
    except sa.exc.SQLAlchemyError as error:
        raise DatabaseError(f"{source}: {_reason(error)}") from None


def _reason(error: BaseException | None) -> str:
    text = str(error.args[-1]) if error is not None and error.args else type(error).__name__
    return text.strip().partition("\n")[0]


def _frame(result: sa.CursorResult[Any], columns: list[str]) -> pd.DataFrame:
    parts = [pd.DataFrame(columns=columns, dtype="str")]
    for rows in result.partitions(CHUNK_ROWS):
        cells = [[_text(cell) for cell in row] for row in rows]
        parts.append(pd.DataFrame(cells, columns=columns, dtype="str"))
    return pd.concat(parts, ignore_index=True)


def _text(cell: object) -> str | None:
    """A value as a dump would write it."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    if isinstance(cell, dict | list):
        return json.dumps(cell, default=str)
    if isinstance(cell, bytes | bytearray | memoryview):
        return _from_bytes(bytes(cell))
    return str(cell)


def _from_bytes(cell: bytes) -> str:
    if len(cell) == 1 and cell < b"\x20":
        return str(cell[0])  # MySQL's BIT(1)
    try:
        return cell.decode()
    except UnicodeDecodeError:
        return cell.hex()
