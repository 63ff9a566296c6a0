"""One who is alone keeps a journal instead of queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jobsim.effects import Index

Make = Callable[..., Any]


def test_statements_of_one_alone_queue_nothing(queue: Make) -> None:
    for indexes in ((), (Index(("status",)),), (Index(("status", "created_at")),)):
        q = queue(indexes)
        q.fill("pending", "pending", "completed")
        a = q.open()
        assert q.do(a, "claim", 1) == [(1, 0)]
        assert q.do(a, "mark", 1) == 1
        assert q.do(a, "count_up") == 1
        assert q.do(a, "delete", 3) == 1
        assert q.do(a, "reclaim", 200.0) == 1
        assert a.locks == []
        q.engine.commit(a)
        assert q.statuses() == {1: "pending", 2: "pending"}
        assert a.journal == []


def test_examined_records_are_counted_as_in_company(queue: Make) -> None:
    counts = []
    for shortcut in (True, False):
        q = queue(shortcut=shortcut)
        q.fill(*["pending"] * 9)
        a = q.open()
        q.do(a, "mark_some", [1, 2, 5])
        q.engine.commit(a)
        found = []
        for word, args in (("claim", (1,)), ("claim", (4,)), ("claim", (99,)), ("due", (4.0, 9))):
            q.do(a, word, *args)
            found.append((a.examined, a.walked_dead, a.changed))
        counts.append(found)
    assert counts[0] == counts[1]


def test_sessions_that_take_turns_are_each_alone(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending", "pending")
    a, b = q.engine.connect(), q.engine.connect()
    for session in (a, b, a):
        q.engine.begin(session)
        ((id_, _),) = q.do(session, "claim", 1)
        q.do(session, "mark", id_)
        assert session.locks == []
        q.engine.commit(session)
    assert set(q.statuses().values()) == {"running"}


def test_one_who_only_looks_does_not_end_the_solitude(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a, b = q.open(), q.open()
    q.do(a, "claim", 1)
    q.do(a, "mark", 1)
    assert q.do(b, "look", 9) == [(1, "pending")]
    assert a.journal
