"""Colours, lines and units."""

from __future__ import annotations

import pytest

from jobsim.plots import colour
from jobsim.plots.look import unit_for


def test_a_policy_has_a_colour_of_its_own_everywhere():
    known = ["taken-flag", "guarded-flag", "no-control", "for-update", "skip-locked", "heartbeat"]
    assert len({colour(name) for name in known}) == len(known)


def test_a_policy_that_is_not_known_always_gets_the_same_colour():
    assert colour("mine") == colour("mine")
    assert colour("mine").startswith("#")


@pytest.mark.parametrize(
    ("longest_s", "unit"),
    [(0.0, "s"), (90, "s"), (600, "min"), (4 * 3600, "h"), (9 * 86400, "d")],
)
def test_an_axis_has_the_unit_that_makes_its_numbers_handy(longest_s: float, unit: str):
    assert unit_for(longest_s)[0] == unit
