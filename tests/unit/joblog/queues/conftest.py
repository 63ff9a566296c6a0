from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pytest

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.read import read_tables
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.table import JobLog

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Memory:
    """Tables by name, each as a list of rows that all have the same keys."""

    rows_of: dict[str, Rows]
    source: str = "memory"

    @property
    def tables(self) -> dict[str, tuple[str, ...]]:
        return {name: tuple(rows[0]) for name, rows in self.rows_of.items()}

    def frame(
        self, table: str, columns: Iterable[str] | None = None, *, notes: Notes
    ) -> pd.DataFrame:
        wanted = list(self.tables[table] if columns is None else columns)
        cells = [
            [None if row[name] is None else str(row[name]) for name in wanted]
            for row in self.rows_of[table]
        ]
        return pd.DataFrame(cells, columns=wanted, dtype="str")

    def rows(self, table: str) -> int:
        return len(self.rows_of[table])


@pytest.fixture(scope="session")
def memory() -> type[Memory]:
    return Memory


@pytest.fixture(scope="session")
def log_of() -> Callable[..., JobLog]:
    """The log of these tables: ``log_of(table=[{...}, ...], reading=...)``."""

    def read(reading: Reading = PLAIN, **rows_of: Rows) -> JobLog:
        return read_tables(Memory(rows_of), reading, "memory")

    return read


@pytest.fixture(scope="session")
def reasons() -> Callable[[JobLog], dict[str, int]]:
    """The notes of a log but for those about all of its rows' kind: reason and count."""

    def of(log: JobLog) -> dict[str, int]:
        return {note.reason: note.count for note in log.notes}

    return of
