"""Numbers for a document: plain Python's, and None where there is nothing to take them of."""

from __future__ import annotations

import numpy as np

from jobsim.outcomes.arrays import Floats


def mean(values: Floats) -> float | None:
    """The arithmetic mean; None of nothing."""
    return float(values.mean()) if len(values) else None


def at_percent(values: Floats, percent: float) -> float | None:
    """A percentile, linear between neighbours; None of nothing."""
    return float(np.percentile(values, percent)) if len(values) else None


def ratio(amount: float, of: float) -> float | None:
    """A quotient; None where there is nothing to divide by."""
    return amount / of if of > 0 else None
