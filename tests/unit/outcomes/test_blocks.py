"""What is found block by block is what is found at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
import pytest

from jobsim.outcomes import Facts, arrays, measure, spans
from jobsim.outcomes.arrays import among, repeated, rows_by, rows_by_instant, slices

from .made import over_runs


def in_blocks_of(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "BLOCK", size)
    monkeypatch.setattr(spans, "BLOCK", size)


@pytest.fixture(autouse=True, scope="module")
def small_steps_of_the_sample() -> Iterator[None]:
    """Every instant of these short runs is in the sample that cuts the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "SAMPLED", 1)
        yield


def document(facts: Facts) -> dict[str, Any]:
    afresh = Facts(
        facts.jobs,
        facts.attempts,
        facts.events,
        facts.empty,
        facts.counts,
        facts.workers,
        facts.end_s,
        facts.claim_shows,
    )
    return measure(afresh, driver="sim", name="x")


@over_runs
def test_a_run_measured_in_small_blocks_has_the_same_metrics(facts: Facts):
    at_once = document(facts)
    for size in (1, 2, 5):
        with pytest.MonkeyPatch.context() as patch:
            in_blocks_of(size, patch)
            in_blocks = document(facts)
        assert rounded(in_blocks) == rounded(at_once)


def rounded(told: Any) -> Any:
    """A document without the last places of its numbers, which depend on the order of sums."""
    if isinstance(told, dict):
        return {key: rounded(value) for key, value in told.items()}
    return round(told, 9) if isinstance(told, float) else told


def test_blocks_hold_every_thing_once(monkeypatch: pytest.MonkeyPatch):
    in_blocks_of(4, monkeypatch)
    assert [(some.start, some.stop) for some in slices(9)] == [(0, 4), (4, 8), (8, 9)]
    thing = np.array([8, 0, 3, 4, 0, 7, 8], dtype=np.int32)
    assert [rows.tolist() for _, rows in rows_by(thing, 9)] == [[1, 2, 4], [3, 5], [0, 6]]


def test_the_rows_of_one_instant_stay_together(monkeypatch: pytest.MonkeyPatch):
    in_blocks_of(2, monkeypatch)
    t_s = np.array([3, 1, np.nan, 3, 2, 3, 0, 1.0])
    blocks = [rows.tolist() for rows in rows_by_instant(t_s)]
    assert len(blocks) > 1
    assert sorted(chain.from_iterable(blocks)) == [0, 1, 3, 4, 5, 6, 7]
    instants = [{float(t_s[row]) for row in rows} for rows in blocks]
    assert sum(map(len, instants)) == len(set.union(*instants))


def test_no_instant_at_all_is_no_row():
    assert [rows.tolist() for rows in rows_by_instant(np.array([np.nan]))] == [[]]


def test_which_occur_again_and_which_are_among_a_few():
    thing = np.array([70, 71, 70, 73], dtype=np.int32)
    assert repeated(thing).tolist() == [True, False, True, False]
    assert repeated(thing[:0]).tolist() == []
    assert among(thing, (73, 71)).tolist() == [False, True, False, True]
