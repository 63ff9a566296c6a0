"""Firings of cron, from the lines that it writes to syslog."""

from __future__ import annotations

from jobsim.joblog.cronlog.reader import looks_like, read

__all__ = ["looks_like", "read"]
