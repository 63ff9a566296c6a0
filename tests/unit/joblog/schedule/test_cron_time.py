"""The five fields: against an oracle that looks at every minute, and Vixie's odd rules by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.joblog.notes import Notes
from jobsim.joblog.schedule.cron_time import FIXED, REAL_TIME, CronTime
from jobsim.joblog.schedule.period import Period, micros
from jobsim.joblog.schedule.walltime import instants_us

DAY_US = 86_400_000_000
LIMITS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def fired(fields, begin, days, zone=UTC):
    """The firings as minutes of UTC."""
    when = CronTime.of(fields)
    begin_us = micros(begin)
    period = Period(begin_us, begin_us + days * 86_400_000_000)
    return instants_us(when.on(period.days), zone, when.rule, period, Notes()).tolist()


def every_minute_that_fits(parts, begin, days, zone=UTC):
    """The oracle: looks at each minute of the period, knowing only what a field's items are."""
    fitting = [expanded(part, limits) for part, limits in zip(parts, LIMITS, strict=True)]
    minute, hour, of_month, month, of_week = fitting
    both = parts[2].startswith("*") or parts[4].startswith("*")
    found = []
    for n in range(days * 1440):
        instant = begin + timedelta(minutes=n)
        t = instant.astimezone(zone)
        on_day, on_weekday = (
            t.day in of_month,
            t.isoweekday() in of_week or t.isoweekday() % 7 in of_week,
        )
        day = (on_day and on_weekday) if both else (on_day or on_weekday)
        if t.minute in minute and t.hour in hour and t.month in month and day:
            found.append(micros(instant))
    return found


def expanded(part, limits):
    values = set()
    for item in part.split(","):
        span, _, step = item.partition("/")
        low, _, high = span.partition("-")
        low, high = limits if span == "*" else (int(low), int(high or low))
        values.update(range(low, high + 1, int(step or 1)))
    return values


@st.composite
def field(draw, low, high, always_star=False):
    def item():
        first = draw(st.integers(low, high))
        last = draw(st.integers(first, high))
        span = draw(st.sampled_from(["*", f"{first}-{last}", f"{first}-{last}"]))
        stepped = f"{span}/{draw(st.integers(1, 20))}"
        return draw(st.sampled_from([str(first), span, stepped]))

    if always_star:
        return draw(st.sampled_from(["*", "*/5", "*/7"]))
    return draw(
        st.one_of(
            st.just("*"), st.builds(",".join, st.lists(st.builds(item), min_size=1, max_size=3))
        )
    )


@settings(max_examples=30)
@given(st.tuples(*(field(*limits) for limits in LIMITS)), st.integers(0, 700))
def test_firings_are_the_minutes_that_an_oracle_finds(parts, offset):
    begin = datetime(2027, 2, 20, tzinfo=UTC) + timedelta(days=offset, hours=7)
    assert fired(" ".join(parts), begin, 3) == every_minute_that_fits(parts, begin, 3)


@settings(max_examples=20)
@given(
    field(0, 59, always_star=True),
    field(0, 23),
    st.sampled_from([datetime(2026, 3, 28, 20), datetime(2026, 10, 24, 20)]),
    st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe"]),
)
def test_starred_minutes_go_by_real_time_when_the_clock_is_set(minute, hour, begin, zone):
    begin, zone = begin.replace(tzinfo=UTC), ZoneInfo(zone)
    parts = (minute, hour, "*", "*", "*")
    assert fired(" ".join(parts), begin, 1, zone) == every_minute_that_fits(parts, begin, 1, zone)


@settings(max_examples=15)
@given(st.tuples(*(field(*limits) for limits in LIMITS)), st.sampled_from(["UTC", "Asia/Kolkata"]))
def test_firings_are_in_order_and_in_the_period(parts, zone):
    begin = datetime(2026, 5, 1, tzinfo=UTC)
    found = fired(" ".join(parts), begin, 20, ZoneInfo(zone))
    assert found == sorted(found)
    assert not found or 0 <= found[0] - micros(begin) <= found[-1] - micros(begin) < 20 * DAY_US


@pytest.mark.parametrize(
    ("fields", "first"),
    [
        ("0 0 13 * fri", "2026-01-02"),  # either will do
        ("0 0 */13 * fri", "2026-02-27"),  # both have to match, as one begins with a star
        ("0 0 * jan-feb 0", "2026-01-04"),
        ("0 0 * * 7", "2026-01-04"),
        ("0 0 4-4/2 * *", "2026-01-04"),
        ("0 0 L * *", "2026-01-31"),
        ("0 0 * * 5L", "2026-01-30"),
        ("0 0 * * MON#2", "2026-01-12"),
        ("@weekly", "2026-01-04"),
        ("@Yearly", "2027-01-01"),
    ],
)
def test_days_are_those_that_cron_means(fields, first):
    days = np.arange("2026-01-02", "2027-06-01", dtype="datetime64[D]")
    assert str(CronTime.of(fields).on(days).days[0]) == first


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ("60 * * * *", "minute '60'"),
        ("* 24 * * *", "hour '24'"),
        ("* * 0 * *", "day-of-month '0'"),
        ("* * * 13 *", "month '13'"),
        ("* * * * 8", "day-of-week '8'"),
        ("5-1 * * * *", "minute '5-1'"),
        ("*/0 * * * *", "minute '\\*/0'"),
        (f"{'9' * 5000} * * * *", "minute"),
        ("x * * * *", "minute 'x'"),
        ("* * * *", "4 time fields"),
        ("@fortnightly", "no such shortcut; did you mean @monthly"),
        ("@every", "an interval that has no time of day"),
        ("@3600", "an interval that has no time of day"),
        ("0 0 ? * *", r"day-of-month '\?' is none \(\? is Quartz's"),
        ("H * * * *", "H is Jenkins'"),
        ("0 0 15W * *", "W, the weekday next to a day"),
        ("0 22-2 * * *", "a range goes upwards"),
        ("0 0 * * fri-sun", "a range goes upwards"),
        ("0 0 * * sunday", "a name has three letters"),
    ],
)
def test_a_field_that_is_none_is_named(fields, wrong):
    with pytest.raises(ValueError, match=wrong):
        CronTime.of(fields)


def test_a_day_that_no_year_has_is_no_fault_but_never_fires():
    assert CronTime.of("0 0 30 2 *").never_fires()
    assert not CronTime.of("0 0 29 2 *").never_fires()
    assert not CronTime.of("0 0 30 2 1").never_fires()


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ("0 2 * * *", FIXED),
        ("*/5 2 * * *", REAL_TIME),
        ("0 */2 * * *", REAL_TIME),
        ("@hourly", REAL_TIME),
    ],
)
def test_stars_in_minute_or_hour_tell_the_rule_for_a_clock_that_is_set(fields, rule):
    assert CronTime.of(fields).rule == rule


@pytest.mark.parametrize(
    ("fields", "extension"),
    [
        ("0 0 L * *", "L or #"),
        ("0 0 * * 1#1", "L or #"),
        ("0 0 * * 5L", "L or #"),
        ("5/10 * * * *", "a step"),
        ("0 0 * 1,feb/3 *", "a step"),
        ("*/5 1-9/2,4-4/2 * jul sat", None),
    ],
)
def test_what_cron_itself_does_not_know_is_told_apart(fields, extension):
    found = CronTime.of(fields).extensions
    assert [each.startswith(extension) for each in found] == [True] if extension else found == ()
