"""Plots of a log: labelled, on the axes given, and honest where the log says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from jobsim.joblog.table import JobLog
from jobsim.plots.joblog import LOG_PLOTS, arrivals, profile, run_times, running, waits

DAY_S = 86400.0
JOBS = 3000


@pytest.fixture
def ax() -> Iterator[Axes]:
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def made(days: float = 20, **travelling: object) -> JobLog:
    random = np.random.default_rng(1)
    submit_s = np.sort(random.uniform(0, days * DAY_S, JOBS))
    submit_s -= submit_s[0]
    columns = {
        "submit_s": submit_s,
        "start_s": submit_s + random.exponential(60, JOBS),
        "run_s": 1 + random.pareto(1.5, JOBS),
    }
    return JobLog.of(columns, name="made", **travelling)


@pytest.mark.parametrize("origin", [None, datetime(2026, 1, 1, tzinfo=UTC)])
@pytest.mark.parametrize("name", LOG_PLOTS)
def test_each_draws_on_the_axes_given_with_labels_and_changes_no_setting(name, origin, ax):
    before = dict(mpl.rcParams)
    assert LOG_PLOTS[name](made(origin=origin), ax) is ax
    assert ax.get_xlabel()
    assert ax.get_ylabel() or name == "profile"
    assert dict(mpl.rcParams) == before
    ax.figure.canvas.draw()


def test_without_axes_each_makes_its_own():
    axes = arrivals(made())
    assert axes.get_title(loc="left") == "Arrivals, in steps of 96.0 min"
    plt.close(axes.figure)


def test_arrivals_are_a_rate_whose_area_is_the_number_of_jobs(ax):
    arrivals(made(days=20), ax)
    (stairs,) = ax.patches
    rate, edges_d, _ = stairs.get_data()
    assert ax.get_ylabel() == "jobs submitted an hour"
    assert (rate * np.diff(edges_d)).sum() * 24 == pytest.approx(JOBS)


def test_the_curve_of_run_times_is_the_share_that_ran_longer(ax):
    log = made()
    run_times(log, ax)
    curve = ax.lines[0]
    for run_s, percent in zip(*curve.get_data(), strict=True):
        assert percent == pytest.approx(100 * (log.jobs["run_s"] >= run_s).mean())
    assert any("tail index 1." in text.get_text() for text in ax.get_legend().texts)


def test_jobs_at_work_have_the_area_of_the_run_times(ax):
    log = made()
    running(log, ax)
    for stairs in ax.patches:
        level, edges_d, _ = stairs.get_data()
        area_s = (level * np.diff(edges_d)).sum() * DAY_S
        assert area_s == pytest.approx(log.jobs["run_s"].sum(), rel=0.01)


@pytest.mark.parametrize(
    ("plot", "columns", "said"),
    [
        (arrivals, {"submit_s": [1, 1], "run_s": [1, 1]}, "one instant"),
        (run_times, {"submit_s": [0, 1], "run_s": [None, None]}, "no run times"),
        (running, {"submit_s": [0, 1], "run_s": [None, None]}, "no run times"),
        (waits, {"submit_s": [0, 1], "run_s": [1, 1]}, "no starts"),
        (waits, {"submit_s": [0, 1], "start_s": [0, 1], "run_s": [1, 1]}, "ever waited"),
        (profile, {"submit_s": [0, 1], "run_s": [1, 1]}, "less than two weeks"),
    ],
)
def test_what_a_log_does_not_say_is_said_on_the_axes(plot, columns, said, ax):
    plot(JobLog.of(columns, name="silent"), ax)
    assert said in ax.texts[0].get_text()
    ax.figure.canvas.draw()
