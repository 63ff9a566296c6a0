"""When jobs came: rhythm and bursts."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from jobsim.joblog.describe.arrivals import arrivals, dispersion, over_time, peak, week_hours
from jobsim.joblog.describe.calendar import DAY_S, Calendar

NO_DATES = Calendar(None)


def independent(jobs: int, seed: int) -> np.ndarray:
    return np.cumsum(np.random.default_rng(seed).exponential(1 / 3.6, jobs))


def test_independent_arrivals_are_neither_bursty_nor_regular():
    for seed in range(20):
        found = dispersion(independent(20_000, seed))
        assert found.index == pytest.approx(1, abs=5 * found.error)
        assert not found.is_bursty
        assert not found.is_regular


def test_arrivals_in_batches_are_bursty_by_their_size():
    """Where each arrival is of b jobs, variance / mean is b."""
    found = dispersion(np.repeat(independent(20_000, 1), 8))
    assert found.is_bursty
    assert found.index == pytest.approx(8, rel=0.2)


def test_a_clockwork_is_regular():
    assert dispersion(np.arange(0, 10_000, 0.7)).is_regular


@pytest.mark.parametrize("submit_s", [[0.0], [0.0, 0.0], [0.0, 1.0, 5.0]])
def test_a_few_arrivals_tell_nothing_of_bursts(submit_s):
    assert dispersion(np.array(submit_s)) is None


def test_the_parts_of_the_span_have_all_jobs():
    submit_s = np.array([0.0, 1, 1, 9, 10])
    assert over_time(submit_s, parts=2) == (3, 2)
    assert sum(over_time(np.sort(np.random.default_rng(1).uniform(0, 9, 1000)))) == 1000


def test_the_fullest_interval_is_counted_from_second_0():
    found = peak(np.array([59.0, 60, 61, 119, 120]), 60)
    assert (found.jobs, found.from_s) == (3, 60)


def test_rates_of_the_week_are_those_of_the_hours_that_the_log_spans():
    """Two jobs an hour, all the time, over two weeks and a bit: two in each hour of the week."""
    submit_s = np.arange(0, 17.3 * DAY_S, 1800) + 900.0
    week = week_hours(submit_s, NO_DATES)
    assert week.covered_s.sum() == pytest.approx(submit_s[-1] - submit_s[0])
    assert week.rates(axis=0) == pytest.approx([2] * 24, rel=0.06)
    assert week.rates(axis=1) == pytest.approx([2] * 7, rel=0.06)
    assert len(week.rates()) == 7 * 24


def test_the_week_begins_on_monday_where_the_log_has_a_calendar():
    thursday_noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    submit_s = np.array([0.0, 3 * DAY_S])
    counts = week_hours(submit_s, Calendar(thursday_noon)).jobs
    assert counts[3, 12] == 1
    assert counts[6, 12] == 1
    assert week_hours(submit_s, NO_DATES).jobs[0, 0] == 1


def test_hours_are_those_of_the_zone_in_summer_and_in_winter():
    """A job each day at 9:30 in Berlin, from January to December."""
    days = pd.date_range("2026-01-01 09:30", "2026-12-31 09:30", freq="D", tz="Europe/Berlin")
    submit_s = (days - days[0]).total_seconds().to_numpy()
    calendar = Calendar(days[0].to_pydatetime().astimezone(UTC), "Europe/Berlin")
    rates = week_hours(submit_s, calendar).rates(axis=0)
    assert [hour for hour, rate in enumerate(rates) if rate] == [9]
    assert rates[9] == pytest.approx(1, rel=0.01)


def test_short_logs_have_no_rhythm():
    assert arrivals(np.arange(0, DAY_S, 60.0), NO_DATES).by_hour is None
    three_days = arrivals(np.arange(0, 3 * DAY_S, 60.0), NO_DATES)
    assert three_days.by_hour is not None
    assert three_days.by_weekday is None
    assert arrivals(np.arange(0, 15 * DAY_S, 600.0), NO_DATES).by_week_hour is not None


def test_jobs_that_come_together_are_counted():
    found = arrivals(np.array([0.0, 0, 0, 5, 7, 7]), NO_DATES)
    assert found.tied_share == pytest.approx(5 / 6)
    assert found.most_at_once == 3
    assert arrivals(np.array([4.0]), NO_DATES).tied_share == 0
