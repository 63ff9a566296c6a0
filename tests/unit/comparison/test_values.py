"""Metrics by name."""

from __future__ import annotations

import pytest

from jobsim.comparison.values import count, half_width, level, value
from jobsim.outcomes import replicated

from .made import run


def test_a_metric_is_found_by_its_dotted_name():
    assert value(run(), "wait.p50_s") == 2.5
    assert value(run(), "makespan_s") == 5
    assert value(run(), "killer.kills") is None


def test_of_replications_the_mean_is_taken_and_the_bounds_beside_it():
    merged = replicated([run(wait__p95_s=1.0), run(wait__p95_s=3.0)])
    assert value(merged, "wait.p95_s") == 2
    assert half_width(merged, "wait.p95_s") == pytest.approx(12.706, rel=1e-4)
    assert half_width(replicated([run()]), "wait.p95_s") is None
    assert half_width(run(), "wait.p95_s") is None


@pytest.mark.parametrize(
    ("number", "written"),
    [(None, "-"), (0, "0"), (12345, "12,345"), (2.5, "2.5"), (0.333333, "0.33"), (123.4, "123")],
)
def test_counts_are_written_with_the_digits_that_they_need(number, written):
    assert count(number) == written


@pytest.mark.parametrize(("number", "written"), [(None, "-"), (0.7441, "0.744"), (1234.5, "1,234")])
def test_levels_have_three_digits(number, written):
    assert level(number) == written
