"""A policy's statements, as SQLAlchemy Core statements and as SQL that is ready to send.

Core says what is to be sent; it is asked once. Executing the SQL that it made through the driver's
own cursor spares a client 38 of 80 µs of processor a statement, which would otherwise be spent
with locks held.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.sql.compiler import SQLCompiler

from jobsim.effects import (
    Ago,
    AllOf,
    Compare,
    Delete,
    Insert,
    More,
    Now,
    Param,
    Predicate,
    Select,
    Table,
    Update,
    Value,
)
from jobsim.effects.predicate import comparisons
from jobsim.live.ordered import ordered
from jobsim.live.schema import core_columns
from jobsim.live.speech import Speech

Statement: TypeAlias = Select | Update | Insert | Delete
Lengths: TypeAlias = Mapping[str, int]
"""How many values each parameter that is a list has."""

KEPT = 4096
"""Statements whose SQL is kept."""

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def core(effect: Statement, speech: Speech, lengths: Lengths) -> sa.Executable:
    """The effect as a statement of SQLAlchemy Core."""
    return written(Writer(effect.table, speech, lengths), effect)


def written(writer: Writer, effect: Statement) -> sa.Executable:
    """The effect in the words of a writer."""
    return _CORE[type(effect)](writer, effect)


class Writer:
    """Turns the words of a policy into Core's, for one table and one dialect."""

    def __init__(self, table: Table, speech: Speech, lengths: Lengths) -> None:
        self.speech = speech
        self.lengths = lengths
        kinds = {column.name: column.type for column in core_columns(table)}
        # columns that belong to no table: SQL without its name before each of them
        self.columns = {name: sa.column(name, kind) for name, kind in kinds.items()}
        self.table = sa.table(table.name, *map(sa.column, kinds))

    def value(self, column: str, value: Value) -> sa.ColumnElement[Any]:
        kind = self.columns[column].type
        if isinstance(value, Param):
            return self.param(value.name, kind)
        if isinstance(value, Now):
            return sa.literal_column(self.speech.now, kind)
        if isinstance(value, Ago):
            return sa.literal_column(self.speech.seconds_ago(value.seconds_s), kind)
        if isinstance(value, More):
            more: sa.ColumnElement[Any] = self.columns[value.column] + _constant(value.by)
            return more
        return sa.null() if value is None else _constant(value, kind)

    def param(self, name: str, kind: Any) -> sa.ColumnElement[Any]:
        """A value that comes with each asking; 1 is as good as any until it does."""
        return sa.bindparam(name, 1, type_=kind)

    def where(self, predicate: Predicate | None) -> sa.ColumnElement[bool]:
        if predicate is None:
            return sa.true()
        if isinstance(predicate, Compare):
            return self.compare(predicate)
        join = sa.and_ if isinstance(predicate, AllOf) else sa.or_
        return join(*map(self.where, predicate.parts))

    def compare(self, one: Compare) -> sa.ColumnElement[bool]:
        column = self.columns[one.column]
        if one.operator == "is null":
            return column.is_(None)
        if one.operator == "in":
            assert isinstance(one.value, Param)
            return column.in_(self.listed(one.value.name, column.type))
        compared: sa.ColumnElement[bool] = OPERATORS[one.operator](
            column, self.value(one.column, one.value)
        )
        return compared

    def listed(self, name: str, kind: Any) -> list[sa.ColumnElement[Any]]:
        return [self.param(item_name(name, at), kind) for at in range(self.lengths.get(name, 1))]

    def limit(self, limit: int | Param) -> sa.ColumnElement[int]:
        if isinstance(limit, Param):
            return self.param(limit.name, sa.Integer())
        return _constant(limit, sa.Integer())


def _constant(value: object, kind: Any = None) -> sa.BindParameter[Any]:
    """A value that is the same each time: written into the SQL, not sent beside it."""
    return sa.literal(value, kind, literal_execute=True)


def _select(writer: Writer, effect: Select) -> sa.Executable:
    statement = sa.select(*(writer.columns[name] for name in effect.columns))
    statement = statement.select_from(writer.table)
    if effect.where is not None:
        statement = statement.where(writer.where(effect.where))
    statement = statement.order_by(*(writer.columns[name] for name in effect.order))
    if effect.limit is not None:
        limit = writer.limit(effect.limit)
        fetches = writer.speech.fetches
        statement = statement.fetch(limit) if fetches else statement.limit(limit)
    return _locking(writer, effect, statement) if effect.lock else statement


def _locking(
    writer: Writer, effect: Select, statement: sa.Select[tuple[Any, ...]]
) -> sa.Executable:
    """The same as a locking read; a database that is locked whole has none."""
    hint = writer.speech.lock_hint
    if hint is not None:
        return statement.with_hint(writer.table, hint[effect.on_locked]) if hint else statement
    skip, fail = effect.on_locked == "skip", effect.on_locked == "fail"
    return statement.with_for_update(skip_locked=skip, nowait=fail)


def _update(writer: Writer, effect: Update) -> sa.Executable:
    changes = {name: writer.value(name, value) for name, value in effect.changes}
    statement = sa.update(writer.table).values(changes)
    if effect.where is not None:
        statement = statement.where(writer.where(effect.where))
    if effect.order or effect.limit is not None:
        limit = None if effect.limit is None else writer.limit(effect.limit)
        statement = statement.ext(ordered([writer.columns[c] for c in effect.order], limit))
    return statement


def _insert(writer: Writer, effect: Insert) -> sa.Executable:
    values = {name: writer.param(name, writer.columns[name].type) for name in effect.columns}
    constants = {name: writer.value(name, value) for name, value in effect.constants}
    return sa.insert(writer.table).values(values | constants)


def _delete(writer: Writer, effect: Delete) -> sa.Executable:
    statement = sa.delete(writer.table)
    return statement if effect.where is None else statement.where(writer.where(effect.where))


_CORE: dict[type[Any], Callable[[Writer, Any], sa.Executable]] = {
    Select: _select,
    Update: _update,
    Insert: _insert,
    Delete: _delete,
}

Bound: TypeAlias = "tuple[str, Sequence[Any]]"
Binder: TypeAlias = Callable[[tuple[Any, ...]], Bound]
Place: TypeAlias = "tuple[int, int | None]"
"""Where a value comes from: the argument, and which item of it where that is a list."""


def binder(effect: Select | Update | Delete, speech: Speech, origin: datetime) -> Binder:
    """What turns the arguments of an asking into SQL and the values to send with it.

    The SQL for each length of a list is made once, when it is first needed.

    Parameters
    ----------
    origin
        The server's clock when the run began: instants are seconds since then.
    """
    lists = list_positions(effect)
    instants = _positions(effect, lambda c: effect.table.kind(c.column) == "instant")
    made: dict[tuple[int, ...], tuple[str, list[Place]]] = {}

    def bind(arguments: tuple[Any, ...]) -> Bound:
        lengths = tuple([len(arguments[at]) for at in lists])
        if lengths not in made:
            made[lengths] = _template(effect, speech, lists, lengths)
        sql, places = made[lengths]
        if instants:
            arguments = tuple(
                to_datetime(origin, value) if at in instants else value
                for at, value in enumerate(arguments)
            )
        return sql, [arguments[at] if item is None else arguments[at][item] for at, item in places]

    return bind


def make_ready(effects: Iterable[Statement], speech: Speech, lengths: Iterable[int] = (1,)) -> None:
    """Make the SQL of statements, with lists of these lengths, before a run begins.

    Making it takes some 10 ms each. Processes forked afterwards have it.
    """
    for effect in effects:
        if isinstance(effect, Insert):
            insert_sql(effect, speech)
        else:
            lists = list_positions(effect)
            for length in lengths:
                _template(effect, speech, lists, (length,) * len(lists))


@lru_cache(KEPT)
def insert_sql(effect: Insert, speech: Speech) -> str:
    """The SQL that adds one row, with a placeholder a column."""
    return str(compiled(core(effect, speech, {}), speech))


def compiled(statement: sa.Executable, speech: Speech, **options: bool) -> SQLCompiler:
    """The SQL of a statement, with the places of its values."""
    made = statement.compile(  # type: ignore[attr-defined]
        dialect=speech.dialect(), compile_kwargs={"render_postcompile": True, **options}
    )
    assert isinstance(made, SQLCompiler)
    return made


def to_datetime(origin: datetime, t_s: float | None) -> datetime | None:
    """An instant of the run as the server writes it."""
    return None if t_s is None else origin + timedelta(microseconds=round(t_s * 1e6))


def to_seconds(origin: datetime, at: datetime | None) -> float | None:
    """An instant of the server as the run counts it."""
    return None if at is None else (at - origin).total_seconds()


def list_positions(effect: Select | Update | Delete) -> tuple[int, ...]:
    """Which arguments are lists."""
    return _positions(effect, lambda compare: compare.operator == "in")


def _positions(
    effect: Select | Update | Delete, wanted: Callable[[Compare], bool]
) -> tuple[int, ...]:
    """Which arguments belong to comparisons of that sort, or to changes of such a column."""
    changes = effect.changes if isinstance(effect, Update) else ()
    compares = [*(Compare(name, "=", v) for name, v in changes), *comparisons(effect.where)]
    names = [c.value.name for c in compares if isinstance(c.value, Param) and wanted(c)]
    return tuple(sorted({effect.params.index(name) for name in names}))


@lru_cache(KEPT)
def _template(
    effect: Select | Update | Delete,
    speech: Speech,
    lists: tuple[int, ...],
    lengths: tuple[int, ...],
) -> tuple[str, list[Place]]:
    names = {effect.params[at]: length for at, length in zip(lists, lengths, strict=True)}
    made = compiled(core(effect, speech, names), speech)
    places: dict[str, Place] = {name: (at, None) for at, name in enumerate(effect.params)}
    for name, length in names.items():
        places |= {item_name(name, i): (places[name][0], i) for i in range(length)}
    return str(made), [places[name] for name in made.positiontup or ()]


def item_name(name: str, item: int) -> str:
    """What one value of a list is called within a statement."""
    return f"{name}_{item}"
