"""The plots.

Live is solid, simulated dashed, the log itself dotted. Each function draws on the axes it is given,
or on new ones, and returns them; none shows anything or changes a setting of matplotlib.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jobsim.outcomes.backlog import curve
from jobsim.outcomes.measure import rows_of_family
from jobsim.outcomes.stuck import episodes
from jobsim.outcomes.waiting import waits_s
from jobsim.plots import look
from jobsim.units import format_duration

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from jobsim.outcomes.arrays import Flags, Floats, Whole
    from jobsim.outcomes.spans import Levels
    from jobsim.result import Result

Plot = Callable[..., "Axes"]

MOST_POINTS = 4000
"""More than this of one curve cannot be seen."""

SMALLEST_BAR_S = 0.01
"""Lock waits are counted in whole milliseconds: a few of them shall not fill a plot."""

MOST_STEPS = 400
"""More steps than this make a band of a line."""

SHORTEST_S = 1e-3
"""An axis of logarithms has no 0: shorter waits are drawn as this one."""


def _plot(draw: Callable[[Sequence[Result], Axes], None]) -> Plot:
    """Make a plot of what draws it: in our style, on the axes given or on new ones."""

    @wraps(draw)
    def plot(results: Sequence[Result], ax: Axes | None = None) -> Axes:
        from matplotlib import pyplot as plt

        with plt.style.context(look.STYLE):
            if ax is None:
                _, ax = plt.subplots()
            draw(results, ax)
        return ax

    return plot


@_plot
def backlog_over_time(results: Sequence[Result], ax: Axes) -> None:
    """Jobs that were due and that nobody was at work on, over time.

    A curve of many steps is drawn as means of short stretches of time.
    """
    end_s = max((run.facts.end_s / look.pace(run, results) for run in results), default=1.0)
    unit, size_s = look.unit_for(end_s)
    for run, line in look.lines(results):
        t_s, level = _staircase(curve(run.facts, _own(run)), run.facts.end_s)
        ax.step(t_s / look.pace(run, results) / size_s, level, where="post", **line)
    ax.set(title="Backlog", xlabel=f"time since the run began ({unit})", ylabel="jobs waiting")
    ax.set_xlim(0, end_s / size_s or 1.0)
    ax.set_ylim(bottom=0)
    ax.locator_params(axis="y", integer=True)
    look.log_time_above(ax, results, size_s)
    look.legend(ax)


@_plot
def waits(results: Sequence[Result], ax: Axes) -> None:
    """The share of jobs that waited longer than a time; both axes are logarithmic."""
    ax.set(xscale="log", yscale="log", title="Waits", xlabel="wait from due to start (s)")
    left_s = np.inf
    for run, line in look.lines(results):
        wait_s = waits_s(run.facts)[_own(run)] / look.pace(run, results)
        wait_s = np.sort(wait_s[~np.isnan(wait_s)]).clip(SHORTEST_S)
        if len(wait_s):
            at = _toward_the_tail(len(wait_s))
            ax.step(wait_s[at], 100 * (len(wait_s) - at) / len(wait_s), where="pre", **line)
            left_s = min(left_s, _short(wait_s))
    if np.isfinite(left_s):
        ax.set_xlim(left=left_s)
    ax.set_ylabel("jobs that waited longer (%)")
    ax.set_ylim(top=115)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    for percent, name in ((5, "p95"), (1, "p99")):
        ax.axhline(percent, color="0.5", linewidth=0.8, zorder=0)
        ax.text(
            1.0, percent, name, transform=ax.get_yaxis_transform(), va="bottom", ha="right",
            fontsize="small", color="0.4", clip_on=True,
        )  # fmt: skip
    look.log_time_above(ax, results, 1.0)
    look.legend(ax)


@_plot
def lock_waits(results: Sequence[Result], ax: Axes) -> None:
    """Seconds that statements waited for locks, by policy: live filled, simulated hollow."""
    groups = [group for group in look.groups(results) if group[0].driver != "log"]
    names = list(dict.fromkeys(group[0].name for group in groups))
    drivers = [driver for driver in look.DRIVERS if any(g[0].driver == driver for g in groups)]
    height = 0.8 / max(len(drivers), 1)
    for group in groups:
        place = drivers.index(group[0].driver) - (len(drivers) - 1) / 2
        _bar(ax, group, names.index(group[0].name) + place * height, 0.9 * height)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(max(len(names), 1) - 0.5, -0.5)
    ax.set(title="Lock waits", xlabel="time that statements waited for locks, all together (s)")
    ax.set_xlim(0, 1.3 * max(ax.dataLim.x1, SMALLEST_BAR_S))
    ax.grid(visible=False, axis="y")


@_plot
def stuck(results: Sequence[Result], ax: Axes) -> None:
    """When jobs were in the hands of a worker that was gone; an arrow: still so at the end."""
    groups = [group for group in look.groups(results) if group[0].driver != "log"]
    runs = [run for group in groups for run in group]
    end_s = max((run.facts.end_s for run in runs), default=1.0)
    unit, size_s = look.unit_for(end_s)
    for row, group in enumerate(groups):
        _episodes(ax, group, row, size_s)
    ax.set_yticks(range(len(groups)), [look.label(group[0]) for group in groups])
    ax.set_ylim(max(len(groups), 1) - 0.5, -0.5)
    ax.set_xlim(0, 1.02 * end_s / size_s or 1.0)
    ax.set(title="Stuck jobs", xlabel=f"time since the run began ({unit})")
    look.log_time_above(ax, runs, size_s)


PLOTS: dict[str, Plot] = {
    "backlog": backlog_over_time,
    "waits": waits,
    "lock-waits": lock_waits,
    "stuck": stuck,
}
"""Every plot by the name of its file."""


def save_all(results: Sequence[Result], folder: str | Path) -> list[Path]:
    """Save every plot as PNG; the files."""
    from matplotlib.figure import Figure
    from matplotlib.style import context

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, plot in PLOTS.items():
        with context(look.STYLE):
            figure = Figure()
            plot(results, figure.subplots())
            writing = folder / f".{name}.png"
            figure.savefig(writing, format="png")
        paths.append(writing.replace(folder / f"{name}.png"))
    return paths


def _own(run: Result) -> Flags:
    """The jobs that the run's family plays."""
    return rows_of_family(run.facts, run.metrics["family"] or "queue")


def _staircase(steps: Levels, end_s: float) -> tuple[Floats, Floats]:
    """A step function from 0 to a run's end; where it has too many steps, means of stretches."""
    t_s = np.concatenate(([0.0], steps.t_s, [end_s]))
    level = np.concatenate(([0.0], steps.level, [0.0]))
    if len(t_s) <= MOST_STEPS:
        return t_s, level
    area = np.append(0.0, np.cumsum(level[:-1] * np.diff(t_s)))
    edges_s = np.linspace(0.0, end_s, MOST_STEPS)
    means = np.diff(np.interp(edges_s, t_s, area)) / np.diff(edges_s)
    return edges_s, np.append(means, means[-1])


def _toward_the_tail(count: int) -> Whole:
    """Which of so many sorted values to draw: all, or ever more of them towards the greatest."""
    if count <= MOST_POINTS:
        return np.arange(count, dtype=np.int32)
    left = np.unique(np.geomspace(1, count, MOST_POINTS).astype(np.int32))
    return count - left[::-1]


def _short(wait_s: Floats) -> float:
    """A wait that is short among those that are waits at all."""
    real_s = wait_s[wait_s > SHORTEST_S]
    return float(np.percentile(real_s, 5)) if len(real_s) else SHORTEST_S


def _bar(ax: Axes, group: list[Result], y: float, height: float) -> None:
    """One bar with what it says; replications are its mean, with a line from least to most."""
    told = [run.metrics["contention"] for run in group]
    seconds = [t["lock_wait_s"] for t in told if t["lock_wait_s"] is not None]
    driver = look.DRIVERS[group[0].driver]
    if not seconds:
        ax.text(0, y, f"  {driver}: not measured", va="center", color="0.4")
        return
    mean_s = float(np.mean(seconds))
    ax.barh(y, mean_s, height, **look.fill(group[0]))
    if len(seconds) > 1:
        ax.plot([min(seconds), max(seconds)], [y, y], color="0.2", linewidth=1.2)
    count = np.mean([t["lock_waits"] for t in told if t["lock_waits"] is not None])
    text = f" {driver}: {mean_s:.3g} s; {count:,.0f} waits"
    ax.text(max(mean_s, *seconds), y, text, va="center", fontsize="small")


def _episodes(ax: Axes, group: list[Result], row: int, size_s: float) -> None:
    """One bar a time that a job was stuck, laid side by side in the row of its policy."""
    found = [episodes(run.facts) for run in group]
    spans = np.concatenate([one[["from_s", "to_s"]].to_numpy(dtype=float) for one in found])
    still = np.concatenate([one["still"].to_numpy(dtype=bool) for one in found])
    ax.text(
        0.01, row - 0.42, _told(spans[:, 1] - spans[:, 0], still),
        transform=ax.get_yaxis_transform(), va="top", fontsize="small",
    )  # fmt: skip
    height = min(0.16, 0.7 / max(len(spans), 1))
    y = row + 0.1 + (np.arange(len(spans)) - (len(spans) - 1) / 2) * height
    from_s, to_s = spans.T / size_s
    ax.barh(y, to_s - from_s, 0.8 * height, left=from_s, **look.fill(group[0]))
    ends: dict[str, Any] = {"marker": ">", "s": 60, "clip_on": False, "zorder": 3}
    ax.scatter(to_s[still], y[still], color=look.colour(group[0].name), **ends)


def _told(stuck_s: Floats, still: Flags) -> str:
    if not len(stuck_s):
        return "no job was stuck"
    total = f"{len(stuck_s)} stuck, {format_duration(float(stuck_s.sum()))} in all"
    return f"{total}; {int(still.sum())} still so at the end" if still.any() else total
