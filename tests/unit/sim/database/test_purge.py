"""Delete-marked entries go when nobody needs them, and their locks go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jobsim.sim.database import BLOCKED

Make = Callable[..., Any]
KEY = "status,created_at,id"


def test_purge_removes_what_is_dead(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending", "pending")
    a = q.open()
    q.do(a, "mark_some", [1, 2])
    q.do(a, "delete", 3)
    q.engine.commit(a)
    assert q.engine.purge(1.0) == 4
    assert q.engine.purge(1.0) == 0
    b = q.open()
    q.do(b, "claim", 1)
    assert b.examined == 0


def test_what_a_rollback_may_bring_back_stays(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a = q.open()
    q.do(a, "mark", 1)
    assert q.engine.purge(1.0) == 0
    q.engine.rollback(a)
    assert q.do(q.open(), "claim", 9) == [(1, 0), (2, 0)]


def test_what_a_snapshot_may_look_at_stays(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(b, "look", 9)
    q.do(a, "mark", 1)
    q.do(a, "delete", 2)
    q.engine.commit(a)
    assert q.engine.purge(1.0) == 0
    assert len(q.do(b, "look", 9)) == 2
    q.engine.commit(b)
    assert q.engine.purge(1.0) == 3


def test_a_lock_on_a_record_that_goes_becomes_a_lock_of_the_next_gap(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a = q.open()
    q.do(a, "mark", 1)
    q.engine.commit(a)
    b, c = q.open(), q.open()
    q.do(c, "take", 2)
    q.do(b, "due", 0.5, 9)
    assert q.locks(b)[KEY, ("pending", 1.0, 1)] == "next-key"
    q.engine.purge(1.0)
    assert (KEY, ("pending", 1.0, 1)) not in q.locks(b)
    assert q.do(q.open(), "insert", [(7, "pending", 1.5)]) is BLOCKED


def test_who_waits_for_a_record_that_goes_looks_again(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a = q.open()
    q.do(a, "mark", 1)
    q.engine.commit(a)
    b, c = q.open(), q.open()
    q.do(b, "due", 0.5, 9)
    assert q.do(c, "claim", 1) is BLOCKED
    q.engine.purge(1.0)
    assert q.engine.granted == [c]
    assert q.engine.resume(c, 101.0) is BLOCKED, "now at the next record"


def test_a_stretch_of_dead_entries_goes_on_being_locked_when_it_is_gone(queue: Make) -> None:
    q = queue()
    q.fill(*["pending"] * 5)
    a, other = q.open(), q.open()
    q.do(a, "mark_some", [1, 2, 3, 4])
    q.engine.commit(a)
    q.do(other, "take", 1)
    b = q.open()
    assert q.do(b, "claim", 1) == [(5, 0)]
    assert sum(key[0] == "pending" for index, key in q.locks(b) if index == KEY) == 5
    q.engine.purge(1.0)
    assert q.do(q.open(), "insert", [(9, "pending", 2.5)]) is BLOCKED
