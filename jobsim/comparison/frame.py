"""The comparison as a data frame, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from jobsim.comparison.table import COLUMNS
from jobsim.comparison.values import value
from jobsim.outcomes import Metrics


def comparison_frame(runs: Sequence[Metrics]) -> pd.DataFrame:
    """One row a policy and driver, the table's columns by the metrics' own names.

    Times are in run seconds; a value is the mean where there were replications, and missing where
    it was not measured.
    """
    family = next((run["family"] for run in runs if run["driver"] != "log"), "queue")
    metrics = [column.metric for column in COLUMNS[family]]
    rows = [
        {"policy": run["name"], "on": run["driver"]} | {name: value(run, name) for name in metrics}
        for run in runs
    ]
    return pd.DataFrame(rows).set_index(["policy", "on"])
