"""A transaction that was alone has the locks that it would have had in company."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.effects import Index

Make = Callable[..., Any]
KEY = "status,created_at,id"
STATUS = (Index(("status",)),)
COMPOSITE = (Index(("status", "created_at", "id")),)
SCRIPTS: list[list[tuple[Any, ...]]] = [
    [("claim", 1)],
    [("claim", 1), ("mark", 1)],
    [("claim", 9)],
    [("claim", 2), ("mark_some", [1, 2])],
    [("mark", 1), ("claim", 1)],
    [("mark", 7)],
    [("take", 2), ("take", 7)],
    [("guard", 3)],
    [("claim_at_once", 1)],
    [("claim_at_once", 2), ("claim", 1)],
    [("reclaim", 200.0)],
    [("insert", [(9, "pending", 0.5)]), ("claim", 1)],
    [("claim", 1), ("insert", [(9, "pending", 0.5)])],
    [("delete", 1), ("claim", 1)],
    [("due", 1.5, 9), ("finish", 2)],
    [("count_up",)],
    [("claim", 1), ("release", 1), ("mark", 1), ("release", 1)],
]


def bits(queue: Any, session: Any) -> dict[Any, int]:
    """What is covered of each record: 1 the record, 2 the gap before it."""
    found: dict[Any, int] = {}
    parts = {"record": 1, "gap": 2, "next-key": 3}
    for (index, key), kind in queue.locks(session).items():
        part = 2 if key == ("supremum",) else parts[kind]
        found[index, key] = found.get((index, key), 0) | part
    for store in queue.engine.stores:
        for tree in store.trees:
            for key, owner in tree.space.implicit.items():
                if owner is session:
                    found[tree.name, key] = found.get((tree.name, key), 0) | 1
    return found


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
@pytest.mark.parametrize("indexes", [(), STATUS, COMPOSITE], ids=["none", "status", "composite"])
@pytest.mark.parametrize("isolation", ["repeatable-read", "read-committed"])
@pytest.mark.parametrize("name", ["claimed", "running"])
def test_the_journal_is_written_out_as_the_locks_of_the_long_way(
    queue: Make, script: list[tuple[Any, ...]], indexes: Any, isolation: str, name: str
) -> None:
    locked = []
    for shortcut in (True, False):
        q = queue(indexes, isolation, name, shortcut=shortcut)
        q.fill("pending", "pending", "completed", "pending")
        dead = q.open()
        q.do(dead, "mark", 2)
        q.do(dead, "finish", 2)
        q.engine.commit(dead)
        session = q.open()
        for word, *args in script:
            q.do(session, word, *args)
        assert bool(session.journal) <= shortcut
        locked.append(bits(q, session))
    assert locked[0] == locked[1]


def test_a_second_transaction_makes_the_first_queue_its_locks(queue: Make) -> None:
    q = queue(on_locked="skip")
    q.fill("pending", "pending")
    a = q.open()
    q.do(a, "claim", 1)
    assert a.locks == []
    assert a.journal
    b = q.open()
    assert q.do(b, "claim", 1) == [(2, 0)]
    assert a.locks
    assert not a.journal
    q.engine.commit(a)
    q.engine.commit(b)
    q.do(q.open(), "claim", 1)
    assert not q.engine.stores[0].primary.space.queues, "one is alone again"
