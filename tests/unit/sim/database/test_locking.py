"""A statement's manner of asking for a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.effects import LockTimeout
from jobsim.sim.database import BLOCKED

Make = Callable[..., Any]


def test_who_must_not_wait_is_told_which_record_is_locked(queue: Make) -> None:
    q = queue(on_locked="fail")
    q.fill("pending")
    a, b = q.open(), q.open()
    q.do(a, "take", 1)
    with pytest.raises(LockTimeout, match=r"PRIMARY \(1,\) is locked"):
        q.do(b, "take", 1)
    assert b.begun


def test_an_update_always_waits(queue: Make) -> None:
    q = queue(on_locked="skip")
    q.fill("pending")
    a, b = q.open(), q.open()
    q.do(a, "take", 1)
    assert q.do(b, "mark", 1) is BLOCKED


def test_read_committed_keeps_what_it_had_to_wait_for(queue: Make) -> None:
    q = queue((), "read-committed")
    q.fill("completed", "pending")
    a, b = q.open(), q.open()
    q.do(a, "take", 1)
    assert q.do(b, "claim", 1) is BLOCKED
    q.engine.commit(a)
    assert q.engine.resume(b, 5.0) == [(2, 0)]
    assert q.locks(b) == {("PRIMARY", (1,)): "record", ("PRIMARY", (2,)): "record"}


def test_a_skipped_id_leaves_the_gap_after_it_locked(queue: Make) -> None:
    q = queue(on_locked="skip")
    q.fill("pending")
    a, b = q.open(), q.open()
    q.do(a, "take", 1)
    assert q.do(b, "take", 1) == []
    assert q.locks(b) == {("PRIMARY", ("supremum",)): "next-key"}
