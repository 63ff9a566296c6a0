"""Numbers for a document: plain Python's, and None where there is nothing to take them of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jobsim.outcomes.arrays import Floats


def mean(values: Floats) -> float | None:
    """The arithmetic mean; None of nothing."""
    return float(values.mean()) if len(values) else None


def at_percents(values: Floats, percents: Sequence[float]) -> list[float | None]:
    """Percentiles, linear between neighbours; None of nothing. The values change places."""
    if not len(values):
        return [None] * len(percents)
    return [*map(float, np.percentile(values, percents, overwrite_input=True))]


def ratio(amount: float, of: float) -> float | None:
    """A quotient; None where there is nothing to divide by."""
    return amount / of if of > 0 else None
