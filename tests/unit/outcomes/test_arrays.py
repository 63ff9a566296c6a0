"""Arrays of instants."""

from __future__ import annotations

from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.outcomes.arrays import first_of_each, first_since

instants = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9).map(float)), max_size=12)


def columns(rows: list[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([a for a, _ in rows], dtype=np.int32), np.array(
        [t for _, t in rows], dtype=float
    )


@pytest.mark.parametrize("at_once", [True, False])
@settings(deadline=None)
@given(asked=instants, events=instants)
def test_the_first_event_since_an_instant_is_the_next_of_the_same_thing(at_once, asked, events):
    def is_since(t_s: float, since_s: float) -> bool:
        return t_s >= since_s if at_once else t_s > since_s

    expected = [
        min((t for b, t in events if b == a and is_since(t, since_s)), default=inf)
        for a, since_s in asked
    ]
    found = first_since(*columns(asked), *columns(events), at_once=at_once)
    assert found.tolist() == expected


def test_what_never_happened_is_no_event():
    at = np.array([0], dtype=np.int32)
    assert first_since(at, np.array([1.0]), at, np.array([nan])).tolist() == [inf]


@given(instants)
def test_the_first_of_each_is_its_earliest(events):
    at, t_s = columns(events)
    t_s[t_s == 0] = nan
    expected = [
        min((t for b, t in zip(at, t_s, strict=True) if b == a and not isnan(t)), default=inf)
        for a in range(5)
    ]
    assert first_of_each(at, t_s, 5).tolist() == expected
