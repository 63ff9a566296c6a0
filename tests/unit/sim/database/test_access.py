"""Which index a statement goes by, and what it walks of it."""

from __future__ import annotations

from typing import Any

import pytest

from jobsim.effects import (
    NOW,
    Ago,
    Column,
    Index,
    Param,
    Select,
    Table,
    all_of,
    any_of,
    column,
)
from jobsim.sim.database import Engine
from jobsim.sim.database.access import Interval

COLUMNS = (
    Column("id", "integer"),
    Column("status", "text"),
    Column("priority", "integer"),
    Column("due", "instant"),
    Column("claimed_at", "instant", nullable=True),
)
PENDING = column("status").equals("pending")
BY_ID = column("id").equals(Param("id"))
DUE = column("due").at_most(NOW)
ORDER = ("due", "id")


def plan(effect: Any) -> Any:
    return Engine([effect.table]).compile(effect)


def table(*indexes: tuple[str, ...]) -> Table:
    return Table("jobs", COLUMNS, tuple(map(Index, indexes)))


def select(where: Any, *indexes: tuple[str, ...], order: Any = ORDER, limit: Any = 1) -> Any:
    return plan(Select("s", table(*indexes), ("id",), where, order, limit, lock=True))


@pytest.mark.parametrize(
    ("where", "indexes", "access", "sorts"),
    [
        (PENDING, [], "scan jobs", True),
        (PENDING, [("status",)], "range jobs(status,id)", True),
        (PENDING, [("status", "due", "id")], "range jobs(status,due,id)", False),
        (PENDING, [("status",), ("status", "due")], "range jobs(status,due,id)", False),
        (PENDING, [("status", "priority", "due")], "range jobs(status,priority,due,id)", True),
        (all_of(PENDING, DUE), [("status", "due")], "range jobs(status,due,id)", False),
        (all_of(PENDING, DUE), [("due",), ("status",)], "range jobs(status,id)", True),
        (DUE, [("due",)], "range jobs(due,id)", False),
        (all_of(BY_ID, PENDING), [("status", "due")], "primary key jobs", False),
        (column("id").is_in(Param("ids")), [("status",)], "primary key jobs", True),
        (column("id").more_than(5), [], "range jobs(id)", True),
        (any_of(PENDING, column("status").equals("running")), [("status", "due")],
         "range jobs(status,due,id)", True),
        (any_of(PENDING, column("priority").equals(1)), [("status", "due")], "scan jobs", True),
        (None, [("due",)], "range jobs(due,id)", False),
    ],
)  # fmt: skip
def test_the_access_serves_predicate_and_order_best(
    where: Any, indexes: Any, access: str, sorts: bool
) -> None:
    chosen = select(where, *indexes)
    assert chosen.access == access
    assert (chosen.sort_key is not None) is sorts


def intervals(where: Any, *indexes: tuple[str, ...], args: Any = ()) -> list[Interval]:
    return select(where, *indexes).path.intervals(args, 100.0)


def test_equal_columns_make_a_point() -> None:
    (found,) = intervals(PENDING, ("status", "due"))
    assert found == Interval(("pending",), ("pending",), point=True)
    assert found.passed(("running", 1.0, 1))
    assert not found.passed(("pending", 9.0, 9))


def test_a_range_ends_with_its_bound() -> None:
    (found,) = intervals(all_of(PENDING, DUE), ("status", "due"))
    assert found == Interval(("pending",), ("pending", 100.0))
    assert not found.passed(("pending", 100.0, 7))
    assert found.passed(("pending", 100.5, 1))


def test_a_range_of_a_nullable_column_begins_after_the_nulls() -> None:
    (found,) = intervals(column("claimed_at").less_than(Ago(10.0)), ("claimed_at",))
    assert found == Interval((float("-inf"),), (90.0,), low_open=True, high_open=True)


def test_an_empty_range_is_not_walked() -> None:
    between = all_of(column("id").more_than(3), column("id").at_most(3))
    assert intervals(between) == []


def test_a_list_is_walked_in_order_and_once() -> None:
    found = intervals(column("id").is_in(Param("ids")), args=([5, 2, 5],))
    assert [interval.low for interval in found] == [(2,), (5,)]


def test_alternatives_are_merged() -> None:
    where = any_of(PENDING, PENDING, column("status").less_than("c"))
    found = intervals(where, ("status",))
    assert [interval.high for interval in found] == [("c",), ("pending",)]
