"""A stretch of dead records passed at once is as passed one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.effects import Index
from jobsim.sim.database import BLOCKED

Make = Callable[..., Any]
KEY = "status,created_at,id"
WORDS = st.sampled_from(
    ["begin", "claim", "claim", "mark", "mark", "finish", "commit", "commit", "rollback",
     "release", "insert", "claim_at_once", "due", "purge"]
)  # fmt: skip


def test_a_long_stretch_is_one_lock_structure(queue: Make) -> None:
    q = queue()
    q.fill(*["pending"] * 40)
    a, other = q.open(), q.open()
    q.do(a, "mark_some", list(range(1, 40)))
    q.engine.commit(a)
    q.do(other, "take", 1)
    b = q.open()
    assert q.do(b, "claim", 1) == [(40, 0)]
    assert (b.examined, b.walked_dead) == (40, 39)
    assert len(b.locks) == 2
    assert sum(index == KEY for index, _ in q.locks(b)) == 40
    c = q.open()
    assert q.do(c, "claim", 1) is BLOCKED
    assert q.engine.waits_of(c)[1] == ("pending", 1.0, 1)


def test_read_committed_passes_over_it_without_any_lock(queue: Make) -> None:
    q = queue(isolation="read-committed")
    q.fill(*["pending"] * 40)
    a, other = q.open(), q.open()
    q.do(a, "mark_some", list(range(1, 40)))
    q.engine.commit(a)
    q.do(other, "take", 1)
    b = q.open()
    assert q.do(b, "claim", 1) == [(40, 0)]
    assert len(q.locks(b)) == 2


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    indexes=st.sampled_from([(), (Index(("status",)),), (Index(("status", "created_at")),)]),
    isolation=st.sampled_from(["repeatable-read", "read-committed"]),
    name=st.sampled_from(["claimed", "running"]),
    on_locked=st.sampled_from(["wait", "skip", "skip", "fail"]),
    steps=st.lists(st.tuples(st.integers(0, 2), WORDS, st.integers(1, 12)), max_size=50),
)
def test_everybody_is_told_and_held_up_the_same(
    queue_class: Make, player_class: Make, steps: Any, **world: Any
) -> None:
    plays = []
    for options in ({}, {"shortcut": False}):
        q = queue_class(**world, **options)
        q.fill(*["pending"] * 10)
        plays.append(player_class(q))
    plays[1].queue.engine._searcher.sweeper.pass_dead = lambda *_: None
    for number, word, id_ in steps:
        for play in plays:
            if word == "purge":
                play.queue.engine.purge(0.0)
            elif play.sessions[number].wait is None:
                held = play.states[number]
                known = held[0][0] if isinstance(held, list) and held else id_
                args = {
                    "claim": (1,), "mark": (known,), "finish": (known,), "release": (id_,),
                    "insert": ([(id_ + 9, "pending", float(id_))],), "claim_at_once": (1,),
                    "due": (float(id_), 2),
                }.get(word, ())  # fmt: skip
                play.step(number, word, *args)
            play.settle()
        assert plays[0].states == plays[1].states
        blocked_by = [
            [[b.number for b in play.queue.engine.blockers(s)] for s in play.sessions]
            for play in plays
        ]
        assert blocked_by[0] == blocked_by[1]
    assert plays[0].queue.statuses() == plays[1].queue.statuses()
