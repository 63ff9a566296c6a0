from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jobsim.joblog import sacct
from jobsim.joblog.reading import Reading
from jobsim.joblog.table import JobLog

HEADER = "JobID|JobName|User|Partition|Submit|Start|End|Elapsed|State|MaxRSS"

A_JOB = {
    "JobID": "7",
    "JobName": "render",
    "User": "ann",
    "Partition": "short",
    "Submit": "2024-03-05T10:00:00",
    "Start": "2024-03-05T10:00:30",
    "End": "2024-03-05T10:02:00",
    "Elapsed": "00:01:30",
    "State": "COMPLETED",
    "MaxRSS": "",
}


@pytest.fixture(scope="session")
def job() -> Callable[..., str]:
    """A line of a job with these fields of a header, the others as in `A_JOB`."""

    def line(header: str = HEADER, **fields: str) -> str:
        return "|".join((A_JOB | fields).get(name, "") for name in header.split("|"))

    return line


@pytest.fixture
def read(file: Callable[..., Path]) -> Callable[..., JobLog]:
    """Reads a log of these lines below a header (an empty one for none)."""

    def read_lines(*lines: str | bytes, header: str = HEADER, **said: object) -> JobLog:
        above = (header,) if header else ()
        return sacct.read(file("jobs.txt", *above, *lines), Reading(**said))  # type: ignore[arg-type]

    return read_lines


@pytest.fixture(scope="session")
def noted() -> Callable[[JobLog, str], int]:
    """How many jobs the note with these words counts; 0 where there is none."""

    def count(log: JobLog, words: str) -> int:
        return sum(note.count for note in log.notes if words in note.reason)

    return count
