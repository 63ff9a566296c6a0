"""Plans: an effect made ready to be performed, once and for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from jobsim.effects import (
    AllOf,
    Compare,
    Delete,
    Insert,
    OnLocked,
    Predicate,
    Select,
    Update,
)
from jobsim.effects.base import Effect
from jobsim.effects.predicate import comparisons
from jobsim.errors import UsageError
from jobsim.sim.database.access import Access, choose, conjuncts
from jobsim.sim.database.expression import Compiler, Evaluate, Test
from jobsim.sim.database.keys import Row
from jobsim.sim.database.rows import Store


@dataclass(slots=True, eq=False)
class Plan:
    """A compiled effect; knows no engine, and so serves copies of one too.

    Attributes
    ----------
    table
        Number of the table in the engine.
    access
        How rows are reached, for reports: ``range jobs(status,created_at,id)``, ``primary key``,
        ``scan``.
    """

    effect: Effect[Any]
    table: int
    access: str
    path: Access | None = None
    test: Test | None = None
    index_test: Test | None = None
    limit: Evaluate | None = None
    on_locked: OnLocked = "wait"
    project: Callable[[Row], tuple[Any, ...]] | None = None
    sort_key: Callable[[Row], Any] | None = None
    change: Callable[..., Row] | None = None
    collects: bool = False
    locks: bool = True
    build: Callable[..., Row] | None = None
    build_source: str = ""
    returning_id: bool = False
    comparisons: tuple[Compare, ...] = ()
    quick: Callable[..., Any] | None = None
    alone: Callable[..., Any] | None = None
    params: tuple[str, ...] = field(default=())

    def __deepcopy__(self, memo: dict[int, Any]) -> Plan:
        return self


def compile_effect(effect: Effect[Any], stores: Sequence[Store]) -> Plan:
    """Plan an effect over these tables."""
    if not isinstance(effect, Select | Update | Insert | Delete):
        raise UsageError(f"{type(effect).__name__} is not a statement over rows")
    names = [store.table.name for store in stores]
    if effect.table.name not in names:
        raise UsageError(f"no table {effect.table.name!r}; there are {', '.join(names)}")
    number = names.index(effect.table.name)
    if isinstance(effect, Insert):
        return _insert(effect, number, stores[number])
    return _search(effect, number, stores[number])


def _insert(effect: Insert, number: int, store: Store) -> Plan:
    compiler = Compiler(store.table, ())
    given, constants = list(effect.columns), dict(effect.constants)
    for column in given:
        compiler.place(column)
    if "id" not in given and not store.table.id_assigned:
        raise UsageError(f"insert into {store.table.name}: no id given, and it assigns none")
    cells = [
        f"values[{given.index(column.name)}]"
        if column.name in given
        else compiler.value(constants[column.name])
        if column.name in constants
        else "id_"
        if column.name == "id"
        else repr(column.default)
        for column in store.table.columns
    ]
    source = f"({', '.join(cells)},)"
    return Plan(
        effect, number, f"insert {store.table.name}",
        build=eval(f"lambda values, id_, now_s: {source}"),
        build_source=source, returning_id=effect.returning_id,
    )  # fmt: skip


def _search(effect: Select | Update | Delete, number: int, store: Store) -> Plan:
    compiler = Compiler(store.table, effect.params)
    path = choose(compiler, store, effect)
    plan = Plan(effect, number, path.text, path, compiler.test(effect.where), params=effect.params)
    plan.comparisons = comparisons(effect.where)
    if not isinstance(effect, Delete):
        if effect.limit is not None:
            plan.limit = compiler.evaluate(effect.limit)
        if not path.ordered:
            plan.sort_key = _sort_key(compiler, effect.order)
    if isinstance(effect, Select):
        plan.project = compiler.projection(effect.columns)
        plan.locks, plan.on_locked = effect.lock, effect.on_locked
        plan.collects = plan.sort_key is not None
        if path.number >= 0 and not _covers(path, effect):
            plan.index_test = _index_test(compiler, path, effect.where)
    elif isinstance(effect, Update):
        plan.change = compiler.change(effect.changes)
        changed = {column for column, _ in effect.changes}
        plan.collects = plan.sort_key is not None or bool(changed & set(path.columns))
    return plan


def _covers(path: Access, effect: Select) -> bool:
    """Whether the index holds all that the select mentions."""
    mentioned = {*effect.columns, *effect.order, *(c.column for c in comparisons(effect.where))}
    return mentioned <= set(path.columns)


def _index_test(compiler: Compiler, path: Access, where: Predicate | None) -> Test | None:
    """What a select checks of an index entry before it looks at the row."""
    cases = conjuncts(where)
    if len(cases) == 1:
        return compiler.test(AllOf(tuple(c for c in cases[0] if c.column in path.columns)))
    covered = all(c.column in path.columns for case in cases for c in case)
    return compiler.test(where) if covered else None


def _sort_key(compiler: Compiler, order: Sequence[str]) -> Callable[[Row], Any]:
    parts = []
    for column in order:
        place = compiler.place(column)
        if compiler.table.columns[place].nullable:
            parts.append(f"row[{place}] is not None")
        parts.append(f"row[{place}]")
    key: Callable[[Row], Any] = eval(f"lambda row: ({', '.join(parts)},)")
    return key
