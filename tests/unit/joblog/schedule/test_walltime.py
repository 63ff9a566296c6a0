"""Times on a wall clock as instants, also when the clock is set (Europe/Berlin, 2026)."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.notes import Notes
from jobsim.joblog.schedule.period import Period, micros
from jobsim.joblog.schedule.walltime import (
    ClockRule,
    WallTimes,
    instants_us,
    repeated_us,
    stepped_us,
)

BERLIN = ZoneInfo("Europe/Berlin")
HALF_PAST_TWO = np.array([9_000_000_000])
FORWARD, BACK = (2026, 3, 29), (2026, 10, 25)


def played(day, rule, period_h=(-24, 48)):
    """What 02:30 on a day becomes, in UTC, and the notes on it."""
    midnight = micros(datetime(*day, tzinfo=UTC))
    period = Period(*(midnight + hours * 3_600_000_000 for hours in period_h))
    notes = Notes()
    days = np.array([np.datetime64(datetime(*day), "D")])
    found = instants_us(WallTimes(days, HALF_PAST_TWO), BERLIN, ClockRule(*rule), period, notes)
    return [str(np.datetime64(int(us), "us"))[11:16] for us in found], [
        (note.reason.split(":")[0], note.count) for note in notes.taken
    ]


def test_a_time_that_the_clock_shows_once_is_one_instant_and_no_note():
    assert played((2026, 3, 28), ("never", "both")) == (["01:30"], [])


def test_a_time_left_out_fires_right_after_where_the_rule_says_so():
    assert played(FORWARD, ("after", "once")) == (["01:00"], [("marked", 1)])


def test_a_time_left_out_never_fires_where_the_rule_says_so():
    assert played(FORWARD, ("never", "once")) == ([], [("dropped", 1)])


def test_a_time_shown_twice_fires_at_the_first_where_the_rule_says_once():
    assert played(BACK, ("after", "once")) == (["00:30"], [("marked", 1)])


def test_a_time_shown_twice_fires_twice_where_the_rule_says_both():
    assert played(BACK, ("never", "both")) == (["00:30", "01:30"], [("marked", 1)])


def test_what_lies_outside_of_the_period_is_neither_fired_nor_noted():
    for day, rule in product((FORWARD, BACK), (("after", "once"), ("never", "both"))):
        assert played(day, rule, period_h=(3, 4)) == ([], [])


def test_starts_before_the_period_are_given_where_they_are_asked_for():
    midnight = micros(datetime(2026, 1, 1, tzinfo=UTC))
    times = WallTimes(np.arange("2025-12-30", "2026-01-03", dtype="datetime64[D]"), np.array([0]))
    rule, period = ClockRule("after", "once"), Period(midnight, midnight + 1)
    assert len(instants_us(times, UTC, rule, period, Notes())) == 1
    assert len(instants_us(times, UTC, rule, period, Notes(), since_us=0)) == 3


@pytest.mark.parametrize("zone", ["Australia/Lord_Howe", "America/St_Johns", "Africa/Cairo"])
def test_by_real_time_each_half_hour_of_a_year_fires_and_once_only_its_first(zone):
    days = np.arange("2025-12-28", "2027-01-05", dtype="datetime64[D]")
    times = WallTimes(days, np.arange(0, 86_400_000_000, 1_800_000_000))
    begin, end = (micros(datetime(year, 1, 1, tzinfo=UTC)) for year in (2026, 2027))
    every = list(range(begin, end, 1_800_000_000))

    def fired(rule):
        return instants_us(times, ZoneInfo(zone), rule, Period(begin, end), Notes()).tolist()

    assert fired(ClockRule("never", "both")) == every
    local = [datetime.fromtimestamp(us / 1e6, ZoneInfo(zone)).replace(tzinfo=None) for us in every]
    first = dict(zip(local[::-1], every[::-1], strict=True))
    assert fired(ClockRule("never", "once")) == sorted(first.values())


@given(
    st.lists(st.integers(-500, 500), max_size=6, unique=True).map(sorted),
    st.integers(1, 200),
    st.none() | st.integers(0, 400),
)
def test_repetition_is_each_start_and_on_until_the_next_or_its_end(starts, every, for_us):
    period = Period(-100, 300)
    expected = []
    for start, following in zip(starts, [*starts[1:], period.end_us], strict=False):
        last = period.end_us if for_us is None else start + for_us
        steps = range(start, following, every)
        expected += [us for us in steps if us <= last and -100 <= us < 300]
    if starts:
        found = stepped_us(*repeated_us(np.array(starts), every, for_us, period), every)
        assert found.tolist() == expected
