"""The time stamps before process lists."""

from __future__ import annotations

import pytest

from jobsim.joblog.notes import Notes
from jobsim.joblog.processlist.stamps import instants_s, is_stamp, stamp_text
from jobsim.joblog.reading import PLAIN, Reading

NINE = 1796029200  # 2026-11-30 09:00 UTC


def at(line, reading=PLAIN):
    assert is_stamp(line)
    (found,) = instants_s([stamp_text(line)], reading, Notes())
    return found


@pytest.mark.parametrize(
    "line",
    [
        "1796029200",
        "TS 1796029200.000000000 2026-11-30 10:00:00",
        "2026-11-30T09:00:00Z",
        "2026-11-30 09:00:00 UTC",
        "--- 2026-11-30 10:00:00+01:00 ---",
        "# 2026-11-30T10:00:00 +0100",
        "2026-11-30T09:00:00",
        "Mon Nov 30 09:00:00 UTC 2026",
        "Mon Nov 30 09:00:00 AM UTC 2026",
        "Mon 30 Nov 2026 09:00:00 AM UTC",
        "Mon, 30 Nov 2026 10:00:00 +0100",
    ],
)
def test_a_line_that_is_a_time_is_a_stamp(line):
    assert at(line) == NINE


@pytest.mark.parametrize("line", ["2026-11-30 10:00:00", "Mon Nov 30 10:00:00 CET 2026"])
def test_a_stamp_without_an_offset_is_local(line):
    assert at(line, Reading(zone="Europe/Berlin")) == NINE


def test_fractions_of_a_second_count():
    assert at("2026-11-30T09:00:00,250Z") == NINE + 0.25
    assert at("1796029200.5") == NINE + 0.5


@pytest.mark.parametrize("line", ["", "SELECT 1", "1796029200,", "17960292001", "at 2026-11-30"])
def test_other_lines_are_none(line):
    assert not is_stamp(line)
    assert stamp_text(line) is None


def test_a_day_that_no_calendar_has_is_no_time():
    assert stamp_text("Mon Nov 31 09:00:00 UTC 2026") is None
    assert str(at("2026-11-31 09:00:00")) == "nan"
