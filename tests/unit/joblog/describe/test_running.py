"""Jobs at work at once."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.joblog.describe.running import Running

NAN = np.nan


def test_one_that_ends_makes_room_for_one_that_begins():
    jobs = Running.of(np.array([0.0, 2, 2, 3]), np.array([2.0, 5, 1, 1]))
    assert jobs.peak() == 2
    assert jobs.at(np.array([0.0, 1.9, 2, 3, 7])).tolist() == [1, 1, 2, 2, 0]


def test_jobs_without_a_begin_or_a_run_time_are_left_out():
    jobs = Running.of(np.array([0.0, NAN, 1]), np.array([2.0, 5, NAN]))
    assert jobs.peak() == 1
    assert Running.of(np.array([NAN]), np.array([1.0])).peak() is None


def test_the_mean_at_work_is_the_time_at_work_over_the_time():
    random = np.random.default_rng(1)
    begin_s, run_s = random.uniform(0, 90, 300), random.exponential(2, 300)
    jobs = Running.of(begin_s, run_s)
    edges_s = np.linspace(0, 200, 41)
    assert (jobs.mean(edges_s) * np.diff(edges_s)).sum() == pytest.approx(run_s.sum())
    assert Running.of(np.array([1.0]), np.array([2.0])).mean(np.array([0.0, 2, 4])) == (
        pytest.approx([0.5, 0.5])
    )


def test_jobs_that_begin_at_once_have_the_mean_of_theory():
    """Independent arrivals with infinitely many servers: rate times mean run time (Little)."""
    random = np.random.default_rng(1)
    begin_s = np.cumsum(random.exponential(0.1, 20_000))
    jobs = Running.of(begin_s, random.exponential(3, 20_000))
    assert jobs.mean(np.array([100.0, begin_s[-1]]))[0] == pytest.approx(30, rel=0.05)
