"""Any table of jobs, whatever its columns are called."""

from __future__ import annotations

from jobsim.joblog.tabular.frame import from_frame

__all__ = ["TAKES", "from_frame"]

TAKES = frozenset({"columns", "units", "outcomes", "zone"})
"""What a user can say of any table (`Reading`)."""
