"""Sessions, waits that end without a lock, copies; and that nothing is left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.effects import Index
from jobsim.errors import UsageError
from jobsim.sim.database import BLOCKED, Engine
from jobsim.sim.database.locks import INTENT, conflicts

Make = Callable[..., Any]
INDEXES = [
    (), (Index(("status",)),), (Index(("status", "created_at", "id")),),
    (Index(("status", "created_at")), Index(("claimed_at",))),
]  # fmt: skip


@pytest.mark.parametrize("isolation", ["serializable", "read-uncommitted"])
def test_other_isolation_levels_are_refused(queue: Make, isolation: Any) -> None:
    with pytest.raises(UsageError, match=f"isolation {isolation} is not simulated"):
        Engine([], isolation)


def test_a_statement_outside_a_transaction_holds_its_locks_until_the_commit(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a, b = q.engine.connect(), q.engine.connect()
    q.do(a, "mark", 1)
    assert q.do(b, "take", 1) is BLOCKED
    q.engine.commit(a)
    assert q.engine.granted == [b]


def test_a_wait_that_times_out_undoes_the_statement_and_keeps_the_transaction(queue: Make) -> None:
    for end in ("time_out", "kill_statement"):
        q = queue()
        q.fill("pending", "pending", "pending")
        a, b, c = q.open(), q.open(), q.open()
        q.do(a, "take", 3)
        q.do(b, "mark", 1)
        assert q.do(b, "mark_some", [2, 3]) is BLOCKED
        getattr(q.engine, end)(b)
        assert b.begun
        assert b.wait is None
        assert q.do(c, "take", 1) is BLOCKED, "the transaction has its locks"
        q.engine.commit(b)
        assert q.statuses() == {1: "running", 2: "pending", 3: "pending"}


def test_one_who_timed_out_no_longer_holds_up_those_behind(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a, b, c = q.open(), q.open(), q.open()
    q.do(a, "take", 1)
    q.do(b, "take", 1)
    q.do(c, "take", 1)
    q.engine.time_out(b)
    q.engine.commit(a)
    assert q.engine.granted == [c]


def test_a_connection_that_is_lost_is_rolled_back(queue: Make) -> None:
    q = queue()
    q.fill("pending", "pending")
    a, b = q.open(), q.open()
    q.do(a, "mark", 1)
    assert q.do(b, "take", 1) is BLOCKED
    q.engine.disconnect(a)
    assert q.engine.granted == [b]
    assert q.engine.resume(b, 5.0) == [(1, "pending")]
    q.engine.disconnect(b)
    assert q.engine.sessions == {}


def test_one_who_waits_may_be_disconnected(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a, b = q.open(), q.open()
    q.do(a, "take", 1)
    q.do(b, "take", 1)
    q.engine.disconnect(b)
    q.engine.commit(a)
    assert q.engine.granted == []


def test_resuming_one_who_does_not_wait_is_refused(queue: Make) -> None:
    q = queue()
    with pytest.raises(UsageError, match="nothing to go on with"):
        q.engine.resume(q.open(), 0.0)


def test_a_second_begin_commits_the_first(queue: Make) -> None:
    q = queue()
    q.fill("pending")
    a = q.open()
    q.do(a, "mark", 1)
    q.engine.begin(a)
    assert q.statuses() == {1: "running"}


def test_an_effect_is_compiled_once(queue: Make) -> None:
    q = queue()
    claim = q.statements["claim"]
    assert q.engine.compile(claim) is q.engine.compile(claim)


WORDS = st.sampled_from(
    ["claim", "claim", "mark", "mark", "finish", "release", "insert", "delete", "claim_at_once",
     "reclaim", "count_up", "guard", "look", "mark_some", "due", "take", "commit", "commit",
     "rollback", "begin", "purge", "time_out"]
)  # fmt: skip
STEPS = st.lists(
    st.tuples(st.integers(0, 2), WORDS, st.integers(1, 7), st.sampled_from([1, 1, 2, 9])),
    min_size=1,
    max_size=30,
)
WORLDS = st.fixed_dictionaries(
    {
        "indexes": st.sampled_from(INDEXES),
        "isolation": st.sampled_from(["repeatable-read", "read-committed"]),
        "name": st.sampled_from(["claimed", "running"]),
        "on_locked": st.sampled_from(["wait", "wait", "skip", "fail"]),
    }
)


def step(play: Any, number: int, word: str, id_: int, limit: int, now_s: float) -> None:
    """One step, unless the session waits (then only a time-out)."""
    session = play.sessions[number]
    if word == "purge":
        play.queue.engine.purge(now_s)
    elif word == "time_out":
        if session.wait is not None:
            play.queue.engine.time_out(session)
            play.states[number] = "timed out"
    elif session.wait is None:
        args = {
            "claim": (limit,), "look": (limit,), "claim_at_once": (limit,),
            "due": (float(id_), limit), "reclaim": (now_s,), "count_up": (),
            "mark_some": ([id_, limit],), "insert": ([(id_ + 3, "pending", float(limit))],),
            "commit": (), "rollback": (), "begin": (),
        }.get(word, (id_,))  # fmt: skip
        play.step(number, word, *args, now_s=now_s)
    play.settle(now_s)


def fresh(player: Make, queue: Make, world: dict[str, Any], **options: Any) -> Any:
    q = queue(**world, **options)
    q.fill("pending", "pending", "completed", "pending")
    return player(q)


def check(engine: Engine) -> None:
    """No two hold what conflicts, and the books balance."""
    for store in engine.stores:
        for tree in store.trees:
            for key in tree.space.queues:
                held = [lock for lock in tree.space.requests(key) if not lock.waiting]
                for one in held:
                    for other in held:
                        if one.owner is not other.owner and key != ("supremum",):
                            assert one.kind & INTENT or not conflicts(one.kind, other.kind)
            assert sum(run.deads for run in tree.runs.values()) == sum(
                mark for _, mark in tree.walk(())
            )
        for tree in store.indexes:
            live = sorted(key for key, mark in tree.walk(()) if not mark)
            assert live == sorted(tree.shape.key(row) for row in store) or _half(engine)
    for session in engine.sessions.values():
        assert (session.wait is None) or session.waits_on is not None


def _half(engine: Engine) -> bool:
    """Whether some statement waits in the middle of a row."""
    return any(s.work is not None and s.work.moves is not None for s in engine.sessions.values())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(world=WORLDS, steps=STEPS)
def test_no_two_sessions_ever_hold_what_conflicts_and_all_is_freed_in_the_end(
    queue_class: Make, player_class: Make, world: dict[str, Any], steps: Any
) -> None:
    play = fresh(player_class, queue_class, world)
    for t, given_step in enumerate(steps):
        step(play, *given_step, now_s=10.0 + t)
        check(play.queue.engine)
    for session in play.sessions:
        play.queue.engine.disconnect(session)
    for store in play.queue.engine.stores:
        for tree in store.trees:
            assert not tree.space.queues
            assert not tree.space.implicit
            assert not len(tree.space.spans)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(world=WORLDS, steps=STEPS, cut=st.integers(0, 30))
def test_a_copy_goes_on_as_the_original_does(
    queue_class: Make, player_class: Make, world: dict[str, Any], steps: Any, cut: int
) -> None:
    play = fresh(player_class, queue_class, world)
    for t, given_step in enumerate(steps[:cut]):
        step(play, *given_step, now_s=10.0 + t)
    other = player_class(queue_class(**world))
    other.queue.engine = play.queue.engine.copy()
    other.queue.table, other.queue.statements = play.queue.table, play.queue.statements
    other.sessions = [other.queue.engine.sessions[s.number] for s in play.sessions]
    other.states = list(play.states)
    for t, given_step in enumerate(steps[cut:], cut):
        step(play, *given_step, now_s=10.0 + t)
        step(other, *given_step, now_s=10.0 + t)
        assert other.states == play.states
    assert other.queue.statuses() == play.queue.statuses()


@settings(max_examples=120, deadline=None, derandomize=True)
@given(world=WORLDS, steps=STEPS)
def test_without_the_shortcut_for_one_alone_everybody_is_told_the_same(
    queue_class: Make, player_class: Make, world: dict[str, Any], steps: Any
) -> None:
    short = fresh(player_class, queue_class, world)
    long = fresh(player_class, queue_class, world, shortcut=False)
    for t, given_step in enumerate(steps):
        step(short, *given_step, now_s=10.0 + t)
        step(long, *given_step, now_s=10.0 + t)
        assert short.states == long.states
        for one, other in zip(short.sessions, long.sessions, strict=True):
            assert one.changed == other.changed
    assert short.queue.statuses() == long.queue.statuses()
