"""Signs that jobs are missing from a log."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jobsim.joblog import read_log
from jobsim.joblog.describe import describe
from jobsim.joblog.describe.columns import Columns
from jobsim.joblog.describe.selection import (
    chosen_by_end,
    only_dates,
    only_successes,
    starts_as_submissions,
    thin_ends,
    unfinished_left_out,
)
from jobsim.joblog.table import JobLog

HOUR_S, DAY_S = 3600.0, 86400.0


def busy(days: float = 30, seed: int = 1, mean_s: float = 2 * HOUR_S) -> pd.DataFrame:
    """Some 20 jobs an hour of exponential run times: 40 at work at once."""
    random = np.random.default_rng(seed)
    jobs = random.poisson(20 * 24 * days)
    return pd.DataFrame(
        {
            "submit_s": np.sort(random.uniform(0, days * DAY_S, jobs)),
            "run_s": random.exponential(mean_s, jobs),
        }
    )


def columns(jobs: pd.DataFrame | dict) -> Columns:
    return Columns(JobLog.of(jobs, name="made"))


def names(log: JobLog) -> set[str]:
    return {sign.name for sign in describe(log).signs}


@pytest.mark.parametrize(
    "spec",
    [
        "mmc:arrival=3.6,service=1,servers=4,jobs=20000",
        "mmc:arrival=360,service=1,servers=400,jobs=20000",
        "mgc:arrival=3.6,service=1,servers=4,jobs=20000,cv2=4",
        "mgc:arrival=90,service=1,servers=100,jobs=5000,cv2=16",
        "mdc:arrival=3.6,service=1,servers=4,jobs=2000",
        "mmc:arrival=1,service=1,servers=4,jobs=100",
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_drawn_load_raises_no_suspicion(spec, seed):
    assert names(read_log(spec, seed=seed)) == set()


@pytest.mark.parametrize("seed", range(5))
def test_a_log_of_all_jobs_submitted_in_a_month_is_whole(seed):
    assert names(JobLog.of(busy(seed=seed), name="whole")) == set()


@pytest.mark.parametrize("seed", range(5))
def test_a_log_of_the_jobs_that_ended_in_some_days_is_seen_at_both_its_ends(seed):
    jobs = busy(mean_s=8 * HOUR_S, seed=seed)
    jobs = jobs.assign(run_s=jobs["run_s"] * np.where(jobs.index % 20 == 0, 12, 0.4))
    end_s = jobs["submit_s"] + jobs["run_s"]
    kept = jobs[(end_s > 20 * DAY_S) & (end_s < 25 * DAY_S)]
    log = JobLog.of(kept, name="by end").from_zero()
    assert {"chosen-by-end", "unfinished-left-out"} <= names(log)
    found = chosen_by_end(Columns(log))
    assert found.evidence["jobs"] < found.evidence["expected"] / 3


def test_what_the_window_leaves_of_a_log_chosen_by_end_is_not_chosen_by_end():
    jobs = busy(mean_s=8 * HOUR_S)
    jobs = jobs.assign(run_s=jobs["run_s"] * np.where(jobs.index % 20 == 0, 12, 0.4))
    kept = jobs[jobs["submit_s"] + jobs["run_s"] > 20 * DAY_S]
    log = JobLog.of(kept, name="by end").from_zero()
    found = chosen_by_end(Columns(log))
    from_s = float(found.words.partition("--window ")[2].partition("s..")[0])
    assert from_s == pytest.approx(found.evidence["until_s"], abs=1)
    assert chosen_by_end(Columns(log.window(from_s, np.inf))) is None


def test_jobs_that_wait_long_before_the_first_end_are_no_sign_of_a_choice():
    """A queue that was filled before its workers started."""
    jobs = busy(days=10).assign(start_s=lambda each: np.maximum(each["submit_s"], 2 * DAY_S))
    assert chosen_by_end(columns(jobs)) is None


def test_unfinished_jobs_that_are_listed_are_not_left_out():
    jobs = busy(mean_s=4 * HOUR_S)
    last_s = jobs["submit_s"].max()
    going_on = jobs["submit_s"] + jobs["run_s"] > last_s
    assert unfinished_left_out(columns(jobs)) is None
    assert unfinished_left_out(columns(jobs.assign(run_s=jobs["run_s"].mask(going_on)))) is None
    found = unfinished_left_out(columns(jobs[~going_on]))
    assert found.evidence["seen"] <= 8
    assert found.evidence["expected"] > 30


def test_successes_alone_say_how_few_failures_there_may_be():
    log = {"submit_s": range(300), "run_s": [1.0] * 300, "outcome": ["completed"] * 300}
    found = only_successes(columns(log))
    assert found.evidence["failing_at_most"] == pytest.approx(0.01)
    assert "fewer than 1.0 % fail" in found.words
    assert only_successes(columns(log | {"outcome": ["completed"] * 299 + ["failed"]})) is None
    assert only_successes(columns(log | {"outcome": ["unknown"] * 300})) is None


@pytest.mark.parametrize(("shift", "window"), [(1, "--window 7788973s.."), (-1, "--window ..")])
def test_a_few_jobs_far_from_the_others_stretch_the_span(shift, window):
    submit_s = np.linspace(0, 10 * DAY_S, 1000)
    far = np.linspace(0, 1, 5) if shift > 0 else np.linspace(90, 100, 5) * DAY_S
    submit_s = np.append(submit_s + (90 * DAY_S if shift > 0 else 0), far)
    found = thin_ends(columns({"submit_s": submit_s, "run_s": np.ones(1005)}))
    assert found.evidence["span_share"] == pytest.approx(0.9, abs=0.02)
    assert window in found.words


def test_evenly_spread_jobs_stretch_nothing():
    assert thin_ends(columns({"submit_s": range(500), "run_s": [1] * 500})) is None
    assert thin_ends(columns({"submit_s": [7] * 500, "run_s": [1] * 500})) is None


def test_starts_that_are_all_submissions_are_no_waits():
    at_s = np.arange(50.0)
    log = {"submit_s": at_s, "start_s": at_s, "run_s": np.ones(50)}
    assert starts_as_submissions(columns(log)).name == "no-waits"
    assert starts_as_submissions(columns(log | {"start_s": at_s + (at_s == 9)})) is None
    assert starts_as_submissions(columns(log | {"start_s": at_s * np.nan})) is None


def test_dates_without_a_time_are_suspected():
    days = {"submit_s": np.repeat(np.arange(5), 9) * DAY_S, "run_s": np.ones(45)}
    assert only_dates(columns(days)).name == "only-dates"
    assert only_dates(columns({"submit_s": [0, 1, DAY_S], "run_s": [1] * 3})) is None
    assert only_dates(columns({"submit_s": [0, 0, 0], "run_s": [1] * 3})) is None
