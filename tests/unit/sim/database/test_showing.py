"""What can be seen of a session's locks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]


def test_granted_locks_a_wait_and_who_is_in_the_way(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a, b, c = q.open(), q.open(), q.open()
    q.do(a, "take", 1)
    q.do(b, "take", 1)
    q.do(c, "take", 1)
    assert q.engine.locks_of(a) == [("PRIMARY", (1,), "X", "record")]
    assert q.engine.locks_of(b) == []
    assert q.engine.waits_of(a) is None
    assert q.engine.waits_of(b) == ("PRIMARY", (1,), "X", "record")
    assert q.engine.blockers(a) == []
    assert q.engine.blockers(b) == [a]
    assert q.engine.blockers(c) == [a, b], "those before it in the queue, waiting or not"


def test_locks_of_one_alone_are_shown_too(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a = q.open()
    q.do(a, "claim", 1)
    assert len(q.engine.locks_of(a)) == 2
