"""Run times counted on a logarithmic scale."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.describe.shape import A_DECADE, MOST_DECADES, shape


def test_runs_are_counted_in_quarters_of_a_decade():
    found = shape(np.array([0.0, 1, 1.5, 2, 10, 99]))
    assert (found.from_s, found.to_s) == (1, pytest.approx(100))
    assert found.counts == (2, 1, 0, 0, 1, 0, 0, 1)
    assert found.zeros == 1


def test_no_run_above_0_has_no_shape():
    assert shape(np.zeros(3)) is None
    assert shape(np.array([])) is None


@given(st.lists(st.floats(0, 1e16), min_size=1))
def test_every_run_is_counted_once_in_a_bounded_number_of_steps(run_s):
    found = shape(np.array(run_s))
    if found is None:
        assert not any(run_s)
        return
    assert sum(found.counts) + found.zeros == len(run_s)
    assert len(found.counts) <= A_DECADE * MOST_DECADES
