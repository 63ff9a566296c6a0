"""Numbers as a person says them."""

from __future__ import annotations

import pytest

from jobsim.joblog.describe.words import (
    bars,
    duration,
    number,
    percent,
    plain,
    printable,
    step,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (0.00002, "20 µs"),
        (0.0123, "12.3 ms"),
        (1, "1 s"),
        (119, "119 s"),
        (120, "2.00 min"),
        (7199, "120.0 min"),
        (7200, "2.00 h"),
        (172800, "2.00 d"),
        (84159909, "974.1 d"),
    ],
)
def test_a_duration_has_the_unit_that_fits(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(60, "1 min"), (3600, "1 h"), (86400, "1 d"), (90, "90 s"), (1, "1 s")]
)
def test_a_step_is_said_in_whole_units(seconds, text):
    assert step(seconds) == text


def test_a_small_share_is_not_said_to_be_nothing():
    assert [percent(share) for share in (0, 0.0001, 0.123)] == ["0.0 %", "under 0.1 %", "12.3 %"]


def test_large_numbers_are_written_out():
    assert [number(value) for value in (0.842, 11.06, 1151.4)] == ["0.842", "11.1", "1,151"]


def test_bars_are_as_high_as_their_share_of_the_greatest_and_nothing_is_a_dot():
    assert bars([0, 1, 4, 8]) == "·▂▅█"
    assert bars([0, 0]) == "··"
    assert bars([]) == ""


def test_a_bar_of_little_is_not_a_bar_of_nothing():
    assert bars([1, 1e9]) == "▁█"


def test_in_ascii_bars_are_digits_and_foreign_letters_question_marks():
    assert plain("·▁█ 2 ± 1, é") == ".18 2 +- 1, ?"


def test_characters_that_would_steer_a_terminal_are_replaced():
    assert printable("a\x1b[31mb\nc\x08é") == "a\ufffd[31mb\nc\ufffdé"
