"""Dumps of databases that hold queue tables, as a format of log files."""

from __future__ import annotations

from pathlib import Path

from jobsim.joblog.files import log_name
from jobsim.joblog.queues.read import read_tables
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.sqldump import looks_like, open_dump
from jobsim.joblog.table import JobLog

looks_like_dump = looks_like


def read_dump(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read the queue tables, or the table that the user names, of an SQL dump.

    Raises
    ------
    LogError
        It cannot be read, has no known tables, or these cannot make a log.
    UsageError
        It has several systems, or not the table that the user names.
    """
    return read_tables(open_dump(path), reading, log_name(path))
