"""Spans: how many cover an instant, and which is the first that does."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.outcomes.spans import Spans, areas_and_highest, first_covering, levels, oldest

some_spans = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 40), st.integers(1, 40)), max_size=30
).map(
    lambda rows: Spans(
        np.array([at for at, _, _ in rows], dtype=np.int32),
        np.array([a for _, a, _ in rows], dtype=float),
        np.array([a + long for _, a, long in rows], dtype=float),
    )
)


@settings(deadline=None)
@given(some_spans)
def test_the_level_is_the_number_of_spans_that_cover_an_instant(spans: Spans):
    steps = levels(spans.from_s, spans.to_s)
    assert (np.diff(steps.t_s) > 0).all()
    for t_s, level in zip(steps.t_s, steps.level, strict=True):
        assert level == ((spans.from_s <= t_s) & (t_s < spans.to_s)).sum()


@settings(deadline=None)
@given(some_spans)
def test_the_areas_of_the_steps_are_the_lengths_of_the_spans(spans: Spans):
    assert levels(spans.from_s, spans.to_s).areas.sum() == (spans.to_s - spans.from_s).sum()


@settings(deadline=None)
@given(some_spans)
def test_the_first_that_covers_an_instant_is_the_lowest_of_all_that_do(spans: Spans):
    t_s = levels(spans.from_s, spans.to_s).t_s
    for instant, first in zip(t_s, first_covering(spans, t_s), strict=True):
        covering = spans.at[(spans.from_s <= instant) & (instant < spans.to_s)]
        assert first == min(covering, default=-1)


@settings(deadline=None)
@given(some_spans)
def test_the_areas_and_the_highest_are_those_of_the_levels(spans: Spans):
    steps = levels(spans.from_s, spans.to_s)
    told = areas_and_highest(spans.from_s.copy(), spans.to_s.copy())
    assert told == (steps.areas.sum(), steps.level.max(initial=0))


@settings(deadline=None)
@given(some_spans, st.booleans())
def test_the_oldest_is_the_first_of_those_that_wait(spans: Spans, all_from_due: bool):
    due_s = np.sort(np.append(spans.from_s, np.zeros(10)))[:10]
    begin_s = due_s[spans.at] if all_from_due else np.maximum(spans.from_s, due_s[spans.at])
    spans = Spans(spans.at, begin_s, begin_s + (spans.to_s - spans.from_s))
    spans = spans.these(np.lexsort((spans.to_s, spans.at)))
    first = oldest(spans, due_s)
    assert (first.to_s > first.from_s).all()
    assert (first.from_s[1:] >= first.to_s[:-1]).all()
    for instant in levels(spans.from_s, spans.to_s).t_s:
        covering = spans.at[(spans.from_s <= instant) & (instant < spans.to_s)]
        found = first.at[(first.from_s <= instant) & (instant < first.to_s)]
        assert found.tolist() == ([min(covering)] if len(covering) else [])


def test_what_lies_beyond_the_last_instant_is_cut_and_empty_spans_are_left_out():
    spans = Spans(np.arange(3, dtype=np.int32), np.array([0.0, 4, 6]), np.array([9.0, 4, 8]))
    cut = spans.within(6)
    assert (cut.at.tolist(), cut.from_s.tolist(), cut.to_s.tolist()) == ([0], [0], [6])
