"""Airflow's tables exported as CSV: ``task_instance`` or ``dag_run``, with ``\\N`` for null."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.airflow import RUNS, TASKS
from jobsim.joblog.queues.read import read_tables
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.table import JobLog

NULLS = ("\\N", "")


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this has the header of one of the two tables."""
    return _table(_header(head.decode(errors="replace").partition("\n")[0])) is not None


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read an exported table.

    Raises
    ------
    LogError
        It is no such table, or lines do not have the header's cells; every one is listed.
    """
    file = str(path)
    text = read_text_bytes(path).decode(errors="replace")
    names = _header(text.partition("\n")[0])
    table = _table(names)
    if table is None:
        right = "the header of task_instance or dag_run, with all columns"
        refuse(file, "this is no table of Airflow", right, 1)
    return read_tables(_Csv(file, table, _frame(text, names, file)), reading, log_name(path))


@dataclass(frozen=True)
class _Csv:
    """One table, as the source of tables that the readers take."""

    source: str
    table: str
    cells: pd.DataFrame

    @property
    def tables(self) -> dict[str, tuple[str, ...]]:
        return {self.table: tuple(self.cells.columns)}

    def frame(
        self, table: str, columns: Iterable[str] | None = None, *, notes: Notes
    ) -> pd.DataFrame:
        return self.cells[list(self.cells.columns if columns is None else columns)]

    def rows(self, table: str) -> int:
        return len(self.cells)


def _header(line: str) -> list[str]:
    return [name.strip(' "\r') for name in line.split(",")]


def _table(names: list[str]) -> str | None:
    if len(set(names)) < len(names):
        return None
    for system in (TASKS, RUNS):
        part = next(iter(system.parts.values()))
        if part.needs <= set(names):
            return part.ends
    return None


def _frame(text: str, names: list[str], file: str) -> pd.DataFrame:
    faults = FaultList(file)
    rows: list[list[str | None]] = []
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        next(lines)
        for row in lines:
            if row and len(row) != len(names):
                right = f"{len(names)} cells, as in the header"
                faults.add(f"{len(row)} cells", right, lines.line_num)
            elif row:
                rows.append([None if cell in NULLS else cell for cell in row])
    except csv.Error as error:
        faults.add(f"this is not CSV: {error}", "quotes in pairs", lines.line_num)
    faults.raise_if_any()
    return pd.DataFrame(rows, columns=names, dtype="str")
