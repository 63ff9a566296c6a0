"""What arrays of times say by themselves."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.joblog.describe.times import different, resolution_s, spread, variation


@pytest.mark.parametrize("step_s", [86400, 3600, 60, 1, 0.1, 0.01, 0.001])
def test_the_step_of_a_clock_is_found(step_s):
    steps = np.sort(np.random.default_rng(1).integers(0, 10_000, 500))
    assert resolution_s(steps * step_s) == step_s


@pytest.mark.parametrize("step_s", [1, 0.001])
def test_the_step_of_a_clock_is_found_in_times_since_1970(step_s):
    steps = np.sort(np.random.default_rng(1).integers(0, 10**6, 500))
    assert resolution_s(np.round(1.7e9 + steps * step_s, 3)) == step_s


def test_one_finer_time_among_many_makes_the_clock_finer():
    times_s = np.sort(np.append(np.arange(5000.0), 17.25))
    assert resolution_s(times_s) == 0.01


def test_finer_clocks_and_few_times_tell_no_step():
    assert resolution_s(np.sort(np.random.default_rng(1).exponential(size=500))) is None
    assert resolution_s(np.array([0.0, 60, 120])) is None


def test_times_too_large_for_their_floats_tell_no_step():
    assert resolution_s(1e16 + 1e10 * np.arange(20.0)) != 0.001


def test_the_squared_coefficient_of_variation_is_1_for_exponential_times_and_0_for_constant():
    exponential = np.random.default_rng(1).exponential(7, 100_000)
    assert variation(exponential) == pytest.approx(1, abs=0.03)
    assert variation(np.full(5, 3.0)) == 0
    assert variation(np.zeros(5)) is None
    assert variation(np.array([1.0])) is None


def test_no_times_have_no_spread():
    assert spread(np.array([])) is None


def test_different_times_are_counted():
    assert [different(np.array(times)) for times in ([], [1.0], [1.0, 1, 2])] == [0, 1, 2]
