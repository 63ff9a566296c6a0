"""Triggers with a time: on which days, at what time, how often again."""

from __future__ import annotations

import numpy as np
import pytest
from lxml import etree

from jobsim.joblog.schedule.period import Period
from jobsim.joblog.schedule.task_trigger import Repetition, Trigger, duration_us
from jobsim.joblog.schedule.task_xml import Node

DAYS = np.arange("2025-12-20", "2026-04-01", dtype="datetime64[D]")


def trigger(inside, name="CalendarTrigger", start="2026-01-06T02:30:00"):
    text = f"<{name}><StartBoundary>{start}</StartBoundary>{inside}</{name}>"
    return Trigger.of(Node(etree.fromstring(text), 0))


def days_of(inside, n=4):
    return [str(day)[5:] for day in trigger(inside).on(DAYS).days[:n]]


def test_a_time_trigger_fires_once():
    times = trigger("", "TimeTrigger").on(np.array(["2026-01-06"], dtype="datetime64[D]"))
    assert times.days.astype(str).tolist() == ["2026-01-06"]
    assert times.times_us.tolist() == [9_000_000_000]


@pytest.mark.parametrize(
    ("schedule", "days"),
    [
        ("<ScheduleByDay/>", ["01-06", "01-07", "01-08", "01-09"]),
        (
            "<ScheduleByDay><DaysInterval>3</DaysInterval></ScheduleByDay>",
            ["01-06", "01-09", "01-12", "01-15"],
        ),
        (
            "<ScheduleByWeek><WeeksInterval>2</WeeksInterval>"
            "<DaysOfWeek><Sunday/><Tuesday/></DaysOfWeek></ScheduleByWeek>",
            ["01-06", "01-18", "01-20", "02-01"],
        ),
        (
            "<ScheduleByMonth><DaysOfMonth><Day>1</Day><Day>31</Day></DaysOfMonth></ScheduleByMonth>",
            ["01-31", "02-01", "03-01", "03-31"],
        ),
        (
            "<ScheduleByMonth><DaysOfMonth><Day>Last</Day></DaysOfMonth>"
            "<Months><February/><March/></Months></ScheduleByMonth>",
            ["02-28", "03-31"],
        ),
        (
            "<ScheduleByMonthDayOfWeek><Weeks><Week>2</Week><Week>Last</Week></Weeks>"
            "<DaysOfWeek><Friday/></DaysOfWeek></ScheduleByMonthDayOfWeek>",
            ["01-09", "01-30", "02-13", "02-27"],
        ),
        (
            "<ScheduleByMonthDayOfWeek><DaysOfWeek><Monday/></DaysOfWeek>"
            "<Months><March/></Months></ScheduleByMonthDayOfWeek>",
            ["03-02", "03-09", "03-16", "03-23"],
        ),
    ],
)
def test_a_calendar_trigger_fires_on(schedule, days):
    assert days_of(schedule) == days


def test_a_start_with_an_offset_keeps_to_it():
    assert trigger("").offset is None
    assert trigger("", start="2026-01-06T02:30:00Z").offset.utcoffset(None).total_seconds() == 0
    east = trigger("", start="2026-01-06T02:30:00+02:00")
    assert east.offset.utcoffset(None).total_seconds() == 7200


def test_a_repetition_goes_on_for_its_duration_or_for_ever():
    every = "<Repetition><Interval>PT5M</Interval>{}</Repetition>"
    assert trigger("").repetition is None
    assert trigger(every.format("")).repetition == Repetition(300_000_000, None)
    for_an_hour = trigger(every.format("<Duration>PT1H</Duration>")).repetition
    assert for_an_hour == Repetition(300_000_000, 3_600_000_000)


def test_a_repeating_trigger_is_asked_for_days_long_before_the_period():
    period = Period(1_767_225_600_000_000, 1_767_312_000_000_000)
    assert len(trigger("").days(period)) < 10
    repeating = trigger("<Repetition><Interval>PT5M</Interval></Repetition>")
    assert len(repeating.days(period)) > 8 * 365
    once = trigger("", "TimeTrigger", "2019-01-01T00:00:00")
    assert once.days(period).astype(str).tolist() == ["2019-01-01"]


@pytest.mark.parametrize(
    ("text", "micros"),
    [("PT5M", 300_000_000), ("P1D", 86_400_000_000), ("P1DT2H3M4.5S", 93_784_500_000), ("PT0S", 0)],
)
def test_a_duration_is_iso_8601(text, micros):
    assert duration_us(text) == micros


@pytest.mark.parametrize("text", ["", "5m", "P", "PT", "-PT5M", "P1Y", f"P{'9' * 30}D", "PX"])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(ValueError, match="is no duration"):
        duration_us(text)


@pytest.mark.parametrize(
    ("inside", "wrong"),
    [
        ("<EndBoundary>soon</EndBoundary>", "'soon' is no instant"),
        ("<Repetition><Interval>PT1S</Interval></Repetition>", "under a minute"),
        ("", "no ScheduleByDay"),
        ("<ScheduleByDay><DaysInterval>0</DaysInterval></ScheduleByDay>", "'0' is no number"),
        ("<ScheduleByWeek><DaysOfWeek><Noday/></DaysOfWeek></ScheduleByWeek>", "no 'Noday'"),
        (
            "<ScheduleByMonth><DaysOfMonth><Last/></DaysOfMonth></ScheduleByMonth>",
            "no 'Last'; <Day>",
        ),
        (
            "<ScheduleByMonthDayOfWeek><Weeks><Last/></Weeks></ScheduleByMonthDayOfWeek>",
            "Weeks has no 'Last'; <Week>Last</Week> is right",
        ),
        ("<ScheduleByMonth><DaysOfMonth><Day>32</Day></DaysOfMonth></ScheduleByMonth>", "1 to 31"),
    ],
)
def test_what_the_schema_does_not_allow_is_refused(inside, wrong):
    with pytest.raises(ValueError, match=wrong):
        trigger(inside).on(DAYS)


def test_a_trigger_without_a_start_is_refused():
    with pytest.raises(ValueError, match="StartBoundary is missing"):
        Trigger.of(Node(etree.fromstring("<TimeTrigger/>"), 0))
