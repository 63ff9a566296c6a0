"""From when to when a schedule is played out, and what is said where that is not known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from jobsim.errors import LogError
from jobsim.joblog.reading import Reading
from jobsim.joblog.schedule.period import Period, micros

PATH = Path("crontab")
MIDNIGHT = datetime(2026, 3, 1)


def test_a_begin_without_offset_is_in_the_zone_of_the_user():
    period = Period.of(Reading(begin=MIDNIGHT, span_s=60, zone="Europe/Berlin"), PATH)
    assert period.origin == datetime(2026, 2, 28, 23, tzinfo=UTC)
    assert period.end_us - period.begin_us == 60_000_000


def test_a_begin_without_offset_or_zone_is_in_utc():
    assert Period.of(Reading(begin=MIDNIGHT, span_s=1), PATH).origin == MIDNIGHT.replace(tzinfo=UTC)


def test_a_begin_with_an_offset_keeps_it():
    begin = MIDNIGHT.replace(tzinfo=timezone(timedelta(hours=2)))
    period = Period.of(Reading(begin=begin, span_s=1, zone="Europe/Berlin"), PATH)
    assert period.origin == datetime(2026, 2, 28, 22, tzinfo=UTC)


@pytest.mark.parametrize("said", [{}, {"begin": MIDNIGHT}, {"span_s": 60.0}])
def test_without_begin_and_length_it_says_how_to_say_them(said):
    with pytest.raises(LogError, match=r"no dates.*--from 2026-01-01 --for 30d.*--assume-run 5m"):
        Period.of(Reading(**said), PATH)


@pytest.mark.parametrize("span_s", [0, -1, float("nan"), float("inf"), 1e12])
def test_a_length_that_is_none_is_refused(span_s):
    with pytest.raises(LogError, match="--for"):
        Period.of(Reading(begin=MIDNIGHT, span_s=span_s), PATH)


@pytest.mark.parametrize("year", [1, 1970, 2200, 9999])
def test_a_year_that_no_schedule_is_of_is_refused(year):
    with pytest.raises(LogError, match="a year from 1971"):
        Period.of(Reading(begin=datetime(year, 1, 1), span_s=1), PATH)


def test_its_begin_is_in_it_and_its_end_is_not():
    period = Period(1_000_000, 2_000_000)
    edges = np.array([999_999, 1_000_000, 1_999_999, 2_000_000])
    assert period.holds(edges).tolist() == [False, True, True, False]


def test_its_days_are_those_of_every_place_on_earth():
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    days = Period(micros(noon), micros(noon) + 1).days
    assert days[0] <= np.datetime64("2026-02-28")
    assert days[-1] >= np.datetime64("2026-03-02")
