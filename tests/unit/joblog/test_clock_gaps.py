"""Local times that a clock never showed, whatever it was set forward by."""

from __future__ import annotations

from datetime import timedelta, timezone
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from jobsim.joblog.clock_gaps import past_gaps


def moved(texts, zone):
    found = past_gaps(pd.Series(pd.to_datetime(texts)), zone)
    return [str(time) for time in found]


@pytest.mark.parametrize(
    ("zone", "left_out", "next_shown"),
    [
        ("Europe/Berlin", "2026-03-29 02:10:00", "2026-03-29 03:00:00"),
        ("Australia/Lord_Howe", "2026-10-04 02:10:00", "2026-10-04 02:30:00"),
        ("Pacific/Chatham", "2026-09-27 02:45:00", "2026-09-27 03:45:00"),
        ("America/Havana", "2026-03-08 00:00:00", "2026-03-08 01:00:00"),
        ("Pacific/Apia", "2011-12-30 12:00:00", "2011-12-31 00:00:00"),
        ("Africa/Monrovia", "1972-01-07 00:10:00.250000", "1972-01-07 00:44:30"),
    ],
)
def test_a_time_left_out_is_moved_to_the_first_that_is_shown(zone, left_out, next_shown):
    assert moved([left_out], ZoneInfo(zone)) == [next_shown]


def test_times_that_are_shown_once_or_twice_and_missing_ones_stay():
    shown = ["2026-03-29 01:59:59", "2026-03-29 03:00:00", "2026-10-25 02:30:00", "NaT"]
    assert moved(shown, ZoneInfo("Europe/Berlin")) == shown


def test_each_gap_of_several_years_has_its_own_end_in_any_order_of_times():
    left_out = ["2027-03-28 02:59:59", "2026-03-29 02:00:00", "2026-03-29 02:30:00"]
    ends = ["2027-03-28 03:00:00", "2026-03-29 03:00:00", "2026-03-29 03:00:00"]
    assert moved(left_out, ZoneInfo("Europe/Berlin")) == ends


def test_a_fixed_offset_leaves_nothing_out():
    assert moved(["2026-03-29 02:10:00"], timezone(timedelta(hours=1))) == ["2026-03-29 02:10:00"]
