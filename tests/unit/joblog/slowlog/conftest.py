from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobsim.joblog import slowlog
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.table import JobLog


def _entry(
    sql: str = "SELECT * FROM orders WHERE id = 7",
    *,
    time: str | None = None,
    user: str | None = "root[app] @ web [10.0.0.3]",
    session: int | None = 4,
    stamp: int | None = None,
    query: object = "2.500000",
    lock: object = "0.000100",
    fields: str = "",
    more: tuple[str, ...] = (),
    use: str | None = None,
) -> str:
    """An entry as the server writes it; what is None is left out."""
    lines = [
        *([f"# Time: {time}"] if time else []),
        *([f"# User@Host: {user}  Id: {session}"] if user is not None else []),
        f"# Query_time: {query}  Lock_time: {lock} Rows_sent: 0  Rows_examined: 9{fields}",
        *more,
        *([f"use {use};"] if use else []),
        *([f"SET timestamp={stamp};"] if stamp is not None else []),
        sql if sql.startswith("#") else f"{sql};",
    ]
    return "\n".join(lines)


@pytest.fixture(scope="session")
def entry() -> Callable[..., str]:
    return _entry


@pytest.fixture
def read(file: Callable[..., Path]) -> Callable[..., JobLog]:
    """Reads a log of these entries, as they are written or as arguments of `entry`."""

    def read_entries(*entries: str | dict[str, Any], reading: Reading = PLAIN) -> JobLog:
        texts = [each if isinstance(each, str) else _entry(**each) for each in entries]
        return slowlog.read(file("slow.log", *texts), reading)

    return read_entries


@pytest.fixture(scope="session")
def notes_of() -> Callable[[JobLog, str], list[tuple[str, int]]]:
    """The notes of a log that have this word in them."""

    def found(log: JobLog, word: str) -> list[tuple[str, int]]:
        return [(note.reason, note.count) for note in log.notes if word in note.reason]

    return found
