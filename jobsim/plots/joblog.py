"""A job log as pictures: when its jobs came, how long they ran and waited, how many at once.

Each function draws on the axes it is given, or on new ones, and returns them. What a log does not
say is said on the axes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from jobsim.joblog.describe.arrivals import WEEK_S, week_hours
from jobsim.joblog.describe.calendar import DAY_S, Calendar
from jobsim.joblog.describe.gaps import longest_gaps
from jobsim.joblog.describe.running import Running
from jobsim.joblog.describe.tail import tail
from jobsim.joblog.describe.times import Floats
from jobsim.joblog.describe.words import duration
from jobsim.joblog.table import JobLog
from jobsim.plots import look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LogPlot = Callable[..., "Axes"]

PARTS = 300
"""More parts of a span than this cannot be told apart."""

MOST_POINTS = 2000

GREY = look.colour("as-logged")
PALE, ORANGE = "0.6", "#D55E00"

SHORT_S = 3 * 3600.0
"""A shorter log has its arrivals by the minute."""


def _plot(draw: Callable[[JobLog, Axes], None]) -> LogPlot:
    """Make a plot of what draws it: in our style, on the axes given or on new ones."""

    @wraps(draw)
    def plot(log: JobLog, ax: Axes | None = None) -> Axes:
        from matplotlib import pyplot as plt

        with plt.style.context(look.STYLE):
            if ax is None:
                _, ax = plt.subplots()
            draw(log, ax)
        return ax

    return plot


@_plot
def arrivals(log: JobLog, ax: Axes) -> None:
    """Jobs submitted an hour (or a minute), over the log's time; holes in the log are shaded."""
    submit_s = _column(log, "submit_s")
    ax.set(title="Arrivals", ylabel="jobs submitted")
    if not _spans(submit_s, ax):
        return
    edges_s = _edges_s(submit_s[0], submit_s[-1])
    counts, _ = np.histogram(submit_s, edges_s)
    unit, unit_s = (
        ("an hour", 3600.0) if edges_s[-1] - edges_s[0] >= SHORT_S else ("a minute", 60.0)
    )
    at = _time_axis(log, edges_s[-1] - edges_s[0], ax)
    ax.set_title(f"Arrivals, in steps of {duration(edges_s[1] - edges_s[0])}")
    ax.set_ylabel(f"jobs submitted {unit}")
    ax.stairs(unit_s * counts / np.diff(edges_s), at(edges_s), fill=True, color=GREY)
    for gap in longest_gaps(submit_s):
        if gap.is_hole:
            hole = at(np.array([gap.from_s, gap.from_s + gap.length_s]))
            ax.axvspan(hole[0], hole[1], color=ORANGE, alpha=0.25, linewidth=0)
    ax.set_ylim(bottom=0)


@_plot
def run_times(log: JobLog, ax: Axes) -> None:
    """The share of jobs that ran longer than a time, with the tail's power law, if it has one.

    Both axes are logarithmic, where a power law is a straight line. The dotted line is that of
    exponential run times with the same mean.
    """
    run_s = np.sort(_known(log, "run_s"))
    ax.set(title="Run times", xlabel="run time (s)", ylabel="jobs that ran longer (%)")
    if not _tell(run_s[run_s > 0], ax, "no run times are logged"):
        return
    _ccdf(run_s, ax, "as logged")
    times_s = np.geomspace(max(ax.get_xlim()[0], run_s[-1] / 1e9), run_s[-1], 200)
    ax.plot(
        times_s, 100 * np.exp(-times_s / run_s.mean()), color=PALE, linestyle="dotted",
        label="exponential, same mean",
    )  # fmt: skip
    if found := tail(run_s):
        beyond_s = np.array([found.above_s, run_s[-1]])
        ax.plot(
            beyond_s, 100 * found.k / len(run_s) * (beyond_s / found.above_s) ** -found.index,
            color=ORANGE, linestyle="dashed",
            label=f"tail index {found.index:.3g} ± {found.error:.2g}",
        )  # fmt: skip
    ax.set_ylim(bottom=50 / len(run_s))
    look.legend(ax)


@_plot
def waits(log: JobLog, ax: Axes) -> None:
    """The share of jobs that waited longer than a time, by the logged starts."""
    wait_s = np.sort(_known(log, "start_s", "submit_s"))
    ax.set(title="Waits as logged", xlabel="wait from submission to start (s)")
    ax.set_ylabel("jobs that waited longer (%)")
    if not len(wait_s):
        _tell(wait_s, ax, "no starts are logged")
    elif _tell(wait_s[wait_s > 0], ax, "no job ever waited"):
        _ccdf(wait_s, ax, "as logged")
        ax.set_ylim(bottom=50 / len(wait_s))


@_plot
def profile(log: JobLog, ax: Axes) -> None:
    """Jobs submitted an hour, by weekday and hour of the day in the log's time zone."""
    calendar = Calendar.of(log)
    ax.set(title="The week", xlabel=f"hour of the day ({calendar.name})")
    submit_s = _column(log, "submit_s")
    long_enough = len(submit_s) and submit_s[-1] - submit_s[0] >= 2 * WEEK_S
    if not _tell(submit_s[: bool(long_enough)], ax, "the log spans less than two weeks"):
        return
    week = week_hours(submit_s, calendar)
    rates = np.reshape(week.rates(), (7, 24))
    field = ax.pcolormesh(np.arange(25), np.arange(8), rates, cmap="Blues", vmin=0)
    ax.figure.colorbar(field, ax=ax, label="jobs submitted an hour")
    ax.set_yticks(np.arange(7) + 0.5, calendar.weekdays)
    ax.set_xticks(range(0, 25, 3))
    ax.invert_yaxis()
    ax.grid(visible=False)


@_plot
def running(log: JobLog, ax: Axes) -> None:
    """Jobs at work at once over the log's time, and how many would be if none had to wait."""
    submit_s, start_s, run_s = (_column(log, name) for name in ("submit_s", "start_s", "run_s"))
    ax.set(title="Jobs at work at once", ylabel="jobs at work")
    if not _tell(run_s[~np.isnan(run_s)], ax, "no run times are logged"):
        return
    logged, unwaiting = Running.of(start_s, run_s), Running.of(submit_s, run_s)
    ends_s = [each.end_s[-1] for each in (logged, unwaiting) if len(each.end_s)]
    if not _spans(np.array([submit_s[0], max(ends_s)]), ax):
        return
    edges_s = _edges_s(submit_s[0], max(ends_s))
    at = _time_axis(log, edges_s[-1] - edges_s[0], ax)(edges_s)
    if len(logged.begin_s):
        ax.stairs(logged.mean(edges_s), at, color=GREY, linewidth=1.6, label="as logged")
    ax.stairs(
        unwaiting.mean(edges_s), at, color=ORANGE, linestyle="dotted", linewidth=1.2,
        label="if none had to wait",
    )  # fmt: skip
    ax.set_ylim(bottom=0)
    look.legend(ax)


LOG_PLOTS: dict[str, LogPlot] = {
    "arrivals": arrivals,
    "run-times": run_times,
    "profile": profile,
    "waits": waits,
    "running": running,
}
"""Every plot of a log by its name."""


def _column(log: JobLog, name: str) -> Floats:
    return log.jobs[name].to_numpy()


def _known(log: JobLog, name: str, since: str | None = None) -> Floats:
    """The known times of a column, or from one column to another."""
    times_s = _column(log, name) - (_column(log, since) if since else 0.0)
    return times_s[~np.isnan(times_s)]


def _tell(some: Floats, ax: Axes, otherwise: str) -> bool:
    """Whether there is something to draw; if not, the axes say why."""
    if len(some):
        return True
    ax.text(0.5, 0.5, otherwise, transform=ax.transAxes, ha="center", va="center", color="0.4")
    ax.set(xticks=[], yticks=[])
    return False


def _spans(instants_s: Floats, ax: Axes) -> bool:
    """Whether these instants, ascending, are more than one; if not, the axes say so."""
    some = instants_s if len(instants_s) and instants_s[-1] > instants_s[0] else instants_s[:0]
    return _tell(some, ax, "all jobs are submitted at one instant")


def _edges_s(from_s: float, to_s: float) -> Floats:
    return np.linspace(from_s, to_s, PARTS + 1)


def _time_axis(log: JobLog, span_s: float, ax: Axes) -> Callable[[Floats], Floats]:
    """Label the axis; what makes x values of instants: dates if known, else times since zero."""
    calendar = Calendar.of(log)
    if log.origin is not None and calendar.at(span_s + log.jobs["submit_s"].iloc[0]):
        dates: Any = import_module("matplotlib.dates")
        locator = dates.AutoDateLocator(tz=calendar.clock)
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, tz=calendar.clock))
        ax.set_xlabel(calendar.name)
        zero_d = float(dates.date2num(log.origin))
        return lambda t_s: zero_d + t_s / DAY_S
    unit, size_s = look.unit_for(span_s)
    ax.set_xlabel(f"time since the log's zero ({unit})")
    return lambda t_s: t_s / size_s


def _ccdf(times_s: Floats, ax: Axes, label: str) -> None:
    """The share of values, ascending, that are greater than each; zeros are left of the axis."""
    count = len(times_s)
    left = np.unique(np.geomspace(1, count, min(count, MOST_POINTS)).astype("int64"))
    at = count - left[::-1]
    shown = at[times_s[at] > 0]
    ax.set(xscale="log", yscale="log")
    ax.step(times_s[shown], 100 * (count - shown) / count, where="pre", color=GREY, label=label)
    ax.set_ylim(top=130)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
