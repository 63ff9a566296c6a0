"""Which records a search locks, waits for and passes by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.effects import Index, LockTimeout
from jobsim.sim.database import BLOCKED

Make = Callable[..., Any]
KEY = "status,created_at,id"
TOP = ("supremum",)


def test_a_claim_by_the_composite_index_locks_one_entry_and_its_row(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending", "pending")
    a = q.open()
    assert q.do(a, "claim", 1) == [(1, 0)]
    assert q.locks(a) == {(KEY, ("pending", 1.0, 1)): "next-key", ("PRIMARY", (1,)): "record"}
    assert (a.examined, a.walked_dead, a.changed) == (1, 0, 0)


def test_read_committed_locks_no_gaps(queue: Make) -> None:
    q = queue(isolation="read-committed")
    q.fill("pending", "pending")
    a = q.open()
    q.do(a, "claim", 1)
    assert set(q.locks(a).values()) == {"record"}


def test_a_search_that_finds_too_few_locks_the_gap_after_the_last(queue: Make) -> None:
    q = queue()
    q.fill("pending", "running")
    a = q.open()
    assert q.do(a, "claim", 2) == [(1, 0)]
    assert q.locks(a)[KEY, ("running", 2.0, 2)] == "gap"


def test_a_search_that_its_limit_stops_does_not_look_further(queue: Make) -> None:
    q = queue()
    q.fill("pending", "running")
    a = q.open()
    q.do(a, "claim", 1)
    assert (KEY, ("running", 2.0, 2)) not in q.locks(a)


def test_nothing_found_still_locks_the_gap_where_it_would_be(queue: Make) -> None:
    q = queue()
    q.fill("completed")
    a = q.open()
    assert q.do(a, "claim", 1) == []
    assert q.locks(a) == {(KEY, TOP): "next-key"}
    assert q.do(q.open(), "insert", [(2, "pending", 2.0)]) is BLOCKED


def test_an_index_on_status_alone_locks_all_that_is_pending_before_the_limit(queue: Make) -> None:
    q = queue((Index(("status",)),), on_locked="skip")
    q.fill("pending", "pending", "pending", "completed")
    a, b = q.open(), q.open()
    assert q.do(a, "claim", 1) == [(1, 0)]
    assert len(q.locks(a)) == 3 + 3 + 1
    assert q.do(b, "claim", 1) == [], "the second worker's claim comes back empty, silently"


def test_read_committed_does_not_cure_the_missing_index(queue: Make) -> None:
    q = queue((Index(("status",)),), "read-committed", on_locked="skip")
    q.fill("pending", "pending", "pending")
    q.do(q.open(), "claim", 1)
    assert q.do(q.open(), "claim", 1) == []


def test_without_an_index_repeatable_read_locks_the_whole_table(queue: Make) -> None:
    q = queue((), on_locked="skip")
    q.fill("pending", "completed", "pending")
    a = q.open()
    assert q.do(a, "claim", 1) == [(1, 0)]
    assert q.locks(a) == {("PRIMARY", key): "next-key" for key in ((1,), (2,), (3,), TOP)}
    assert q.do(q.open(), "claim", 1) == []


def test_without_an_index_read_committed_gives_back_rows_that_do_not_fit(queue: Make) -> None:
    q = queue((), "read-committed", on_locked="skip")
    q.fill("pending", "completed", "pending")
    a = q.open()
    q.do(a, "claim", 1)
    assert q.locks(a) == {("PRIMARY", (1,)): "record", ("PRIMARY", (3,)): "record"}


def test_skip_locked_takes_the_next_row_and_no_lock_on_the_skipped_one(queue: Make) -> None:
    q = queue(on_locked="skip")
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "claim", 1)
    assert q.do(b, "claim", 1) == [(2, 0)]
    assert (KEY, ("pending", 1.0, 1)) not in q.locks(b)
    assert ("PRIMARY", (1,)) not in q.locks(b)


def test_a_locked_row_makes_wait_or_fail(queue: Make) -> None:
    for on_locked in ("wait", "fail"):
        q = queue(on_locked=on_locked)
        q.fill("pending", "pending")
        a, b = q.open(), q.open()
        q.do(a, "claim", 1)
        if on_locked == "wait":
            assert q.do(b, "claim", 1) is BLOCKED
            assert q.engine.blockers(b) == [a]
        else:
            with pytest.raises(LockTimeout):
                q.do(b, "claim", 1)


def test_who_waited_claims_the_next_row_after_the_commit(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "claim", 1)
    assert q.do(b, "claim", 1) is BLOCKED
    q.do(a, "mark", 1)
    q.engine.commit(a)
    assert q.engine.granted == [b]
    assert q.engine.resume(b, 101.0) == [(2, 0)]


def test_repeatable_read_locks_each_dead_entry_that_it_walks_over(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending", "pending")
    for id_ in (1, 2):
        a = q.open()
        q.do(a, "mark", id_)
        q.engine.commit(a)
    b = q.open()
    assert q.do(b, "claim", 1) == [(3, 0)]
    assert (b.examined, b.walked_dead) == (3, 2)
    assert q.locks(b)[KEY, ("pending", 1.0, 1)] == "next-key"


def test_read_committed_passes_dead_entries_by_unless_their_death_is_uncommitted(
    queue: Make,
) -> None:
    q = queue(isolation="read-committed")
    q.fill("pending", "pending", "pending")
    a, b, c = q.open(), q.open(), q.open()
    q.do(a, "mark", 1)
    assert q.do(b, "claim", 1) is BLOCKED
    q.engine.commit(a)
    assert q.engine.resume(b, 101.0) == [(2, 0)]
    kept = q.locks(b)
    assert (KEY, ("pending", 1.0, 1)) in kept, "a lock granted after a wait is kept"
    assert q.do(c, "take", 3) == [(3, "pending")]
    assert q.do(c, "claim", 1) is BLOCKED
    assert q.engine.waits_of(c)[1] == ("pending", 2.0, 2), "the dead entry holds nobody up"


def test_a_row_by_its_id_is_locked_without_the_gap(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending", "pending")
    a = q.open()
    q.do(a, "take", 2)
    assert q.locks(a) == {("PRIMARY", (2,)): "record"}


def test_an_id_that_is_missing_locks_the_gap_only_under_repeatable_read(queue: Make) -> None:
    for isolation, locked in (("repeatable-read", True), ("read-committed", False)):
        q = queue(isolation=isolation)
        q.fill("pending")
        a = q.open()
        assert q.do(a, "take", 7) == []
        assert bool(q.locks(a)) is locked
        assert (q.do(q.open(), "insert", [(7, "pending", 1.5)]) is BLOCKED) is locked


def test_an_update_of_read_committed_does_not_wait_for_rows_whose_committed_version_does_not_fit(
    queue: Make,
) -> None:
    for isolation, waits in (("read-committed", False), ("repeatable-read", True)):
        q = queue((), isolation)
        q.fill("completed", "pending")
        q.do(q.open(), "take", 1)
        assert (q.do(q.open(), "count_up") is BLOCKED) is waits


def test_a_range_locks_the_first_record_beyond_it(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending", "pending")
    a = q.open()
    assert q.do(a, "due", 1.5, 9) == [(1, "zip")]
    assert q.locks(a)[KEY, ("pending", 2.0, 2)] == "next-key"
    assert ("PRIMARY", (2,)) not in q.locks(a), "the index shows that it is beyond"
