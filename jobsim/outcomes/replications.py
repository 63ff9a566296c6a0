"""Several runs that differ in their seed alone, as one: each metric's mean and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from jobsim.outcomes.measure import Metrics

AS_THEY_ARE = ("driver", "name", "family", "workers", "speedup")


def replicated(runs: Sequence[Metrics], confidence: float = 0.95) -> Metrics:
    """The metrics of replications: ``{"mean", "low", "high"}`` for each number.

    ``low`` and ``high`` bound the mean (Student's t over the replications, which are independent;
    the jobs of one run are not). Replications that did not measure a number are left out of it; one
    alone gives no bounds. ``seed`` is the first one's; ``replications`` is added, their number.
    """
    first = runs[0]
    merged = {
        key: first[key] if key in AS_THEY_ARE else _merged([run[key] for run in runs], confidence)
        for key in first
    }
    return merged | {"seed": first["seed"], "replication": None, "replications": len(runs)}


def _merged(values: list[Any], confidence: float) -> Any:
    groups = [value for value in values if isinstance(value, dict)]
    if not groups:
        return _interval([value for value in values if value is not None], confidence)
    keys = dict.fromkeys(key for group in groups for key in group)
    return {key: _merged([group.get(key) for group in groups], confidence) for key in keys}


def _interval(values: list[float], confidence: float) -> dict[str, float | None] | None:
    from scipy.stats import t  # slow to import

    if not values:
        return None
    mean, n = float(np.mean(values)), len(values)
    if n == 1:
        return {"mean": mean, "low": None, "high": None}
    half = float(t.ppf((1 + confidence) / 2, n - 1)) * float(np.std(values, ddof=1)) / sqrt(n)
    return {"mean": mean, "low": mean - half, "high": mean + half}
