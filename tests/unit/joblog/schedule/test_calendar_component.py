"""Components of calendar events: lists, ranges and repetitions."""

from __future__ import annotations

import pytest

from jobsim.joblog.schedule.calendar_component import (
    DAY,
    DAY_FROM_END,
    HOUR,
    MINUTE,
    MONTH,
    SECOND,
    YEAR,
)


@pytest.mark.parametrize(
    ("scale", "text", "values"),
    [
        (MONTH, "*", list(range(1, 13))),
        (HOUR, "3", [3]),
        (HOUR, "1,2..4", [1, 2, 3, 4]),
        (HOUR, "0/6", [0, 6, 12, 18]),
        (HOUR, "9..17/4", [9, 13, 17]),
        (HOUR, "1..5/10", [1]),
        (MINUTE, "50/3,0", [0, 50, 53, 56, 59]),
        (DAY, "1/10", [1, 11, 21, 31]),
        (DAY_FROM_END, "7/3", [1, 4, 7]),
        (DAY_FROM_END, "1..3", [1, 2, 3]),
        (YEAR, "69,70", [1970, 2069]),
        (YEAR, "2195/2", [2195, 2197, 2199]),
        (SECOND, "1.5", [1_500_000]),
        (SECOND, "58..59", [58_000_000, 59_000_000]),
        (SECOND, "0/0.25", list(range(0, 60_000_000, 250_000))),
    ],
)
def test_a_component_has_these_values(scale, text, values):
    component = scale.component(text)
    assert component.values().tolist() == values
    assert len(component) >= len(values)


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (HOUR, "24"),
        (HOUR, ""),
        (HOUR, "*/2"),
        (HOUR, "5..3"),
        (HOUR, "1/0"),
        (HOUR, "1..5/0"),
        (HOUR, "1.5"),
        (HOUR, "1,"),
        (HOUR, "-1"),
        (HOUR, "20/5"),
        (MINUTE, "0/60"),
        (SECOND, "60"),
        (DAY, "0"),
        (DAY, "1/31"),
        (DAY_FROM_END, "29"),
        (DAY_FROM_END, "3/4"),
        (YEAR, "1969"),
        (YEAR, "2200"),
        (MONTH, "٣"),
        (MONTH, "9" * 5000),
    ],
)
def test_what_is_none_is_refused_by_name(scale, text):
    with pytest.raises(ValueError, match=f"{scale.name} .* is none"):
        scale.component(text)


def test_a_component_of_many_values_is_counted_without_making_them():
    assert len(SECOND.component("0/0.000001")) == 60_000_000
