"""The tail of run times, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from jobsim.joblog.describe.tail import EXPONENTIAL_TOP, FEWEST, tail, top_share

JOBS = 50_000


def pareto(index: float, seed: int = 1, jobs: int = JOBS) -> np.ndarray:
    return np.sort(1 + np.random.default_rng(seed).pareto(index, jobs))


@pytest.mark.parametrize("index", [0.8, 1.5, 3.0])
def test_the_index_of_a_power_law_is_recovered_within_its_error(index):
    found = [tail(pareto(index, seed)) for seed in range(10)]
    off = [(each.index - index) / each.error for each in found]
    assert max(map(abs, off)) < 3.5
    assert abs(np.mean(off)) < 3.5 / 10**0.5
    assert all(each.is_heavy == (index < 2) for each in found)


def test_exponential_run_times_are_not_heavy():
    """Beyond t, the mean of ln(x / t) is exp(t) E1(t), by parts; here t is the 99 % quantile."""
    beyond = np.log(100)
    index = 1 / (np.exp(beyond) * special.exp1(beyond))
    for seed in range(10):
        found = tail(np.sort(np.random.default_rng(seed).exponential(1, JOBS)))
        assert found.index == pytest.approx(index, abs=4 * found.error)
        assert not found.is_heavy


@pytest.mark.parametrize("jobs", [1000, 2000])
def test_few_exponential_run_times_are_not_heavy_either(jobs):
    for seed in range(30):
        assert not tail(np.sort(np.random.default_rng(seed).exponential(1, jobs))).is_heavy


def test_lognormal_run_times_of_little_variance_are_not_heavy():
    sigma = np.log1p(4) ** 0.5
    assert not tail(np.sort(np.random.default_rng(1).lognormal(0, sigma, JOBS))).is_heavy


def test_few_run_times_and_those_that_end_alike_have_no_tail():
    assert tail(pareto(1.5, jobs=FEWEST - 1)) is None
    assert tail(np.zeros(JOBS)) is None
    assert tail(np.full(JOBS, 3.0)) is None


def test_the_longest_of_exponential_run_times_have_the_share_that_theory_says():
    assert round(EXPONENTIAL_TOP, 4) == 0.0561
    share = top_share(np.sort(np.random.default_rng(1).exponential(9, 200_000)))
    assert share == pytest.approx(EXPONENTIAL_TOP, rel=0.03)


def test_the_longest_of_lognormal_run_times_have_the_share_that_theory_says():
    """The share of the longest p is Phi(sigma - z), where z is the quantile of 1 - p."""
    share = top_share(np.sort(np.random.default_rng(1).lognormal(3, 1, 200_000)))
    assert share == pytest.approx(stats.norm.cdf(1 - stats.norm.ppf(0.99)), rel=0.05)


def test_the_longest_of_equal_run_times_have_their_part():
    assert top_share(np.full(1000, 2.0)) == pytest.approx(0.01)


def test_no_work_and_few_runs_have_no_longest():
    assert top_share(np.zeros(1000)) is None
    assert top_share(np.ones(99)) is None
