"""What a plain select sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.effects import ChangedSinceRead, Index

Make = Callable[..., Any]
INDEXES = [(), (Index(("status",)),), (Index(("status", "created_at")),)]


@pytest.mark.parametrize("indexes", INDEXES)
def test_uncommitted_changes_of_others_are_not_seen_and_own_ones_are(
    queue: Make, indexes: Any
) -> None:
    q = queue(indexes)
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "mark", 1)
    q.do(a, "insert", [(3, "pending", 3.0)])
    q.do(a, "delete", 2)
    assert q.do(b, "look", 9) == [(1, "pending"), (2, "pending")]
    assert q.do(a, "look", 9) == [(3, "pending")]


@pytest.mark.parametrize("indexes", INDEXES)
def test_repeatable_read_goes_on_seeing_what_its_first_select_saw(
    queue: Make, indexes: Any
) -> None:
    for isolation, later in (
        ("repeatable-read", [(1, "pending"), (2, "pending")]),
        ("read-committed", [(2, "pending"), (3, "pending")]),
    ):
        q = queue(indexes, isolation)
        q.fill("pending", "pending")
        a, b = q.open(), q.open()
        q.do(b, "look", 9)
        q.do(a, "mark", 1)
        q.do(a, "insert", [(3, "pending", 3.0)])
        q.engine.commit(a)
        c = q.open()
        q.do(c, "mark", 1)
        q.do(c, "finish", 1)
        q.engine.commit(c)
        q.engine.purge(0.0)
        assert q.do(b, "look", 9) == later
        q.engine.commit(b)
        q.engine.begin(b)
        assert q.do(b, "look", 9) == [(2, "pending"), (3, "pending")]


def test_a_snapshot_begins_with_the_first_select_not_with_the_transaction(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "mark", 1)
    q.engine.commit(a)
    assert q.do(b, "look", 9) == [(2, "pending")]


def test_an_update_acts_on_the_newest_version_and_then_sees_it(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a, b = q.open(), q.open()
    q.do(b, "look", 9)
    q.do(a, "mark", 1)
    q.engine.commit(a)
    assert q.do(b, "guard", 1) == 0
    assert q.do(b, "release", 1) == 1
    assert q.do(b, "look", 9) == [(1, "pending")]


def test_under_snapshot_isolation_a_row_changed_since_is_refused(queue: Make) -> None:
    q = queue(snapshot_isolation=True)
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(b, "look", 9)
    q.do(a, "mark", 1)
    q.engine.commit(a)
    assert q.do(b, "mark", 2) == 1
    with pytest.raises(ChangedSinceRead):
        q.do(b, "release", 1)
    assert not b.begun
    assert q.statuses() == {1: "running", 2: "pending"}


def test_a_plain_select_takes_no_locks(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a = q.open()
    q.do(a, "look", 9)
    assert q.locks(a) == {}


def test_what_nobody_can_see_any_more_is_forgotten(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a, b = q.open(), q.open()
    q.do(b, "look", 9)
    q.do(a, "mark", 1)
    q.engine.commit(a)
    assert q.engine.stores[0].history
    q.engine.commit(b)
    assert not q.engine.stores[0].history
