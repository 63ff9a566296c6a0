"""Queue tables that jobsim knows by name, in dumps, in databases and as exported CSV."""

from __future__ import annotations

from jobsim.joblog.queues.airflow_csv import looks_like as looks_like_airflow_csv
from jobsim.joblog.queues.airflow_csv import read as read_airflow_csv
from jobsim.joblog.queues.dumps import looks_like_dump, read_dump
from jobsim.joblog.queues.live import found, read_url

__all__ = [
    "found",
    "looks_like_airflow_csv",
    "looks_like_dump",
    "read_airflow_csv",
    "read_dump",
    "read_url",
]
