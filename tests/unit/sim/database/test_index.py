"""The ordered index, against a sorted list."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.effects import Column, Index, Table
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import SUPREMUM

TABLE = Table(
    "t",
    (
        Column("id", "integer"),
        Column("status", "text"),
        Column("due", "instant", nullable=True),
        Column("kind", "text", nullable=True),
        Column("priority", "integer"),
    ),
)
SHAPES = [
    (), ("status",), ("status", "due"), ("due",), ("status", "priority", "due"), ("kind", "status"),
    ("priority", "kind"),
]  # fmt: skip
ROWS = st.tuples(
    st.integers(1, 9),
    st.sampled_from(["", "a", "b", "pending"]),
    st.sampled_from([None, 1.0, 2.0]),
    st.sampled_from([None, "x", "y"]),
    st.integers(-1, 1),
)


def order(row: Any, columns: tuple[str, ...]) -> tuple[Any, ...]:
    """How the row sorts: NULL first in each column, then by id."""
    names = [column.name for column in TABLE.columns]
    cells = [row[names.index(column)] for column in columns]
    return (*[(cell is not None, cell) for cell in cells], row[0])


@pytest.mark.parametrize("columns", SHAPES)
@given(data=st.data())
def test_entries_come_in_the_order_of_their_columns(
    columns: tuple[str, ...], data: st.DataObject
) -> None:
    tree = Tree(TABLE, columns)
    live: dict[Any, Any] = {}
    dead: dict[Any, Any] = {}
    for row in data.draw(st.lists(ROWS, max_size=25)):
        key, place = tree.shape.key(row), order(row, columns)
        what = data.draw(st.sampled_from(["add", "add", "mark", "remove"]))
        if what == "add":
            assert tree.add(key) is (place in live or place in dead)
            dead.pop(place, None)
            live[place] = key
        elif what == "mark" and place in live:
            tree.mark(key)
            dead[place] = live.pop(place)
        elif what == "remove" and (place in live or place in dead):
            tree.remove(key)
            live.pop(place, None)
            dead.pop(place, None)
    marked = [(place, (key, 0)) for place, key in live.items()]
    marked += [(place, (key, 1)) for place, key in dead.items()]
    wanted = sorted(marked)
    keys = [entry for _, entry in wanted]
    assert list(tree.walk(())) == keys
    for number, (key, mark) in enumerate(keys):
        assert tree.state(key) == mark
        assert tree.successor(key) == (keys[number + 1][0] if number + 1 < len(keys) else SUPREMUM)
        for length in range(1, len(key)):
            start = key[:length]
            assert list(tree.walk(start)) == [e for e in keys if e[0] >= start]
            assert list(tree.walk(start, after=True)) == [e for e in keys if e[0][:length] > start]
    removed = sum(run.settle(frozenset()) for run in tree.runs.values())
    tree.tidy()
    assert removed == len(dead)
    assert list(tree.walk(())) == [entry for entry in keys if not entry[1]]


def test_a_stretch_of_dead_entries_ends_at_the_first_live_one() -> None:
    tree = Tree(TABLE, ("status",))
    for id_ in range(1, 6):
        tree.add(("a", id_))
    for id_ in (1, 2, 3):
        tree.mark(("a", id_))
    assert tree.dead_stretch(("a",), after=False) == (("a", 1), ("a", 3), 3)
    assert tree.dead_stretch(("a", 1), after=True) == (("a", 2), ("a", 3), 2)
    assert tree.dead_stretch(("a", 4), after=False) is None


def test_the_lock_space_is_named_by_its_columns() -> None:
    assert Tree(TABLE, ("status", "due")).name == "status,due,id"
    assert Tree(TABLE, ()).name == "PRIMARY"
    assert Index(("status",)).columns == ("status",)


@given(ROWS)
def test_a_key_gives_back_what_it_holds_of_the_row(row: Any) -> None:
    for columns in SHAPES:
        shape = Tree(TABLE, columns).shape
        known = shape.row(shape.key(row))
        for place in (0, *shape.places):
            assert known[place] == row[place]
