"""What arrays of times say by themselves: their spread, their steps, how many are equal."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

Floats: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]

QUANTILES = {"p50_s": 0.5, "p95_s": 0.95, "p99_s": 0.99}

STEPS_S = (86400.0, 3600.0, 60.0, 1.0, 0.1, 0.01, 0.001)
"""What clocks of logs count in."""

STEP_VALUES = 10
"""With fewer different times than this, that all are multiples of something is chance."""

SAMPLE = 1000


def spread(times_s: Floats) -> dict[str, float] | None:
    """Least, mean, quantiles and greatest; None where there are no times."""
    if not len(times_s):
        return None
    quantiles = np.quantile(times_s, list(QUANTILES.values()))
    return {
        "min_s": float(times_s.min()),
        "mean_s": float(times_s.mean()),
        **dict(zip(QUANTILES, map(float, quantiles), strict=True)),
        "max_s": float(times_s.max()),
    }


def variation(times_s: Floats) -> float | None:
    """The squared coefficient of variation, variance / mean²: 0 if constant, 1 if exponential."""
    mean_s = float(times_s.mean()) if len(times_s) > 1 else 0.0
    return float(times_s.var() / mean_s**2) if mean_s else None


def resolution_s(times_s: Floats) -> float | None:
    """The largest of `STEPS_S` of which all times, ascending, are multiples.

    None where that is finer, or where the times are too few to tell.
    """
    if different(times_s) < STEP_VALUES:
        return None
    few = times_s[:: max(len(times_s) // SAMPLE, 1)]
    fitting = (step for step in STEPS_S if _multiples(few, step) and _multiples(times_s, step))
    return next(fitting, None)


def different(times_s: Floats) -> int:
    """How many different ones there are of these times, ascending."""
    return int(np.count_nonzero(np.diff(times_s))) + 1 if len(times_s) else 0


def _multiples(times_s: Floats, step_s: float) -> bool:
    """Whether all are, but for what floats of their size cannot hold."""
    steps = times_s / step_s
    slack = max(1e-6, 4 * float(np.spacing(np.abs(steps).max())))
    return slack < 0.1 and bool((np.abs(steps - np.rint(steps)) <= slack).all())


def known(number: float | None) -> float | None:
    """The number, or None for NaN and infinity."""
    return float(number) if number is not None and math.isfinite(number) else None
