"""The lock manager: its rules in words, and against an oracle that works all out from scratch."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jobsim.sim.database.keys import SUPREMUM
from jobsim.sim.database.locks import (
    GAP,
    INTENT,
    NEXT_KEY,
    RECORD,
    SHARED,
    Had,
    Holder,
    LockSpace,
    conflicts,
)
from jobsim.sim.database.manager import LockManager


class Trx(Holder):
    """A transaction whose changes are a number."""

    def __init__(self, number: int, changes: int = 0) -> None:
        super().__init__(number)
        self.made = changes

    @property
    def changes(self) -> int:
        return self.made

    def __repr__(self) -> str:
        return f"trx{self.number}"


ONE, TWO = (1,), (2,)


def scene(count: int = 3) -> tuple[LockManager, LockSpace, list[Trx]]:
    return LockManager(), LockSpace("index"), [Trx(n) for n in range(count)]


def test_a_queue_is_first_come_first_served() -> None:
    manager, space, (a, b, c) = scene()
    assert manager.acquire(a, space, ONE, RECORD) is Had.NEW
    assert manager.acquire(b, space, ONE, RECORD) is Had.WAIT
    assert manager.acquire(c, space, ONE, RECORD) is Had.WAIT
    manager.release(a)
    assert manager.granted == [b]
    assert c.waits_on is b


def test_an_insert_waits_for_a_next_key_lock_that_is_only_waited_for() -> None:
    manager, space, (a, b, c) = scene()
    manager.acquire(a, space, ONE, RECORD)
    manager.acquire(b, space, ONE, NEXT_KEY)
    assert not manager.intend(c, space, ONE, INTENT)
    assert c.waits_on is b


def test_gaps_are_shared_among_all() -> None:
    manager, space, holders = scene()
    assert [manager.acquire(h, space, ONE, GAP) for h in holders] == [Had.NEW] * 3


def test_the_supremum_has_only_a_gap() -> None:
    manager, space, (a, b, c) = scene()
    assert manager.acquire(a, space, SUPREMUM, NEXT_KEY) is Had.NEW
    assert manager.acquire(b, space, SUPREMUM, NEXT_KEY) is Had.NEW
    assert not manager.intend(c, space, SUPREMUM, INTENT)


def test_a_lock_that_is_held_is_not_asked_for_again() -> None:
    manager, space, (a, *_) = scene()
    assert manager.acquire(a, space, ONE, NEXT_KEY) is Had.NEW
    assert manager.acquire(a, space, ONE, RECORD) is Had.HELD
    assert manager.acquire(a, space, ONE, GAP) is Had.HELD
    assert len(a.locks) == 1


def test_who_holds_a_record_gets_the_gap_past_those_who_wait_for_the_record() -> None:
    manager, space, (a, b, _) = scene()
    manager.acquire(a, space, ONE, RECORD)
    manager.acquire(b, space, ONE, NEXT_KEY)
    assert manager.acquire(a, space, ONE, NEXT_KEY) is Had.NEW
    assert [lock.kind for lock in a.locks] == [RECORD, GAP]


def test_what_one_has_changed_is_locked_without_a_request() -> None:
    manager, space, (a, b, _) = scene()
    manager.imply(a, space, ONE)
    assert a.locks == []
    assert manager.acquire(a, space, ONE, RECORD) is Had.HELD
    assert manager.acquire(b, space, ONE, RECORD) is Had.WAIT
    assert [lock.kind for lock in a.locks] == [RECORD], "whoever meets it makes it explicit"


def test_an_insert_beside_a_changed_record_makes_nothing_explicit() -> None:
    manager, space, (a, b, _) = scene()
    manager.imply(a, space, ONE)
    assert manager.intend(b, space, ONE, INTENT)
    assert a.locks == []


def test_without_waiting_a_taken_lock_leaves_nothing() -> None:
    manager, space, (a, b, _) = scene()
    manager.acquire(a, space, ONE, RECORD)
    assert manager.acquire(b, space, ONE, RECORD, wait=False) is Had.TAKEN
    assert b.locks == []


def test_a_record_that_is_given_back_lets_the_next_in() -> None:
    manager, space, (a, b, _) = scene()
    manager.acquire(a, space, ONE, RECORD)
    manager.acquire(b, space, ONE, RECORD)
    manager.unlock(a, space, ONE, RECORD)
    assert manager.granted == [b]
    assert len(a.locks) == 1, "the empty structure stays"


def test_a_wait_that_is_cancelled_lets_those_behind_it_go() -> None:
    manager, space, (a, b, c) = scene()
    manager.acquire(a, space, ONE, RECORD | SHARED)
    manager.acquire(b, space, ONE, RECORD)
    manager.acquire(c, space, ONE, RECORD | SHARED)
    manager.cancel(b)
    assert manager.granted == [c]


def test_a_new_record_inherits_the_gap_lock_that_it_came_into() -> None:
    manager, space, (a, b, _) = scene()
    manager.acquire(a, space, TWO, NEXT_KEY)
    manager.inherit_insert(space, ONE, TWO)
    assert not manager.intend(b, space, ONE, INTENT)


def test_a_record_that_goes_leaves_gap_locks_and_its_waiters_look_again() -> None:
    manager, space, (a, b, _) = scene()
    manager.acquire(a, space, ONE, RECORD)
    manager.acquire(b, space, ONE, RECORD)
    manager.inherit_removal(space, ONE, TWO)
    assert manager.granted == [b]
    assert [lock.kind for lock in space.queues[TWO]] == [GAP, GAP]
    assert b.wait is None


def test_read_committed_leaves_no_gap_locks_behind() -> None:
    manager, space = LockManager(), LockSpace("index")
    a = Trx(1)
    a.leaves_gaps = False
    manager.acquire(a, space, ONE, RECORD)
    manager.inherit_removal(space, ONE, TWO)
    assert TWO not in space.queues


def test_a_circle_of_two_is_broken_at_the_lighter() -> None:
    manager, space, (a, b, _) = scene()
    a.made = 5
    manager.acquire(a, space, ONE, RECORD)
    manager.acquire(b, space, TWO, RECORD)
    manager.acquire(b, space, ONE, RECORD)
    assert manager.next_victim(b) is None
    manager.acquire(a, space, TWO, RECORD)
    assert manager.next_victim(a) is b


def test_among_equals_the_one_that_asked_last_is_the_victim() -> None:
    manager, space, holders = scene(3)
    for holder in holders:
        manager.acquire(holder, space, (holder.number,), RECORD)
    for holder, other in pairwise([*holders, holders[0]]):
        manager.acquire(holder, space, (other.number,), RECORD)
    assert manager.next_victim(holders[2]) is holders[2]


def test_an_edge_that_turns_can_close_a_circle() -> None:
    manager, space, (a, b, c) = scene()
    manager.acquire(a, space, ONE, RECORD)
    manager.acquire(c, space, TWO, RECORD)
    manager.acquire(c, space, ONE, RECORD)
    manager.acquire(b, space, ONE, RECORD)
    assert b.waits_on is a
    manager.acquire(b, space, (3,), RECORD) if b.wait is None else None
    manager.release(a)
    assert manager.granted == [c]
    assert b.waits_on is c, "the edge turned to who is now first"


def test_a_stretch_is_locked_as_one() -> None:
    manager, space, (a, b, c) = scene()
    manager.acquire_span(a, space, (1,), (5,))
    assert manager.acquire(b, space, (3,), RECORD) is Had.WAIT
    assert not manager.intend(c, space, (4,), INTENT)
    assert manager.acquire(a, space, (2,), NEXT_KEY) is Had.HELD
    assert len(a.locks) == 1
    manager.release(a)
    assert manager.granted == [b, c]


RECORDS = [(1,), (2,), (3,)]
KINDS = [RECORD, GAP, NEXT_KEY, RECORD | SHARED, NEXT_KEY | SHARED]


class AgainstAnOracle(RuleBasedStateMachine):
    """All that was asked is remembered; who holds and who waits is worked out from that alone."""

    def __init__(self) -> None:
        super().__init__()
        self.manager, self.space = LockManager(), LockSpace("index")
        self.trxs = [Trx(n) for n in range(4)]
        self.asked: dict[Any, list[list[Any]]] = {record: [] for record in RECORDS}

    def _conflict(self, trx: Trx, kind: int, before: list[list[Any]]) -> Trx | None:
        for other, held, _ in before:
            if other is not trx and conflicts(kind, held):
                return other
        return None

    def _regrant(self) -> set[Trx]:
        woken = set()
        for queue in self.asked.values():
            for place, (trx, kind, waiting) in enumerate(queue):
                if waiting and self._conflict(trx, kind, queue[:place]) is None:
                    queue[place][2] = False
                    woken.add(trx)
        return woken

    @rule(
        trx=st.integers(0, 3),
        record=st.sampled_from(RECORDS),
        kind=st.sampled_from([*KINDS, INTENT]),
    )
    def ask(self, trx: int, record: Any, kind: int) -> None:
        holder, queue = self.trxs[trx], self.asked[record]
        if holder.wait is not None:
            return
        own = [held for other, held, _ in queue if other is holder and not held & INTENT]
        part, shared = kind & NEXT_KEY, kind & SHARED
        strong = [held for held in own if shared or not held & SHARED]
        if part == NEXT_KEY and any(held & RECORD for held in strong):
            part = GAP
        covered = bool(part) and any(held & part == part for held in strong)
        kind = kind if kind & INTENT else part | shared
        other = None if covered else self._conflict(holder, kind, queue)
        if kind & INTENT:
            went = self.manager.intend(holder, self.space, record, kind)
        else:
            went = self.manager.acquire(holder, self.space, record, kind) is not Had.WAIT
        assert went is (other is None)
        if not covered and (other is not None or not kind & INTENT):
            queue.append([holder, kind, other is not None])

    @rule(trx=st.integers(0, 3))
    def end(self, trx: int) -> None:
        self._leave(self.trxs[trx])

    def _leave(self, holder: Trx) -> None:
        for queue in self.asked.values():
            queue[:] = [entry for entry in queue if entry[0] is not holder]
        self.manager.granted.clear()
        self.manager.release(holder)
        assert set(self.manager.granted) == self._regrant()

    @precondition(lambda self: any(trx.wait for trx in self.trxs))
    @rule(data=st.data())
    def give_up(self, data: st.DataObject) -> None:
        holder = data.draw(st.sampled_from([trx for trx in self.trxs if trx.wait]))
        for queue in self.asked.values():
            queue[:] = [entry for entry in queue if not (entry[0] is holder and entry[2])]
        self.manager.granted.clear()
        self.manager.cancel(holder)
        assert set(self.manager.granted) == self._regrant()

    @rule()
    def break_circles(self) -> None:
        for trx in self.trxs:
            victim = self.manager.next_victim(trx if trx.wait else None)
            if victim is not None:
                circle = {victim}
                step = victim.waits_on
                while step is not None and step not in circle:
                    circle.add(step)
                    step = step.waits_on
                assert step is victim, "a victim is part of a circle"
                assert victim.weight == min(member.weight for member in circle)
                self._leave(victim)  # type: ignore[arg-type]

    @invariant()
    def no_two_hold_what_conflicts(self) -> None:
        for record in RECORDS:
            granted = [lock for lock in self.space.requests(record) if not lock.waiting]
            for one in granted:
                for other in granted:
                    if one.owner is not other.owner and not one.kind & INTENT:
                        assert not conflicts(one.kind, other.kind)

    @invariant()
    def each_waits_on_the_first_that_holds_it_up(self) -> None:
        for queue in self.asked.values():
            for place, (trx, kind, waiting) in enumerate(queue):
                if waiting:
                    assert trx.waits_on is self._conflict(trx, kind, queue[:place])

    @invariant()
    def queues_are_what_was_asked_for(self) -> None:
        for record, queue in self.asked.items():
            real = [(k.owner, k.kind, k.waiting) for k in self.space.requests(record)]
            assert real == [tuple(entry) for entry in queue]


TestAgainstAnOracle = AgainstAnOracle.TestCase


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(1, 3)), max_size=8))
def test_a_stretch_and_its_single_records_hold_up_the_same(
    asked: list[tuple[int, int, int]],
) -> None:
    one_by_one, at_once = scene(4), scene(4)
    for key in range(1, 4):
        one_by_one[0].acquire(one_by_one[2][3], one_by_one[1], (key,), NEXT_KEY)
    at_once[0].acquire_span(at_once[2][3], at_once[1], (1,), (4,))
    for who, key, kind in asked:
        answers = []
        for manager, space, holders in (one_by_one, at_once):
            holder = holders[who]
            if holder.wait is None:
                answers.append(manager.acquire(holder, space, (key,), kind))
        assert len(set(answers)) <= 1
    for manager, _, holders in (one_by_one, at_once):
        manager.release(holders[3])
    assert [h.number for h in one_by_one[0].granted] == [h.number for h in at_once[0].granted]
