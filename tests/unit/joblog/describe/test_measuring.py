"""Signs that run times are not what the jobs need."""

from __future__ import annotations

from heapq import heapify, heapreplace

import numpy as np
import pytest

from jobsim.joblog.describe.columns import Columns
from jobsim.joblog.describe.measuring import coarse_clock, cut_off, grown_under_load, only_longer
from jobsim.joblog.table import JobLog

JOBS = 5000


def exponential(seed: int = 1, jobs: int = JOBS) -> np.ndarray:
    return np.random.default_rng(seed).exponential(10, jobs)


def of(run_s: np.ndarray) -> Columns:
    return Columns(JobLog.of({"submit_s": np.arange(len(run_s)), "run_s": run_s}, name="made"))


def queued(growth: float, seed: int = 1, jobs: int = 3000, workers: int = 8) -> Columns:
    """Jobs of two kinds in the order of submission on some workers.

    Each runs `growth` times longer for each other job at work at its start.
    """
    random = np.random.default_rng(seed)
    submit_s = np.cumsum(random.exponential(1.5, jobs))
    need_s = random.exponential(np.where(np.arange(jobs) % 3, 1, 4), jobs)
    free_s = [0.0] * workers
    heapify(free_s)
    start_s, run_s = np.empty(jobs), np.empty(jobs)
    for job in range(jobs):
        start_s[job] = max(submit_s[job], free_s[0])
        others = sum(end_s > start_s[job] for end_s in free_s)
        run_s[job] = need_s[job] * (1 + growth * others)
        heapreplace(free_s, start_s[job] + run_s[job])
    kind = np.where(np.arange(jobs) % 3, "small", "large")
    log = {"submit_s": submit_s, "start_s": start_s, "run_s": run_s, "kind": kind}
    return Columns(JobLog.of(log, name="queued"))


def test_run_times_cut_at_a_limit_are_seen_and_so_is_the_limit():
    found = cut_off(of(np.minimum(exponential(), 25)))
    assert found.evidence["at_s"] == 25
    assert found.evidence["share"] == pytest.approx(np.exp(-2.5), rel=0.1)
    assert "exactly 25 s" in found.words


def test_run_times_cut_a_little_after_a_limit_are_seen():
    random = np.random.default_rng(1)
    run_s = exponential()
    found = cut_off(of(np.where(run_s > 40, 40 + random.uniform(0, 0.5, JOBS), run_s)))
    assert found.evidence["at_s"] == pytest.approx(40, rel=0.03)


@pytest.mark.parametrize("seed", range(10))
def test_run_times_that_end_by_themselves_hint_at_no_limit(seed):
    random = np.random.default_rng(seed)
    for run_s in (
        exponential(seed),
        random.lognormal(0, 2, JOBS),
        random.pareto(1.2, JOBS),
        random.uniform(0, 9, JOBS),
        random.normal(50, 1, JOBS),
        random.weibull(2, JOBS),
    ):
        assert cut_off(of(run_s)) is None


def test_a_log_of_slow_queries_alone_is_seen():
    found = only_longer(of(1 + np.random.default_rng(1).exponential(0.1, 50)))
    assert found.evidence["from_s"] == 1
    assert "shorter than 1 s" in found.words


def test_run_times_down_to_the_clock_are_not_cut_from_below():
    assert only_longer(of(exponential())) is None
    assert only_longer(of(np.ceil(exponential()))) is None
    assert only_longer(of(np.full(100, 1.0))) is None
    assert only_longer(of(np.array([]))) is None


def test_a_clock_too_slow_for_the_runs_is_seen():
    found = coarse_clock(of(np.floor(exponential() / 20)))
    assert found.evidence == {"step_s": 1, "median_s": 0}
    assert coarse_clock(of(np.zeros(50))) is not None


def test_a_clock_that_is_fast_enough_and_runs_all_alike_raise_no_suspicion():
    assert coarse_clock(of(np.floor(exponential()))) is None
    assert coarse_clock(of(exponential())) is None
    assert coarse_clock(of(np.full(50, 1.0))) is None


def test_runs_that_grow_with_the_jobs_at_work_are_seen():
    for seed in range(3):
        found = grown_under_load(queued(growth=0.5, seed=seed))
        assert found.evidence["rank_correlation"] > 0.1
        assert "times as long with" in found.words


def test_runs_that_do_not_grow_raise_no_suspicion():
    for seed in range(5):
        assert grown_under_load(queued(growth=0, seed=seed)) is None


def test_days_of_long_jobs_and_many_at_work_are_not_load():
    """Long runs and many at work for the same reason: that day's jobs are other jobs."""
    random = np.random.default_rng(1)
    submit_s = np.cumsum(random.exponential(1, 3000))
    size = np.where(submit_s // 500 % 2 == 0, 1, 20)
    run_s = random.exponential(3, 3000) * size
    log = {"submit_s": submit_s, "start_s": submit_s, "run_s": run_s}
    assert grown_under_load(Columns(JobLog.of(log, name="days"))) is None


def test_without_starts_nothing_is_said_of_load():
    assert grown_under_load(of(exponential())) is None
