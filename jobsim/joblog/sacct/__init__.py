"""Slurm's accounting as ``sacct`` prints it."""

from __future__ import annotations

from jobsim.joblog.sacct.log import TAKES, read
from jobsim.joblog.sacct.sign import looks_like

__all__ = ["TAKES", "looks_like", "read"]
