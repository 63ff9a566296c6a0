"""jobsim's own CSV: a comment line for what travels with the table, a header, one line a job.

An empty cell is unknown. The comment line may be left out, and so may columns, so that a log can
be written by hand or by a spreadsheet; only ``submit_s`` and ``run_s`` must be there.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd

from jobsim.errors import LogError
from jobsim.joblog import own_csv_bulk
from jobsim.joblog.check import NEEDED, check_names
from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import BY_NAME, category
from jobsim.joblog.table import JobLog
from jobsim.joblog.travel import travelled, travelling

MARK = "# jobsim job log "
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
YEARS_S = 1e8
COMMENTS = re.compile(rb"(?:#[^\n]*\n|[ \t]*\n)*")
"""What may stand above the header."""


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is a CSV of ours."""
    text = head.decode(errors="replace")
    if text.startswith(MARK):
        return True
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    names = [name.strip(' "') for name in next(lines, "").split(",")]
    if set(names) <= set(BY_NAME):
        return len(names) > 1 and any(name in names for name in NEEDED)
    return len(names) > 1 and "submit_s" in names


def write_csv(log: JobLog, path: Path) -> None:
    """Write the log as CSV, packed if the name ends in ``.gz``; `read` gives the same log."""
    text = MARK + travelling(log) + "\n" + log.jobs.to_csv(index=False, lineterminator="\n")
    data = text.encode()
    # No time stamp in the packed file: the same log is the same bytes.
    path.write_bytes(gzip.compress(data, mtime=0) if path.name.endswith(".gz") else data)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read a CSV of jobsim's own columns, plain or gzip.

    Raises
    ------
    LogError
        Lists every wrong line, up to a limit.
    """
    data = read_text_bytes(path)
    log = _read_fast(path, data)
    log = _read_carefully(path, data) if log is None else log
    # Recorders add lines for ever, and so count from 1970.
    return log.from_zero() if log.origin == EPOCH and log.begins_s > YEARS_S else log


def _with_it(path: Path, above: Sequence[str]) -> dict[str, Any]:
    """What travels with the table: the file's name, or what the comment line above it says."""
    with_it: dict[str, Any] = {"name": log_name(path)}
    if above and above[0].startswith(MARK):
        with_it |= travelled(above[0].removeprefix(MARK), str(path))
    return with_it


def _read_fast(path: Path, data: bytes) -> JobLog | None:
    """The log, read in bulk; None where that is not sure to say what a careful look says."""
    body = COMMENTS.match(data)
    if body is None or b'"' in data[body.end() :] or b"\r" in data:
        return None
    try:
        columns = own_csv_bulk.columns(data[body.end() :])
        above = data[: body.end()].decode().splitlines()
        if columns is None:
            return None
        return JobLog.of(columns, source=str(path), **_with_it(path, above))
    except (LogError, UnicodeDecodeError):
        return None


def _read_carefully(path: Path, data: bytes) -> JobLog:
    """The log, cell by cell, or all that is wrong with it and where."""
    file = str(path)
    lines = io.StringIO(_text(data, file), newline="").readlines()
    above = list(takewhile(lambda line: line.startswith("#") or not line.strip(), lines))
    with_it = _with_it(path, above)
    rows = _rows(lines, len(above), file)
    header_line, header = next(rows, (len(lines), []))
    names = [name.strip() for name in header]
    check_names(names, file, header_line)
    columns = {name: COLUMN_OF[BY_NAME[name].holds]() for name in names}
    faults = FaultList(file)
    line_of = _fill(columns, rows, faults)
    if not line_of:
        faults.raise_if_any()
        refuse(file, "there is no job in it, only a header", "one line a job")
    return JobLog.of(
        {name: column.cells() for name, column in columns.items()},
        source=file,
        line_of=line_of.__getitem__,
        faults=faults,
        **with_it,
    )


def _text(data: bytes, file: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        refuse(file, "this is not UTF-8 text", "save the file as UTF-8", line)


def _rows(lines: list[str], above: int, file: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank, and the line on which it ends."""
    reader = csv.reader(lines[above:], strict=True)
    try:
        for row in reader:
            if row:
                yield above + reader.line_num, row
    except csv.Error as error:
        refuse(file, f"this is not CSV: {error}", "quotes in pairs", above + reader.line_num)


def _fill(
    columns: dict[str, Cells], rows: Iterator[tuple[int, list[str]]], faults: FaultList
) -> array[int]:
    """Put the cells into their columns; returns the line of each job."""
    line_of = array("q")
    for line, row in rows:
        if len(row) != len(columns):
            faults.add(f"{len(row)} cells", f"{len(columns)} cells, as in the header", line)
            continue
        line_of.append(line)
        for (name, column), cell in zip(columns.items(), row, strict=True):
            if not column.take(cell.strip()):
                faults.add(f"{shown(cell)} is not a number", BY_NAME[name].right, line, name)
    return line_of


class Cells(Protocol):
    """The cells of a column, packed as they come."""

    def take(self, cell: str) -> bool:
        """Add a cell; whether it could be what the column holds."""

    def cells(self) -> Any:
        """The column."""


class Numbers:
    """Numbers; what is none is kept as missing, like an empty cell."""

    def __init__(self) -> None:
        self._numbers = array("d")

    def take(self, cell: str) -> bool:
        number = _number(cell) if cell else math.nan
        self._numbers.append(math.nan if number is None else number)
        return number is not None

    def cells(self) -> Any:
        return np.array(self._numbers)


class Texts:
    """Text that comes again and again; empty is missing, or what `empty` says."""

    def __init__(self, empty: str = "") -> None:
        self._empty = empty
        self._code_of: dict[str, int] = {}
        self._codes = array("l")

    def take(self, cell: str) -> bool:
        word = cell or self._empty
        self._codes.append(self._code_of.setdefault(word, len(self._code_of)) if word else -1)
        return True

    def cells(self) -> Any:
        return category(np.array(self._codes), list(self._code_of))


class Ids:
    """Text that does not come again."""

    def __init__(self) -> None:
        self._ids: list[str | None] = []

    def take(self, cell: str) -> bool:
        self._ids.append(cell or None)
        return True

    def cells(self) -> Any:
        return pd.Series(self._ids, dtype="str")


COLUMN_OF: dict[str, Callable[[], Cells]] = {
    "id": Ids,
    "number": Numbers,
    "text": Texts,
    "outcome": partial(Texts, empty="unknown"),
}


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in cell else None
