"""XES event logs (IEEE 1849): the events streamed, the work items, the jobs."""

from __future__ import annotations

from jobsim.joblog.xes.reader import looks_like, read

__all__ = ["looks_like", "read"]
