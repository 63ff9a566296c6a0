"""The statements of every job have functions of their own, which leave the rest to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.effects import Index
from jobsim.sim.database.shortcut import PASS

Make = Callable[..., Any]


def quick(q: Any, word: str) -> Any:
    return q.engine.compile(q.statements[word]).quick


@pytest.mark.parametrize("word", ["claim", "mark", "finish", "guard", "insert"])
def test_a_queue_s_own_statements_have_one(queue: Make, word: str) -> None:
    assert quick(queue(), word) is not None


@pytest.mark.parametrize("word", ["look", "due", "reclaim", "delete", "claim_at_once"])
def test_others_have_none(queue: Make, word: str) -> None:
    assert quick(queue(), word) is None


def test_a_claim_that_must_sort_has_none(queue: Make) -> None:
    assert quick(queue((Index(("status",)),)), "claim") is None
    assert quick(queue(()), "claim") is None


def test_unique_keys_and_snapshot_isolation_take_the_long_way(queue: Make) -> None:
    assert quick(queue((Index(("created_at",), unique=True),)), "insert") is None
    assert quick(queue(snapshot_isolation=True), "mark") is None


@pytest.mark.parametrize(
    ("word", "args"),
    [
        ("claim", (2,)),
        ("mark", (9,)),
        ("guard", (2,)),
        ("insert", ([(1, "pending", 1.0)],)),
        ("insert", ([(7, "pending", 1.0), (8, "pending", 1.0)],)),
    ],
)
def test_what_is_not_simple_is_left_to_others(queue: Make, word: str, args: Any) -> None:
    q = queue()
    q.fill("pending", "running")
    session = q.open()
    assert quick(q, word)(q.engine.stores, session, args, 5.0) is PASS
    assert session.undo == []


def test_a_whole_life(queue: Make) -> None:
    for indexes in (
        (Index(("status", "created_at", "id")),),
        (Index(("status", "created_at")), Index(("claimed_at",)), Index(("kind", "status"))),
    ):
        q = queue(indexes)
        a = q.engine.connect()
        for id_ in range(1, 50):
            q.do(a, "insert", [(id_, "pending", float(id_ // 2))])
            q.engine.commit(a)
            q.engine.begin(a)
            assert q.do(a, "claim", 1) == [(id_, 0)]
            assert q.do(a, "mark", id_, now_s=float(id_)) == 1
            q.engine.commit(a)
            assert q.do(a, "finish", id_) == 1
            q.engine.commit(a)
            if id_ % 7 == 0:
                q.engine.purge(0.0)
        assert set(q.statuses().values()) == {"completed"}
        for tree in q.engine.stores[0].indexes:
            live = [key for key, mark in tree.walk(()) if not mark]
            assert live == sorted(tree.shape.key(row) for row in q.engine.rows(q.table))
