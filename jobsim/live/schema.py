"""The tables of a run on a live server: made, marked as ours, dropped.

Texts are ``utf8mb4_bin``: they sort by code point, as texts do in the simulation. Where a claimed
row's status sorts among the others decides about deadlocks, so both must sort alike; the server's
default collation differs by version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import mysql
from sqlalchemy.schema import CreateIndex, CreateTable, DropTable

from jobsim.effects import Column, Index, Table
from jobsim.errors import DatabaseError
from jobsim.live.speech import speech

OURS = "made by jobsim, which drops it"
"""The comment by which a table is known as one that may be dropped."""


Rows: TypeAlias = "Sequence[tuple[object, ...]]"


def create(
    connection: sa.Connection, tables: Iterable[Table], seeded: Mapping[Table, Rows] | None = None
) -> None:
    """Make the tables; one that an interrupted run left behind is dropped first.

    ``seeded`` are rows that a table holds from the start, in the order of its columns.

    Raises
    ------
    DatabaseError
        A table of this name exists that jobsim did not make.
    """
    for table in tables:
        drop(connection, [table])
        core = core_table(table)
        core.create(connection, checkfirst=False)
        if rows := (seeded or {}).get(table):
            names = core.columns.keys()
            connection.execute(core.insert(), [dict(zip(names, row, strict=True)) for row in rows])


def drop(connection: sa.Connection, tables: Iterable[Table]) -> None:
    """Drop the tables, where they are there and ours."""
    seen = sa.inspect(connection)
    seen.clear_cache()
    for table in tables:
        if not seen.has_table(table.name):
            continue
        if seen.get_table_comment(table.name)["text"] != OURS:
            raise DatabaseError(
                f"a table {table.name} is there already and jobsim did not make it; "
                "rename it, or name another database"
            )
        connection.execute(DropTable(core_table(table)))


def ddl(table: Table, dialect: str) -> str:
    """What :func:`create` sends, by the name of a dialect, for people to read."""
    core, spoken = core_table(table), speech(dialect).dialect()
    indexes = sorted(core.indexes, key=lambda index: str(index.name))
    statements: list[Any] = [CreateTable(core), *map(CreateIndex, indexes)]
    texts = [str(one.compile(dialect=spoken)).strip() for one in statements]
    return "\n".join(f"{' '.join(text.split())};" for text in texts)


def core_table(table: Table) -> sa.Table:
    """The table as SQLAlchemy Core has it."""
    core = sa.Table(
        table.name,
        sa.MetaData(),
        *core_columns(table),
        comment=OURS,
        mysql_engine="InnoDB",
        mysql_charset="utf8mb4",
        mysql_collate="utf8mb4_bin",
    )
    for index in table.indexes:
        sa.Index(
            index_name(index), *(core.c[column] for column in index.columns), unique=index.unique
        )
    return core


def index_name(index: Index) -> str:
    """What an index is called."""
    return "_".join(("by", *index.columns))


def core_columns(table: Table) -> list[sa.Column[Any]]:
    """Its columns."""
    return [_column(column, table.id_assigned) for column in table.columns]


def _column(column: Column, id_assigned: bool) -> sa.Column[Any]:
    primary = column.name == "id"
    return sa.Column(
        column.name,
        _type(column),
        primary_key=primary,
        autoincrement=primary and id_assigned,
        nullable=column.nullable,
        server_default=None if column.default is None else str(column.default),
    )


def _type(column: Column) -> Any:
    if column.kind == "integer":
        return sa.Integer()
    if column.kind == "text":
        return sa.String(column.width)
    return sa.DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
