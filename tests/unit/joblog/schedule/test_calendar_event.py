"""Calendar events: by hand, and against systemd's own reading where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.notes import Notes
from jobsim.joblog.schedule.calendar_event import SHORTHANDS, CalendarEvent
from jobsim.joblog.schedule.period import Period, micros
from jobsim.joblog.schedule.systemd import CLOCK_RULE
from jobsim.joblog.schedule.walltime import instants_us

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def first_after(text, base=NEW_YEAR, n=3, zone="UTC"):
    """The first firings after an instant, in UTC, of those in the next ten years."""
    period = Period(micros(base) + 1, micros(base) + 3652 * 86_400_000_000)
    event = CalendarEvent.of(text)
    times = event.on(period.days)
    found = instants_us(times, event.zone or ZoneInfo(zone), CLOCK_RULE, period, Notes())
    return [str(np.datetime64(us, "s")) for us in (found[:n] // 1_000_000).tolist()]


@pytest.mark.parametrize(
    ("text", "firings"),
    [
        ("Mon..Fri 10:00", ["2026-01-01T10:00:00", "2026-01-02T10:00:00", "2026-01-05T10:00:00"]),
        ("Sat,Sun", ["2026-01-03T00:00:00", "2026-01-04T00:00:00", "2026-01-10T00:00:00"]),
        ("monday-tuesday, 5:00", ["2026-01-05T05:00:00", "2026-01-06T05:00:00"]),
        ("*-*-31", ["2026-01-31T00:00:00", "2026-03-31T00:00:00", "2026-05-31T00:00:00"]),
        ("12-31", ["2026-12-31T00:00:00", "2027-12-31T00:00:00", "2028-12-31T00:00:00"]),
        ("*-02~01", ["2026-02-28T00:00:00", "2027-02-28T00:00:00", "2028-02-29T00:00:00"]),
        ("Mon *-05~07/1", ["2026-05-25T00:00:00", "2027-05-31T00:00:00", "2028-05-29T00:00:00"]),
        ("*-*~10/4", ["2026-01-22T00:00:00", "2026-01-26T00:00:00", "2026-01-30T00:00:00"]),
        ("*:0/25", ["2026-01-01T00:25:00", "2026-01-01T00:50:00", "2026-01-01T01:00:00"]),
        ("10..15/2:00", ["2026-01-01T10:00:00", "2026-01-01T12:00:00", "2026-01-01T14:00:00"]),
        ("daily Europe/Berlin", ["2026-01-01T23:00:00", "2026-01-02T23:00:00"]),
        ("10:00 utc", ["2026-01-01T10:00:00", "2026-01-02T10:00:00", "2026-01-03T10:00:00"]),
        ("26-3-4 5:06:07", ["2026-03-04T05:06:07"]),
        ("@1772600767", ["2026-03-04T05:06:07"]),
        ("Quarterly", ["2026-04-01T00:00:00", "2026-07-01T00:00:00", "2026-10-01T00:00:00"]),
        ("2026-02-30", []),
    ],
)  # fmt: skip
def test_it_fires_at(text, firings):
    assert first_after(text, n=len(firings) or 1) == firings


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "names no time"),
        ("UTC", "names no time"),
        ("10", "date '10' is none"),
        ("tomorrow", "weekdays 'tomorrow' are none"),
        ("Sat..Tue 12:00", "weekdays"),
        ("Mo", "weekdays"),
        ("24:00", "hour '24' is none"),
        ("*:*/15", r"minute '\*/15' is none"),
        ("2027-13-01", "month '13' is none"),
        ("*-*~29", "day '29' is none"),
        ("2026-01-05T10:00", "hour '2026-01-05T10' is none"),
        ("10:00 Mars/Olympus", "no calendar event"),
        ("@12.5", "no instant"),
        ("@99999999999999", "no instant"),
        ("@9999999999", "year '2286' is none"),
        ("Mon, Tue 10:00", "date 'Tue'"),
    ],
)
def test_what_is_none_is_refused_with_the_part_that_is_not(text, wrong):
    with pytest.raises(ValueError, match=wrong):
        CalendarEvent.of(text)


def test_more_firings_a_day_than_a_schedule_may_have_are_refused_unmade():
    with pytest.raises(ValueError, match="fires 86,400,000,000 times a day"):
        CalendarEvent.of("*:*:0/0.000001").on(np.array([np.datetime64("2026-01-01")]))


@given(st.text(alphabet="*-~:,./0123456789 MonTueUTC@", max_size=20))
def test_any_text_is_an_event_or_refused(text):
    try:
        event = CalendarEvent.of(text)
        event.on(np.arange("2026-01-01", "2026-02-01", dtype="datetime64[D]"))
    except ValueError:
        return


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize("base", ["2026-03-27 12:00:00", "2026-10-24 23:30:00"])
def test_firings_are_those_of_systemd_itself_also_when_the_clock_is_set(base):
    texts = [*SHORTHANDS, "*:0/20", "Mon..Wed *-*~2,5 1..4:30", "02:30", "*-1/2-1/7 9:00:00"]
    since = datetime.fromisoformat(base).replace(tzinfo=UTC)
    for text in texts:
        assert first_after(text, since, 6, "Europe/Berlin") == by_systemd(text, base), text


def by_systemd(text, base):
    command = ["systemd-analyze", "calendar", "--iterations=6", f"--base-time={base} UTC", text]
    environment = {"TZ": "Europe/Berlin", "LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = re.findall(r"\(in UTC\): \w+ (\S+) (\S+) UTC", told.stdout)
    return [f"{date}T{time}" for date, time in found]
