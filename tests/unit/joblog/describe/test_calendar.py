"""A log's seconds as clocks on the wall show them."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from jobsim.joblog.describe.calendar import DAY_S, Calendar

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def test_an_instant_is_a_date_or_the_time_since_the_zero_where_none_is_known():
    assert Calendar(NEW_YEAR).says(3600) == "2026-01-01 01:00 UTC"
    assert Calendar(None).says(7200) == "2.00 h after the log's zero"
    assert "after the log's zero" in Calendar(NEW_YEAR).says(1e15)


def test_an_instant_names_the_hour_of_its_zone_and_whether_it_is_summer():
    calendar = Calendar(NEW_YEAR, "Europe/Berlin")
    assert calendar.says(0) == "2026-01-01 01:00 CET"
    assert calendar.says(181 * DAY_S) == "2026-07-01 02:00 CEST"


def test_an_hour_that_is_shown_twice_is_told_apart():
    """In 2026 the clocks of Berlin are set back on 25 October at 1:00 UTC."""
    calendar = Calendar(datetime(2026, 10, 25, tzinfo=UTC), "Europe/Berlin")
    assert [calendar.says(t_s) for t_s in (1800, 5400)] == [
        "2026-10-25 02:30 CEST",
        "2026-10-25 02:30 CET",
    ]
    assert calendar.since_monday_s(np.array([1800.0, 5400.0])) == pytest.approx(
        [6 * DAY_S + 2.5 * 3600] * 2
    )


@pytest.mark.parametrize("zone", [None, "UTC", "Asia/Kathmandu", "America/New_York"])
def test_seconds_since_monday_are_what_the_instants_say(zone):
    calendar = Calendar(datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC), zone)
    t_s = np.array([0.0, 0.25, 40_000.0, 5e6, 2e7])
    for second, shown_s in zip(t_s, calendar.since_monday_s(t_s), strict=True):
        at = calendar.at(second)
        in_week_s = at.weekday() * DAY_S + at.hour * 3600 + at.minute * 60 + at.second
        assert shown_s % (7 * DAY_S) == pytest.approx(in_week_s, abs=1)


def test_without_dates_days_begin_at_the_zero_whatever_the_zone():
    calendar = Calendar(None, "Asia/Tokyo")
    assert calendar.since_monday_s(np.array([5.0])).tolist() == [5]
    assert calendar.name == "days from the log's zero"
    assert calendar.weekdays[0] == "day 1"


@pytest.mark.parametrize("last_s", [1e15, 2.5e11])
def test_times_beyond_all_calendars_are_still_counted(last_s):
    """The year 9999 is some 2.5e11 s away."""
    assert np.isfinite(Calendar(NEW_YEAR, "Asia/Tokyo").since_monday_s(np.array([0, last_s]))).all()
