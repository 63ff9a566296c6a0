"""Disjoint stretches with owners, against a plain table of single keys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jobsim.sim.database.spans import Spans, just_after

BOUNDS = st.integers(0, 12)


@given(st.lists(st.tuples(st.sampled_from("ab"), BOUNDS, BOUNDS, st.booleans()), max_size=12))
def test_stretches_are_what_single_keys_would_be(
    moves: list[tuple[str, int, int, bool]],
) -> None:
    spans: Spans[str] = Spans()
    plain: dict[int, str] = {}
    for owner, first, end, release in moves:
        if release:
            spans.release(owner)
            plain = {key: other for key, other in plain.items() if other != owner}
            continue
        for start, stop, other in spans.pieces((first,), (end,)):
            assert all(plain.get(key) == other for key in range(start[0], stop[0]))
            if other is None:
                spans.take(owner, start, stop)
        plain.update({key: plain.get(key, owner) for key in range(first, end)})
        assert {key: spans.at((key,)) for key in range(13)} == {
            key: plain.get(key) for key in range(13)
        }


def test_an_owner_s_neighbouring_stretches_grow_together() -> None:
    spans: Spans[str] = Spans()
    spans.take("a", (1,), (3,))
    spans.take("a", (5,), (7,))
    spans.take("a", (3,), (5,))
    assert list(spans) == [((1,), (7,), "a")]


def test_just_after_a_key_comes_before_the_next() -> None:
    assert ("x", 1.0, 5) < just_after(("x", 1.0, 5)) < ("x", 1.0, 6)
