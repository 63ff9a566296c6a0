"""Durations and rates as people write them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.errors import UsageError
from jobsim.units import format_duration, parse_duration_s, parse_rate_per_s


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("250ms", 0.25),
        ("90s", 90),
        ("15m", 900),
        ("15 min", 900),
        ("3h", 10800),
        ("2d", 172800),
        ("12us", 12e-6),
        ("1.5H", 5400),
        ("1e-3", 1e-3),
        (7, 7),
        ("7", 7),
    ],
)
def test_durations_are_read(text: Any, seconds: float) -> None:
    assert parse_duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "soon", "3 weeks", "-1s", "1.2.3s", "nan", "1e999", "ms"])
def test_what_is_not_a_duration_is_answered_with_what_would_be(text: str) -> None:
    with pytest.raises(UsageError, match="write 250ms, 90s, 15m, 3h or 2d"):
        parse_duration_s(text)


@pytest.mark.parametrize(
    ("text", "rate"), [("3/h", 3 / 3600), ("0.5/s", 0.5), ("2 / d", 2 / 86400), (0.25, 0.25)]
)
def test_rates_are_read(text: Any, rate: float) -> None:
    assert parse_rate_per_s(text) == pytest.approx(rate)


@pytest.mark.parametrize("text", ["often", "3/week", "/h", "-3/h", "nan", "inf/s"])
def test_what_is_not_a_rate_is_answered_with_what_would_be(text: str) -> None:
    with pytest.raises(UsageError, match="write 3/h"):
        parse_rate_per_s(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "-"),
        (0, "0 s"),
        (5e-6, "5 µs"),
        (0.0123, "12.3 ms"),
        (59.94, "59.9 s"),
        (119, "119 s"),
        (600, "10 min"),
        (10800, "3 h"),
        (5 * 86400, "5 d"),
    ],
)
def test_durations_are_written_in_the_unit_that_fits(seconds: float | None, text: str) -> None:
    assert format_duration(seconds) == text


@given(st.floats(0, 1e9))
def test_a_bare_number_is_seconds_already(seconds: float) -> None:
    assert parse_duration_s(seconds) == seconds
