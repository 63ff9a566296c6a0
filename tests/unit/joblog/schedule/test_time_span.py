"""systemd's time spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.schedule.time_span import UNITS_US, span_us


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("1h30min", 5400),
        ("1 h 5 m", 3900),
        ("1.5hours", 5400),
        ("2w 1d", 1_296_000),
        ("1month", 2_629_800),
        ("10M", 26_298_000),
        ("1year", 31_557_600),
        ("250ms", 0.25),
        ("0", 0),
    ],
)
def test_a_span_is_so_long(text, seconds):
    assert span_us(text) == seconds * 1_000_000


@pytest.mark.parametrize(
    "text", ["", "soon", "5 fortnights", "-5", "5 min ago", "1h;", "infinity", "h"]
)
def test_what_is_none_is_refused(text):
    with pytest.raises(ValueError, match="is no time span"):
        span_us(text)


@given(st.lists(st.tuples(st.integers(0, 999), st.sampled_from(sorted(UNITS_US.keys() - {""})))))
def test_terms_add_up(terms):
    text = " ".join(f"{number}{unit}" for number, unit in terms) or "0"
    assert span_us(text) == sum(number * UNITS_US[unit] for number, unit in terms)
