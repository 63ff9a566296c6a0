"""The three statements of nearly every job, written out as functions of their own.

A queue's life is: insert a row, select the first of a run, update a row by id. While a transaction
is alone these take a microsecond, and half of that would be calls of small functions. So each plan
gets one function, whose source is put together from the pieces below as `namedtuple` does it. What
they cannot do in a few steps they leave to the general way by replying `PASS`, before they have
changed anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import indent
from typing import Any, Final, TypeAlias

from jobsim.effects import Compare, Insert, Select, Update
from jobsim.sim.database.expression import Compiler
from jobsim.sim.database.index import Tree
from jobsim.sim.database.plan import Plan
from jobsim.sim.database.rows import NEVER, Store
from jobsim.sim.database.runs import DEAD
from jobsim.sim.database.session import Session

Statement: TypeAlias = Callable[[list[Store], Session, Sequence[Any], float], Any]
"""Performs one plan on the tables; replies `PASS` when another way must be gone."""

PASS: Final = object()

INSERT = """
def insert(stores, session, args, now_s):
    if len(args[0]) != 1:
        return PASS
    store = stores[{table}]
    values, = args[0]
    id_ = store.next_id
    row = {row}
    if row[0] < id_:
        return PASS
    id_ = row[0]
    store.next_id = id_ + 1
    store.hot[id_] = row
    run = store.body
    rank = id_
{enter_body}
{enter}
    session.undo.append(({table}, id_, None))
    session.examined = session.walked_dead = 0
    session.changed = 1
    store.version += 1
    for watch in store.watches:
        if watch.until_s > NEVER:
            watch.see(row)
    return {reply}
"""

UPDATE = """
def update(stores, session, args, now_s):
    store = stores[{table}]
    {id_}
    row = store.hot.get(id_) or store.get(id_)
    if row is None or not {test}:
        return PASS
    new = {new}
    if {same}:
        return PASS
{moves}
    session.undo.append(({table}, id_, row))
    store.hot[id_] = new
    session.walked_dead = 0
    session.examined = session.changed = 1
    store.version += 1
    for watch in store.watches:
        if watch.until_s > NEVER:
            watch.see(new)
    return 1
"""

SELECT = """
def select(stores, session, args, now_s):
    if {limit} != 1:
        return PASS
    store = stores[{table}]
    prefix = {prefix}
    try:
        run = store.runs[{number}][prefix]
        chunk = run.chunks[run.head]
        entries = chunk.entries
        at = chunk.first
        while len(entries[at]) == DEAD:
            at += 1
        chunk.first = at
    except LookupError:
        run = store.runs[{number}].get(prefix)
        if run is None or run.first_live() is None:
            return PASS
        return select(stores, session, args, now_s)
    rank, id_ = entries[at]
    row = store.hot.get(id_) or store.get(id_)
    session.journal.append((len(session.undo), {table}, {number}, prefix, rank, id_))
    if run.head:
        at = run.skipped()
    session.changed = 0
    session.examined = at + 1
    session.walked_dead = at
    return [{reply}]
"""

LEAVE = """
run = store.runs[{number}][{prefix}]
chunk = run.chunks[run.head]
rank = {rank}
try:
    at = chunk.entries.index((rank, id_), chunk.first)
except ValueError:
    run.mark(rank, id_)
else:
    chunk.entries[at] = (rank, id_, 1)
    run.deads += 1
    if at == chunk.first:
        chunk.first = at + 1
"""

FIND_RUN = """
prefix = {prefix}
run = store.runs[{number}].get(prefix)
if run is None:
    run = store.indexes[{number}].run(prefix)
"""

ENTER = """
if run.top < rank:
    run.top = rank
    run.chunks[-1].entries.append((rank, id_))
"""

ENTER_ELSEWHERE = """
elif run.append(rank, id_):
    session.revived.append((store.indexes[{number}], store.indexes[{number}].shape.key({row})))
"""


def shortcut(plan: Plan, store: Store) -> Statement | None:
    """A function for a plan; None when it is not of the three kinds."""
    effect = plan.effect
    if isinstance(effect, Insert):
        return _make("insert", _insert(plan, store))
    if isinstance(effect, Update) and _by_id(plan):
        return _make("update", _update(plan, effect, store))
    if isinstance(effect, Select) and _first_of_run(plan, store):
        return _make("select", _select(plan, effect, store))
    return None


def _make(name: str, source: str) -> Statement:
    space: dict[str, Any] = {"PASS": PASS, "DEAD": DEAD, "NEVER": NEVER}
    exec(source, space)
    function: Statement = space[name]
    return function


def _insert(plan: Plan, store: Store) -> str:
    enter = [
        FIND_RUN.format(prefix=tree.shape.prefix_source, number=n)
        + f"rank = {tree.shape.rank_source}\n"
        + ENTER.rstrip("\n")
        + ENTER_ELSEWHERE.format(number=n, row="row")
        for n, tree in enumerate(store.indexes)
    ]
    return INSERT.format(
        row=plan.build_source,
        table=plan.table,
        enter_body=indent(ENTER, "    "),
        enter=indent("".join(enter), "    "),
        reply="id_" if plan.returning_id else "1",
    )


def _by_id(plan: Plan) -> bool:
    """Whether rows are found by their ids; a list of ids is served while it has one."""
    path = plan.path
    if path is None or path.number >= 0 or plan.limit is not None or len(path.bounds) != 1:
        return False
    return path.unique or _names_ids(plan) is not None


def _names_ids(plan: Plan) -> Compare | None:
    """The comparison that says which rows, where it is the only one of the id."""
    named = [c for c in plan.comparisons if c.column == "id"]
    return named[0] if len(named) == 1 and named[0].operator in ("=", "in") else None


def _update(plan: Plan, effect: Update, store: Store) -> str:
    compiler = Compiler(store.table, effect.params)
    by_id = _names_ids(plan)
    assert by_id is not None
    given = compiler.value(by_id.value)
    one_of_list = f"if len({given}) != 1:\n        return PASS\n    id_, = {given}"
    others = [compiler.condition(c) for c in plan.comparisons if c is not by_id]
    places = sorted({compiler.place(column) for column, _ in effect.changes})
    moves = [_move(n, tree, places) for n, tree in enumerate(store.indexes)]
    return UPDATE.format(
        id_=one_of_list if by_id.operator == "in" else f"id_ = {given}",
        test=f"({' and '.join(others) or 'True'})",
        new=compiler.next_row(effect.changes),
        same=" and ".join(f"new[{place}] == row[{place}]" for place in places),
        moves=indent("".join(moves), "    "),
        table=plan.table,
    )


def _move(number: int, tree: Tree, changed: Sequence[int]) -> str:
    """Source that brings one index after a change; empty when it cannot be concerned."""
    places = [place for place in tree.shape.places if place in changed]
    if not places:
        return ""
    shape = tree.shape
    new_prefix, new_rank = (
        s.replace("row[", "new[") for s in (shape.prefix_source, shape.rank_source)
    )
    body = (
        LEAVE.format(number=number, prefix=shape.prefix_source, rank=shape.rank_source)
        + FIND_RUN.format(number=number, prefix=new_prefix)
        + (f"rank = {new_rank}\n" if new_rank != shape.rank_source else "")
        + ENTER.rstrip("\n")
        + ENTER_ELSEWHERE.format(number=number, row="new")
    )
    differs = " or ".join(f"new[{place}] != row[{place}]" for place in places)
    return f"if {differs}:\n" + indent(body, "    ")


def _first_of_run(plan: Plan, store: Store) -> bool:
    path = plan.path
    if path is None or path.number < 0 or len(path.bounds) != 1 or plan.limit is None:
        return False
    bound, shape = path.bounds[0], store.indexes[path.number].shape
    whole = bound.depth == 2 * shape.prefix_n == 2 * len(plan.comparisons)
    return whole and bound.in_list is None and plan.sort_key is None


def _select(plan: Plan, effect: Select, store: Store) -> str:
    compiler = Compiler(store.table, effect.params)
    assert plan.path is not None
    shape = store.indexes[plan.path.number].shape
    value_of = {c.column: compiler.value(c.value) for c in plan.comparisons}
    values = [value_of[column] for column in shape.columns[: shape.prefix_n]]
    return SELECT.format(
        limit=compiler.value(effect.limit),
        prefix=values[0] if shape.prefix_n == 1 else f"({', '.join(values)},)",
        number=plan.path.number,
        table=plan.table,
        reply=f"({''.join(f'row[{compiler.place(c)}],' for c in effect.columns)})",
    )
