"""What an effect sends, in one line, for people to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from jobsim.effects import (
    Begin,
    Clock,
    Commit,
    Delete,
    Effect,
    Insert,
    Rollback,
    Select,
    Table,
    Update,
)
from jobsim.live.speech import Speech, speech
from jobsim.live.statements import Writer, compiled, written


def sql_text(
    effect: Effect[Any], dialect: str, params: Mapping[str, Any] | None = None
) -> str | None:
    """The SQL of an effect; None where it sends none.

    Parameters
    ----------
    dialect
        ``mariadb``, ``mysql``, ``postgresql``, ``sqlite`` or ``mssql``.
    params
        Values of the effect's parameters by name; one that is not given is shown as ``:name``.

    Raises
    ------
    UsageError
        No such dialect.
    DatabaseError
        The dialect cannot say it.
    """
    spoken = speech(dialect)
    if isinstance(effect, (Select, Update, Insert, Delete)):
        statement = written(Reader(effect.table, spoken, params or {}), effect)
        made = compiled(statement, spoken, literal_binds=True)
        escaped = made.dialect.paramstyle == "format"
        return " ".join((str(made).replace("%%", "%") if escaped else str(made)).split())
    if isinstance(effect, Clock):
        return f"SELECT {spoken.now}" if effect.of == "database" else None
    return {Begin: spoken.begin, Commit: "COMMIT", Rollback: "ROLLBACK"}.get(type(effect))


class Reader(Writer):
    """Writes a value that comes with each asking as its name, or as what it is."""

    def __init__(self, table: Table, spoken: Speech, params: Mapping[str, Any]) -> None:
        super().__init__(table, spoken, {})
        self.params = params

    def param(self, name: str, kind: Any) -> sa.ColumnElement[Any]:
        if name in self.params:
            return sa.literal(self.params[name], kind, literal_execute=True)
        return sa.literal_column(f":{name}", kind)

    def listed(self, name: str, kind: Any) -> list[sa.ColumnElement[Any]]:
        if name not in self.params:
            return [self.param(name, kind)]
        return [sa.literal(one, kind, literal_execute=True) for one in self.params[name]]
