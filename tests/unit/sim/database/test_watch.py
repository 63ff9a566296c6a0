"""Watches look through an index, and know when a row will come to fit."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.effects import NOW, Ago, Index, Param, all_of, any_of, column

Make = Callable[..., Any]
PENDING = column("status").equals("pending")
STALE = all_of(column("status").equals("running"), column("claimed_at").at_most(Ago(30.0)))
INDEXES = [(), (Index(("status",)),), (Index(("status", "created_at", "id")),)]


@pytest.mark.parametrize("indexes", INDEXES)
def test_a_pending_row_fits_until_it_is_claimed(queue: Make, indexes: Any) -> None:
    q = queue(indexes)
    watch = q.engine.watch(q.table, PENDING)
    assert not watch.holds(0.0)
    assert watch.next_s(0.0) == inf
    q.fill("pending", "completed")
    assert watch.holds(0.0)
    claimer = q.open()
    q.do(claimer, "mark", 1)
    assert watch.holds(0.0), "others still read the version before an open change"
    q.engine.commit(claimer)
    assert not watch.holds(0.0)


@pytest.mark.parametrize("indexes", INDEXES)
def test_a_claim_comes_to_be_stale(queue: Make, indexes: Any) -> None:
    q = queue(indexes)
    watch = q.engine.watch(q.table, STALE)
    q.fill("pending", "pending")
    a = q.open()
    q.do(a, "mark", 1, now_s=50.0)
    q.do(a, "mark", 2, now_s=40.0)
    assert watch.next_s(45.0) == 70.0
    assert not watch.holds(69.0)
    assert watch.holds(70.0)
    q.do(a, "finish", 2)
    assert watch.next_s(45.0) == 80.0


def test_a_parameter_may_be_watched(queue: Make) -> None:
    q = queue()
    watch = q.engine.watch(q.table, column("status").equals(Param("status")), ("running",))
    q.fill("pending")
    assert not watch.holds(0.0)
    q.do(q.open(), "mark", 1)
    assert watch.holds(0.0)


def test_one_is_told_of_a_row_that_may_fit(queue: Make) -> None:
    q = queue()
    watch = q.engine.watch(q.table, PENDING)
    told: list[float] = []
    watch.on_change = told.append
    watch.until_s = inf
    q.fill("pending", "completed")
    assert len(told) == 1
    a = q.open()
    q.do(a, "mark", 1)
    assert len(told) == 1
    q.engine.rollback(a)
    assert len(told) == 2


def test_a_copy_is_watched_by_nobody(queue: Make) -> None:
    q = queue()
    q.engine.watch(q.table, PENDING)
    assert q.engine.copy().stores[0].watches == []
    assert len(q.engine.stores[0].watches) == 1


CLAIMED = column("claimed_at")
TIMED = [
    CLAIMED.at_most(NOW), CLAIMED.less_than(Ago(2.0)), CLAIMED.at_least(Ago(3.0)),
    CLAIMED.more_than(Ago(1.0)), CLAIMED.equals(Ago(2.0)), STALE,
    all_of(CLAIMED.at_most(Ago(1.0)), CLAIMED.more_than(Ago(4.0))),
    any_of(all_of(PENDING, column("created_at").at_most(NOW)), CLAIMED.at_most(Ago(5.0))),
]  # fmt: skip


@given(
    number=st.integers(0, len(TIMED) - 1),
    claimed=st.lists(st.one_of(st.none(), st.integers(0, 9)), max_size=4),
    now_s=st.integers(0, 12),
    shape=st.integers(0, 2),
)
def test_the_next_instant_is_the_first_at_which_the_predicate_holds(
    number: int, claimed: list[int | None], now_s: int, shape: int
) -> None:
    from jobsim.effects import Column, Insert, Table
    from jobsim.sim.database import Engine
    from jobsim.sim.database.expression import Compiler

    columns = (
        Column("id", "integer"), Column("status", "text"), Column("created_at", "instant"),
        Column("claimed_at", "instant", nullable=True),
    )  # fmt: skip
    table = Table("jobs", columns, INDEXES[shape])
    engine = Engine([table])
    session = engine.connect()
    rows = [
        (n, "pending" if at is None else "running", 6.0, None if at is None else float(at))
        for n, at in enumerate(claimed, 1)
    ]
    insert = engine.compile(Insert("i", table, ("id", "status", "created_at", "claimed_at")))
    engine.run(session, insert, (rows,), 0.0)
    watch = engine.watch(table, TIMED[number])
    fits = Compiler(table, ()).test(TIMED[number])
    instants = [now_s + step / 8 for step in range(8 * 50)]
    first = next((t for t in instants if any(fits(row, (), t) for row in rows)), inf)
    found = watch.next_s(float(now_s))
    assert watch.holds(float(now_s)) is any(fits(row, (), float(now_s)) for row in rows)
    assert found <= first <= found + 1 / 8 or found == first == inf
