"""Any table of jobs, whatever its columns are called."""

from __future__ import annotations

from jobsim.joblog.tabular.frame import from_frame

__all__ = ["from_frame"]
