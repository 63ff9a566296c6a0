"""The plots: what they draw, and what they leave alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from jobsim.joblog.schema import tidy
from jobsim.outcomes import measure
from jobsim.plots import PLOTS, backlog_over_time, colour, lock_waits, save_all, stuck, waits
from jobsim.plots.draw import MOST_STEPS
from jobsim.result import Result
from tests.unit.outcomes.made import Story, jobs


def made(name: str, driver: str, *, lock_wait_ms: int | None = 2500, **header: Any) -> Result:
    """Two jobs; the first's worker dies at 1, it is given back at 31 and done at 40."""
    story = (
        Story().attempt(1, 0, 0, outcome="died").event(1, "died").attempt(2, 2, 2, 4, 4, worker=1)
    )
    story.event(31, "reclaimed", job=1).attempt(1, 35, 35, 40, 40, worker=1)
    if lock_wait_ms is not None:
        story.recorder.counts.update({"lock_waits": 7, "lock_wait_ms": lock_wait_ms})
    facts = story.facts(jobs([0, 0]))
    return Result.of(facts, measure(facts, driver=driver, name=name, **header))


def logged() -> Result:
    columns = {"job_id": [1], "submit_s": [0], "start_s": [1200], "run_s": [1200]}
    result = Result.as_logged(tidy(columns | {"outcome": ["completed"]}, 1))
    assert result is not None
    return result


@pytest.fixture
def axes() -> Iterator[Axes]:
    _, ax = plt.subplots()
    yield ax
    plt.close("all")


def lines(ax: Axes) -> dict[str, Any]:
    return {str(line.get_label()): line for line in ax.get_lines()}


def texts(ax: Axes) -> str:
    return "; ".join(text.get_text() for text in ax.texts)


@pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)
def test_a_plot_draws_on_the_axes_given_and_changes_no_settings(plot, axes: Axes):
    before = dict(mpl.rcParams)
    assert plot([made("skip-locked", "sim"), made("for-update", "live")], axes) is axes
    assert dict(mpl.rcParams) == before
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)
def test_a_plot_makes_its_own_axes_where_none_are_given(plot, axes: Axes):
    assert plot([made("skip-locked", "sim")]) is not axes


@pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)
def test_a_run_in_which_nothing_happened_can_be_drawn(plot, axes: Axes):
    facts = Story().facts(jobs([]))
    plot([Result.of(facts, measure(facts, driver="sim", name="x"))], axes)
    axes.figure.draw_without_rendering()


@pytest.mark.parametrize("plot", [backlog_over_time, waits])
def test_colour_is_the_policy_and_line_style_the_driver(plot, axes: Axes):
    plot([logged(), made("skip-locked", "live"), made("skip-locked", "sim")], axes)
    drawn = lines(axes)
    looks = {
        label: (drawn[label].get_linestyle(), drawn[label].get_color())
        for label in ("the log itself", "skip-locked, live", "skip-locked, simulated")
    }
    own = colour("skip-locked")
    assert list(looks.values()) == [(":", colour("as-logged")), ("-", own), ("--", own)]


def test_the_backlog_is_drawn_as_it_was(axes: Axes):
    backlog_over_time([made("skip-locked", "sim")], axes)
    drawn = lines(axes)["skip-locked, simulated"]
    assert drawn.get_xdata().tolist() == [0, 0, 1, 2, 35, 40]
    assert drawn.get_ydata().tolist() == [0, 1, 2, 1, 0, 0]


def test_a_curve_of_many_steps_keeps_its_mean(axes: Axes):
    story, n = Story(), 3000
    wait_s = np.random.default_rng(1).exponential(5, n)
    for job in range(n):
        start_s = job + wait_s[job]
        story.attempt(job + 1, start_s, start_s, start_s + 1, start_s + 1)
    facts = story.facts(jobs(np.arange(n)), until_s=9999)
    metrics = measure(facts, driver="sim", name="x")
    backlog_over_time([Result.of(facts, metrics)], axes)
    drawn = lines(axes)["x, simulated"]
    assert len(drawn.get_xdata()) == MOST_STEPS
    assert drawn.get_ydata()[:-1].mean() == pytest.approx(metrics["backlog"]["mean"])


def test_the_logs_own_time_stands_above_where_the_runs_were_faster(axes: Axes):
    backlog_over_time([logged(), made("skip-locked", "sim", speedup=60)], axes)
    axes.figure.draw_without_rendering()
    above = axes.child_axes[0]
    assert above.get_xlabel() == "the same in the log's time, 60 times as long (min)"
    assert above.get_xlim() == pytest.approx((0, 40))
    assert lines(axes)["the log itself"].get_xdata()[-1] == 40, "2400 s at 60 times the pace"


def test_in_true_time_there_is_one_axis_alone(axes: Axes):
    backlog_over_time([made("skip-locked", "sim")], axes)
    assert axes.child_axes == []
    assert axes.get_xlabel() == "time since the run began (s)"


def test_the_waits_show_which_share_of_the_jobs_waited_longer(axes: Axes):
    waits([made("skip-locked", "sim")], axes)
    drawn = lines(axes)["skip-locked, simulated"]
    assert drawn.get_xdata().tolist() == [0.001, 2]
    assert drawn.get_ydata().tolist() == [100, 50]


def test_replications_are_named_once(axes: Axes):
    waits([made("skip-locked", "sim"), made("skip-locked", "sim", replication=1)], axes)
    labels = axes.get_legend_handles_labels()[1]
    assert labels == ["skip-locked, simulated"]


def test_lock_waits_of_both_drivers_stand_side_by_side(axes: Axes):
    lock_waits([made("skip-locked", "live"), made("skip-locked", "sim", lock_wait_ms=500)], axes)
    live, simulated = axes.patches
    assert (live.get_width(), simulated.get_width()) == (2.5, 0.5)
    assert live.get_facecolor() == mpl.colors.to_rgba(colour("skip-locked"))
    assert simulated.get_facecolor() == mpl.colors.to_rgba("white")
    assert "live: 2.5 s; 7 waits" in texts(axes)


def test_lock_waits_that_nobody_measured_are_not_drawn_as_nought(axes: Axes):
    lock_waits([made("skip-locked", "live", lock_wait_ms=None)], axes)
    assert not axes.patches
    assert "not measured" in texts(axes)


def test_replications_of_lock_waits_are_their_mean_with_its_spread(axes: Axes):
    runs = [made("x", "sim", lock_wait_ms=ms) for ms in (1000, 3000)]
    lock_waits(runs, axes)
    assert axes.patches[0].get_width() == 2
    assert list(axes.get_lines()[0].get_xdata()) == [1, 3]


def test_a_stuck_job_is_a_bar_from_its_workers_death_until_it_was_given_back(axes: Axes):
    stuck([made("skip-locked", "live")], axes)
    (bar,) = axes.patches
    assert (bar.get_x(), bar.get_width()) == (1, 30)
    assert texts(axes) == "1 stuck, 30 s in all"


def test_a_job_that_is_stuck_to_the_end_has_an_arrow(axes: Axes):
    story = (
        Story().attempt(1, 0, 0, outcome="died").event(1, "died").attempt(2, 2, 2, 4, 4, worker=1)
    )
    facts = story.facts(jobs([0, 0]))
    stuck([Result.of(facts, measure(facts, driver="sim", name="x"))], axes)
    assert axes.collections[0].get_offsets().tolist() == [[4, 0.1]]
    assert texts(axes) == "1 stuck, 3 s in all; 1 still so at the end"


def test_all_plots_are_saved_and_no_figure_stays_open(tmp_path: Path):
    before = plt.get_fignums()
    paths = save_all([logged(), made("skip-locked", "sim", speedup=60)], tmp_path / "new")
    assert [path.name for path in paths] == [f"{name}.png" for name in PLOTS]
    assert sorted((tmp_path / "new").iterdir()) == sorted(paths)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
    assert plt.get_fignums() == before
