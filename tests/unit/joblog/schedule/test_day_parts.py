"""Days taken apart, against the standard library."""

from __future__ import annotations

from calendar import monthrange

import numpy as np

from jobsim.joblog.schedule.day_parts import DayParts

DAYS = np.arange("2023-12-25", "2028-03-05", dtype="datetime64[D]")


def test_parts_are_those_of_the_standard_library():
    parts = DayParts.of(DAYS)
    for n, day in enumerate(DAYS.astype(object)):
        assert (parts.year[n], parts.month[n], parts.day[n]) == (day.year, day.month, day.day)
        assert parts.weekday[n] == day.weekday()
        assert parts.to_end[n] == monthrange(day.year, day.month)[1] - day.day + 1


def test_weeks_go_from_sunday_to_saturday():
    parts = DayParts.of(DAYS)
    begins = np.flatnonzero(np.diff(parts.week)) + 1
    assert set(parts.weekday[begins].tolist()) == {6}
    assert np.diff(parts.week).max() == 1
