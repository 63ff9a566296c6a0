"""Times without a submission: chance, quiet hours, or a hole."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.joblog.describe.gaps import expected_gap_s, longest_gaps

DAY_S = 86400.0


def independent(rate_per_s: float, span_s: float, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.sort(random.uniform(0, span_s, random.poisson(rate_per_s * span_s)))


def working_days(weeks: int, per_hour: float = 30, seed: int = 1) -> np.ndarray:
    """Arrivals from 8 to 18 o'clock, from the first to the fifth day of each week."""
    submit_s = independent(per_hour / 3600, weeks * 7 * DAY_S, seed)
    hour, day = submit_s % DAY_S / 3600, submit_s // DAY_S % 7
    return submit_s[(hour >= 8) & (hour < 18) & (day < 5)]


def test_gaps_are_found_the_longest_first():
    found = longest_gaps(np.array([0.0, 10, 11, 31, 36, 36]))
    assert [(gap.length_s, gap.from_s) for gap in found] == [(20, 11), (10, 0), (5, 31)]


@pytest.mark.parametrize("submit_s", [[5.0], [5.0, 5.0]])
def test_one_instant_has_no_gap(submit_s):
    assert longest_gaps(np.array(submit_s)) == ()
    assert expected_gap_s(np.array(submit_s)) is None


def test_the_longest_gap_of_independent_arrivals_is_as_expected_and_seldom_rare():
    logs = [independent(1, 5000, seed) for seed in range(100)]
    longest = [longest_gaps(submit_s)[0] for submit_s in logs]
    mean_s = np.mean([gap.length_s for gap in longest])
    # The longest of n exponential times has the standard deviation pi / sqrt 6.
    assert mean_s == pytest.approx(expected_gap_s(logs[0]), abs=4 * 1.28 / 10)
    assert sum(gap.is_rare for gap in longest) <= 4


def test_weekends_are_quiet_weeks_after_weeks_and_no_hole():
    found = longest_gaps(working_days(weeks=10))
    assert found[0].is_rare
    assert found[0].period == "weeks"
    assert found[0].others_quiet == found[0].others >= 8
    assert not any(gap.is_hole for gap in found)


def test_two_days_lost_in_the_middle_of_a_week_are_a_hole():
    submit_s = working_days(weeks=10)
    lost = (submit_s > 30 * DAY_S) & (submit_s < 32 * DAY_S)
    holes = [gap for gap in longest_gaps(submit_s[~lost]) if gap.is_hole]
    assert len(holes) == 1
    assert holes[0].from_s < 30.5 * DAY_S < holes[0].from_s + holes[0].length_s
    assert holes[0].others_quiet == 0
    assert holes[0].others_median > 200


def test_a_short_log_is_compared_day_by_day():
    submit_s = independent(0.01, 6 * DAY_S)
    lost = (submit_s > 3 * DAY_S) & (submit_s < 3.3 * DAY_S)
    found = longest_gaps(submit_s[~lost])[0]
    assert found.period == "days"
    assert found.is_hole


def test_a_rare_gap_of_a_log_of_hours_is_not_explained():
    submit_s = np.concatenate([np.arange(100.0), 10_000 + np.arange(100.0)])
    found = longest_gaps(submit_s)[0]
    assert (found.is_rare, found.others, found.is_hole) == (True, 0, False)


def test_jobs_of_one_instant_count_once():
    batches = np.repeat(independent(1, 5000), 20)
    assert not longest_gaps(batches)[0].is_rare
