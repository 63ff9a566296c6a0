"""Rows at rest are packed, and come back as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.sim.database import rows

Make = Callable[..., Any]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "HOT_ROWS", 1000)


@pytest.mark.usefixtures("small")
def test_packed_rows_are_read_changed_and_counted_like_others(queue: Make) -> None:
    q = queue()
    q.fill(*["pending"] * 6000)
    q.engine.purge(0.0)
    store = q.engine.stores[0]
    assert len(store.hot) < 3000
    a = q.open()
    assert q.do(a, "claim", 2) == [(1, 0), (2, 0)]
    assert q.do(a, "mark_some", [2, 1500]) == 2
    assert q.do(a, "delete", 3) == 1
    assert q.do(a, "insert", [(9000, "pending", 0.5)]) == 1
    q.engine.rollback(a)
    assert q.do(q.open(), "claim", 1) == [(1, 0)]
    assert q.engine.table_len(q.table) == 6000
    assert [row[0] for row in q.engine.rows(q.table)] == list(range(1, 6001))


@pytest.mark.usefixtures("small")
def test_a_copy_has_packed_rows_of_its_own(queue: Make) -> None:
    q = queue()
    q.fill(*["pending"] * 4000)
    q.engine.purge(0.0)
    other = q.engine.copy()
    session = other.connect()
    mark = other.compile(q.statements["mark"])
    other.run(session, mark, (1,), 5.0)
    other.commit(session)
    assert q.statuses()[1] == "pending"
    assert next(other.rows(q.table))[2] == "running"


def test_ids_need_not_come_in_order(queue: Make) -> None:
    q = queue()
    a = q.open()
    q.do(a, "insert", [(9, "pending", 1.0), (3, "pending", 2.0), (7, "pending", 0.5)])
    q.engine.commit(a)
    assert [row[0] for row in q.engine.rows(q.table)] == [3, 7, 9]
    assert q.do(q.open(), "claim", 3) == [(7, 0), (9, 0), (3, 0)]
