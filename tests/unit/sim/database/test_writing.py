"""Changing rows: index entries, gaps, duplicates, and taking it all back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.effects import Deadlock, DuplicateKey, Index
from jobsim.sim.database import BLOCKED

Make = Callable[..., Any]
KEY = "status,created_at,id"


def test_a_claim_marks_the_row(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a = q.open()
    assert q.do(a, "mark", 1, now_s=7.0) == 1
    q.engine.commit(a)
    (row,) = q.engine.rows(q.table)
    assert row == (1, "zip", "running", 0, 1.0, 7.0, None, 1, None)
    assert a.changed == 1


def test_a_guarded_update_misses_a_row_that_was_taken(queue: Make) -> None:
    q = queue()
    q.fill("running")
    a = q.open()
    assert q.do(a, "guard", 1) == 0
    assert a.changed == 0


def test_an_update_that_changes_nothing_counts_as_a_match(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a = q.open()
    assert q.do(a, "release", 1) == 1
    assert a.changed == 0


def test_many_rows_by_their_ids(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending", "pending")
    a = q.open()
    assert q.do(a, "mark_some", [3, 1, 9]) == 2
    q.engine.commit(a)
    assert q.statuses() == {1: "running", 2: "pending", 3: "running"}


def test_an_update_with_a_limit_takes_the_first(queue: Make) -> None:
    for indexes in ((), (Index(("status",)),), (Index(("status", "created_at")),)):
        q = queue(indexes)
        q.fill("completed", "pending", "pending")
        a = q.open()
        assert q.do(a, "claim_at_once", 1) == 1
        q.engine.commit(a)
        assert q.statuses() == {1: "completed", 2: "running", 3: "pending"}


def test_an_insert_waits_for_a_locked_gap_and_then_goes_in(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "claim", 1)
    assert q.do(b, "insert", [(9, "pending", 0.5)]) is BLOCKED
    assert q.engine.waits_of(b)[3] == "insert-intention"
    q.engine.commit(a)
    assert q.engine.resume(b, 101.0) == 1


def test_read_committed_never_makes_an_insert_wait_for_a_claim(queue: Make) -> None:
    q = queue(isolation="read-committed")
    q.fill("pending", "pending")
    q.do(q.open(), "claim", 2)
    assert q.do(q.open(), "insert", [(9, "pending", 0.5)]) == 1


def test_a_record_inserted_into_a_gap_that_one_has_locked_is_locked_before_too(
    queue: Make,
) -> None:
    q = queue(name="claimed")
    q.fill("pending", "pending")
    a = q.open()
    q.do(a, "claim", 1)
    q.do(a, "mark", 1)
    assert q.locks(a)[KEY, ("claimed", 1.0, 1)] == "gap"


def claim_deadlocks(queue: Make, name: str, isolation: str) -> bool:
    q = queue(name=name, isolation=isolation)
    q.fill("pending", "pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "claim", 1)
    assert q.do(b, "claim", 1) is BLOCKED
    try:
        return q.do(a, "mark", 1) is BLOCKED or bool(q.engine.victims)
    except Deadlock:
        return True


@pytest.mark.parametrize(
    ("name", "isolation", "deadlocks"),
    [
        ("claimed", "repeatable-read", True),
        ("running", "repeatable-read", False),
        ("processing", "repeatable-read", False),
        ("claimed", "read-committed", False),
    ],
)
def test_claims_deadlock_when_the_new_status_sorts_just_below_pending(
    queue: Make, name: str, isolation: str, deadlocks: bool
) -> None:
    assert claim_deadlocks(queue, name, isolation) is deadlocks


def test_a_row_between_takes_the_deadlock_away(queue: Make) -> None:
    q = queue(name="claimed")
    q.fill("completed", "pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "claim", 1)
    q.do(b, "claim", 1)
    assert q.do(a, "mark", 2) == 1


def test_of_two_equals_the_one_that_closed_the_circle_is_the_victim(queue: Make) -> None:
    q = queue(())
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "take", 1)
    q.do(b, "take", 2)
    assert q.do(a, "take", 2) is BLOCKED
    with pytest.raises(Deadlock):
        q.do(b, "take", 1)
    assert q.engine.granted == [a]
    assert q.engine.victims == []


def test_who_has_changed_least_is_the_victim(queue: Make) -> None:
    q = queue(())
    q.fill("pending", "pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "take", 1)
    q.do(b, "mark_some", [2, 3])
    assert q.do(a, "take", 2) is BLOCKED
    assert q.do(b, "take", 1) is BLOCKED
    assert q.engine.victims == [a]
    assert q.engine.granted == [b]
    assert q.engine.resume(b, 101.0) == [(1, "pending")]
    assert not a.begun


def test_a_rollback_takes_everything_back(queue: Make) -> None:
    q = queue()
    q.fill("pending", "completed")
    a = q.open()
    q.do(a, "claim", 1)
    q.do(a, "mark", 1)
    q.do(a, "delete", 2)
    q.do(a, "insert", [(3, "pending", 3.0)])
    q.engine.rollback(a)
    assert q.statuses() == {1: "pending", 2: "completed"}
    b = q.open()
    assert q.do(b, "claim", 5) == [(1, 0)]
    assert b.examined == 1


def test_a_taken_key_is_refused_and_the_statement_undone(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a = q.open()
    with pytest.raises(DuplicateKey):
        q.do(a, "insert", [(5, "pending", 5.0), (1, "pending", 6.0)])
    assert a.begun, "the transaction goes on"
    q.engine.commit(a)
    assert q.statuses() == {1: "pending"}


def test_a_key_that_is_inserted_but_not_committed_must_be_waited_for(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a, b, c = q.open(), q.open(), q.open()
    q.do(a, "insert", [(5, "pending", 5.0)])
    assert q.do(b, "insert", [(5, "running", 6.0)]) is BLOCKED
    assert q.do(c, "insert", [(5, "running", 6.0)]) is BLOCKED
    q.engine.rollback(a)
    assert set(q.engine.granted) == {b, c}
    assert q.engine.resume(b, 101.0) is BLOCKED or q.engine.resume(c, 101.0) is BLOCKED


def test_a_unique_index_refuses_a_second_row(queue: Make) -> None:
    q = queue((Index(("created_at",), unique=True),))
    q.fill("pending", "pending")
    with pytest.raises(DuplicateKey):
        q.do(q.open(), "insert", [(9, "pending", 2.0)])


def test_a_deleted_row_is_gone_and_its_id_free(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a = q.open()
    assert q.do(a, "delete", 1) == 1
    assert q.do(a, "delete", 1) == 0
    assert q.do(a, "insert", [(1, "running", 4.0)]) == 1
    q.engine.commit(a)
    assert q.statuses() == {1: "running", 2: "pending"}
    assert q.engine.table_len(q.table) == 2
