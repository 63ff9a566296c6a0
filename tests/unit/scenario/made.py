"""Small logs for scenarios."""

from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog import JobLog


def log_of(submit_s: Any, run_s: Any, **more: Any) -> JobLog:
    """A log of these jobs."""
    columns = {"kind": "zip", "submit_s": np.asarray(submit_s, dtype=float), "run_s": run_s}
    return JobLog.of(pd.DataFrame({**columns, "outcome": "completed", **more}), name="made")
