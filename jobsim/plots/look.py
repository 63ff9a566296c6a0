"""What all plots share: colours, line styles, labels, units, and the log's own time above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from jobsim.result import Result

STYLE = Path(__file__).parents[1] / "jobsim.mplstyle"

COLOURS = {
    "as-logged": "#555555",
    "taken-flag": "#D55E00",
    "for-update": "#0072B2",
    "skip-locked": "#009E73",
    "guarded-flag": "#E69F00",
    "no-control": "#CC79A7",
    "process-watcher": "#56B4E9",
    "heartbeat": "#000000",
    "busy-time": "#8C6D00",
}
"""A policy has the same colour in every plot. These are the colours of Okabe and Ito, which
colour-blind people can tell apart; their yellow is darker here, since it vanishes on white."""

LINES = {"live": "solid", "sim": "dashed", "log": "dotted"}
DASHES = (4.0, 3.0)
WIDTHS = {"live": 2.6, "sim": 1.3, "log": 1.6}
"""Live is drawn first, broad and pale, so that the simulation is seen on top of it."""
DRIVERS = {"live": "live", "sim": "simulated"}

UNITS_S = {"d": 86400.0, "h": 3600.0, "min": 60.0, "s": 1.0}


def colour(name: str) -> str:
    """The colour of a policy; one that is not known gets one by its name."""
    return COLOURS.get(name) or list(COLOURS.values())[crc32(name.encode()) % len(COLOURS)]


def groups(results: Sequence[Result]) -> list[list[Result]]:
    """The runs, replications of the same policy and driver together."""
    found: dict[tuple[str, str], list[Result]] = {}
    for run in results:
        found.setdefault((run.name, run.driver), []).append(run)
    return list(found.values())


def label(run: Result) -> str:
    """What a run is called in a plot."""
    return "the log itself" if run.driver == "log" else f"{run.name}, {DRIVERS[run.driver]}"


def lines(results: Sequence[Result]) -> Iterator[tuple[Result, dict[str, Any]]]:
    """Each run with the look of its line; replications have one label, and are paler."""
    names = list(dict.fromkeys(run.name for run in results))
    for group in groups(results):
        line = _line(group[0], names.index(group[0].name) / len(names), len(group))
        for k, run in enumerate(group):
            yield run, line | {"label": label(run) if k == 0 else None}


def _line(run: Result, phase: float, replications: int) -> dict[str, Any]:
    """``phase`` shifts the dashes, so that lines that lie on each other all show."""
    pale = 0.55 if run.driver == "live" else 1.0
    return {
        "color": colour(run.name),
        "linestyle": (phase * sum(DASHES), DASHES) if run.driver == "sim" else LINES[run.driver],
        "linewidth": WIDTHS[run.driver],
        "alpha": pale * max(0.3, replications**-0.5),
        "zorder": 2.0 if run.driver == "live" else 2.5,
    }


def fill(run: Result) -> dict[str, Any]:
    """The look of a bar: live filled, simulated hollow with a dashed edge."""
    own = colour(run.name)
    face = own if run.driver == "live" else "white"
    return {"facecolor": face, "edgecolor": own, "linestyle": LINES[run.driver], "linewidth": 1.3}


def unit_for(longest_s: float) -> tuple[str, float]:
    """A unit in which a time of this length is a handy number, and its size in seconds."""
    return next(
        ((unit, size_s) for unit, size_s in UNITS_S.items() if longest_s >= 3 * size_s), ("s", 1.0)
    )


def speedup_of(results: Sequence[Result]) -> float:
    """How much faster than the log these runs were played; 1 where that differs between them."""
    speedups = {run.metrics["speedup"] for run in results if run.driver != "log"}
    return float(speedups.pop()) if len(speedups) == 1 else 1.0


def pace(run: Result, results: Sequence[Result]) -> float:
    """What a run's times are divided by: the log's own time passes as it does in the runs."""
    return speedup_of(results) if run.driver == "log" else 1.0


def log_time_above(ax: Axes, results: Sequence[Result], size_s: float) -> None:
    """A second axis above with the log's own time, where the runs were played faster.

    ``size_s``: seconds of one unit of the axis below.
    """
    speedup = speedup_of(results)
    if speedup == 1:
        return
    unit, log_size_s = unit_for(ax.get_xlim()[1] * size_s * speedup)
    factor = size_s * speedup / log_size_s

    def upward(x: Any) -> Any:
        return x * factor

    def downward(x: Any) -> Any:
        return x / factor

    above = ax.secondary_xaxis("top", functions=(upward, downward))
    above.set_xlabel(f"the same in the log's time, {speedup:g} times as long ({unit})")
    if ax.get_xscale() == "log":
        above.xaxis.set_major_formatter("{x:g}")


def legend(ax: Axes) -> None:
    """A legend beside the axes, where it hides nothing."""
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
