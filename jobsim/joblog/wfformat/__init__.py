"""WfFormat, the JSON of the WfCommons project: one workflow, its tasks and their order."""

from __future__ import annotations

from jobsim.joblog.wfformat.reader import looks_like, read

__all__ = ["looks_like", "read"]
