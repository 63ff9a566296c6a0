"""The load against what the database can do."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.outcomes import measure, regime_of
from jobsim.outcomes.regime import busiest, needed_starts_s

from .made import Story, jobs


def run(claim_s: float, claims: int = 10, driver: str = "sim") -> dict:
    story = Story()
    for job in range(1, claims + 1):
        story.attempt(job, job, job, job, job, claiming=job - claim_s)
    return measure(story.facts(jobs([0] * claims)), driver=driver, name="x")


def test_needed_starts_are_limited_by_the_workers():
    starts_s = needed_starts_s(np.zeros(5), np.full(5, 2.0), 2)
    assert starts_s.tolist() == [0, 0, 2, 2, 4]


def test_the_busiest_window_is_the_one_with_the_most_instants():
    assert busiest(np.array([0.0, 0.5, 0.999, 1.0, 5.0, 5.1])) == 3
    assert busiest(np.array([])) == 0


def test_capacity_is_of_the_cheapest_median_claim():
    regime = regime_of(np.zeros(4), np.full(4, 9.0), 2, [run(0.5), run(0.25)])
    assert regime.capacity_per_s == pytest.approx(4)
    assert regime.needed_per_s == 2
    assert regime.load == pytest.approx(0.5)
    assert regime.database_share == pytest.approx(0.25)


def test_claims_that_cost_nothing_are_no_load():
    regime = regime_of(np.zeros(4), np.full(4, 0.001), 2, [run(0.0)])
    assert regime.load == 0
    assert regime.short_share == 1


def test_without_a_timed_claim_there_is_no_capacity():
    regime = regime_of(np.zeros(4), np.array([0.001, 1, 1, 1]), 2, [])
    assert regime.capacity_per_s is None
    assert regime.load is None
    assert regime.short_share == 0.25
