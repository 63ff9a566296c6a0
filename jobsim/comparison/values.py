"""Metrics by name, and how their values are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jobsim.outcomes import Metrics
from jobsim.units import format_duration


def value(run: Metrics, metric: str) -> float | None:
    """A metric by its dotted name: the number, or the mean of replications; None: not measured."""
    found = _found(run, metric)
    number: float | None = found["mean"] if isinstance(found, dict) else found
    return number


def half_width(run: Metrics, metric: str) -> float | None:
    """How far the 95 % bounds of a metric lie from its mean; None for one run alone."""
    found = _found(run, metric)
    if not isinstance(found, dict) or found["low"] is None:
        return None
    return float(found["high"] - found["mean"])


def _found(run: Metrics, metric: str) -> Any:
    group, _, name = metric.rpartition(".")
    return (run[group] if group else run).get(name)


def by_policy(runs: Sequence[Metrics]) -> dict[str, dict[str, Metrics]]:
    """The played runs of each policy, by driver."""
    found: dict[str, dict[str, Metrics]] = {}
    for run in runs:
        if run["driver"] != "log":
            found.setdefault(run["name"], {})[run["driver"]] = run
    return found


def speedup_of(runs: Sequence[Metrics]) -> float:
    """How much faster than the log the runs were played; 1 where that differs between them."""
    speedups = {run["speedup"] for run in runs if run["driver"] != "log"}
    return float(speedups.pop()) if len(speedups) == 1 else 1.0


def count(number: float | None) -> str:
    """A count; of replications with the digits that a mean needs."""
    if number is None:
        return "-"
    return f"{number:,.0f}" if number == int(number) or abs(number) >= 100 else f"{number:.2g}"


def level(number: float | None) -> str:
    """A mean level, with three significant digits."""
    return "-" if number is None else f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def duration(seconds: float | None) -> str:
    """A duration of three significant digits at most."""
    return format_duration(seconds)
