"""The lines of a Standard Workload Format file as numbers, or every fault in them.

The format (D. Feitelson and others, Parallel Workloads Archive): comment lines begin with ``;``,
every other line holds at least 18 numbers, separated by blanks; -1 is unknown. Some makers append
fields of their own.

The whole file is first given to pandas' C parser, which is fast and says little. Only if that
refuses, each line is looked at, which is slow and says all. What both accept they read alike.
"""

from __future__ import annotations

import csv
import io
import math
import re
import warnings
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse, shown

FIELDS = (
    "job_id",
    "submit_s",
    "wait_s",
    "run_s",
    "processors",
    "cpu_s",
    "used_kb",
    "asked_processors",
    "asked_s",
    "asked_kb",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding",
    "think_s",
)
"""The 18 fields in their order; ``used_kb`` is an average for each processor."""

USED = (
    "job_id",
    "submit_s",
    "wait_s",
    "run_s",
    "processors",
    "used_kb",
    "status",
    "user",
    "executable",
    "queue",
)
"""The fields that say something about jobs; the others must be numbers, and are left."""

QUEUE_NAME = 19
"""Where one extension keeps the queue's name: after the list of processors, in braces."""

PARTS = (2, 3, 4)
"""The statuses of a line that is one part of a job: it goes on, was its completed, failed end."""

LARGEST = 1e15
"""No field is larger; up to here a float64 tells any two whole numbers apart."""

NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
HEADER_LINE = re.compile(
    rb"(?m)^[ \t]*;[ \t]*(UnixStartTime|TimeZoneString|Queue)[ \t]*:[ \t]*(\S+)[ \t]*([^\r\n]*)"
)


@dataclass(frozen=True)
class Header:
    """What jobs need of the comment lines.

    Attributes
    ----------
    start
        The first ``UnixStartTime`` as it is written, or None.
    zone
        The first ``TimeZoneString`` as it is written, or None.
    queues
        The names of the numbered queues. Keys may come again and lines may be continued, so
        that nothing is made of other lines.
    """

    start: str | None
    zone: str | None
    queues: dict[int, str]


def read_header(data: bytes) -> Header:
    """The header of an SWF file; empty where it has none."""
    first: dict[bytes, str] = {}
    queues: dict[int, str] = {}
    for key, value, rest in HEADER_LINE.findall(_comments(data)):
        if key != b"Queue":
            first.setdefault(key, _printable(value))
        elif value.isdigit():
            queues.setdefault(int(value), _printable(rest))
    return Header(first.get(b"UnixStartTime"), first.get(b"TimeZoneString"), queues)


def read_lines(data: bytes, file: str) -> pd.DataFrame:
    """The numbers of each job line: float64 columns `USED`, and text ``queue_name``.

    Raises
    ------
    LogError
        Lists the lines that are wrong, up to a limit.
    """
    first = next((fields for _, fields in job_lines(data)), None)
    if first is None:
        refuse(file, "there is no job in it, only comment lines", "one line of 18 fields a job")
    named = len(first) > QUEUE_NAME and first[QUEUE_NAME - 1].startswith(b"{")
    # The fields that makers append need not be as many on every line, which C parsers dislike.
    table = None if named else _read_fast(data, len(first))
    return _read_carefully(data, file, named) if table is None else table


def job_lines(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """The number and the fields of each line that is neither blank nor a comment."""
    lines = (line for chunk in io.BytesIO(data) for line in chunk.splitlines())
    for number, line in enumerate(lines, start=1):
        fields = line.partition(b";")[0].split()
        if fields:
            yield number, fields


def _read_fast(data: bytes, width: int) -> pd.DataFrame | None:
    if width < len(FIELDS):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            warnings.simplefilter("error", pd.errors.DtypeWarning)
            table = _parsed(data, width)
    except (ValueError, pd.errors.ParserWarning, pd.errors.DtypeWarning):
        return None
    if not all(_are_numbers(table[place]) for place in range(len(FIELDS))):
        return None
    numbers = {name: table[FIELDS.index(name)].astype("float64") for name in USED}
    if (numbers["job_id"] % 1).any():
        return None
    return pd.DataFrame({**numbers, "queue_name": ""})


def _parsed(data: bytes, width: int) -> pd.DataFrame:
    return pd.read_csv(
        io.BytesIO(data),
        sep=r"\s+",
        header=None,
        names=list(range(width)),
        usecols=list(range(len(FIELDS))),
        index_col=False,
        comment=";",
        quoting=csv.QUOTE_NONE,
        keep_default_na=False,
        encoding_errors="replace",
    )


def _are_numbers(cells: pd.Series[Any]) -> bool:
    return cells.dtype.kind in "iuf" and bool((cells.abs() <= LARGEST).all())


def _read_carefully(data: bytes, file: str, named: bool) -> pd.DataFrame:
    faults = FaultList(file)
    cells = array("d")
    names: list[str] = []
    for line, fields in job_lines(data):
        if len(fields) < len(FIELDS):
            faults.add(f"{len(fields)} fields", "18 fields or more, -1 where unknown", line)
            continue
        numbers = [_number(place, fields[place], line, faults) for place in range(len(FIELDS))]
        if numbers[0] % 1:
            wrong = f"{numbers[0]:g} is not a whole number"
            faults.add(wrong, "a whole number", line, "1 (job_id)")
        cells.extend(numbers)
        extra = fields[QUEUE_NAME : QUEUE_NAME + 1] if named else []
        names.append(_printable(b"".join(extra)))
    faults.raise_if_any()
    table = np.frombuffer(cells).reshape(-1, len(FIELDS))
    numbers_of = {name: table[:, FIELDS.index(name)].copy() for name in USED}
    return pd.DataFrame({**numbers_of, "queue_name": pd.Series(names, dtype="str")})


def _number(place: int, field: bytes, line: int, faults: FaultList) -> float:
    number = float(field) if NUMBER.fullmatch(field) else math.nan
    if not abs(number) <= LARGEST:
        wrong = "is not a number" if math.isnan(number) else "is too large"
        column = f"{place + 1} ({FIELDS[place]})"
        text = shown(field.decode(errors="replace"))
        faults.add(f"{text} {wrong}", "a number, -1 where unknown", line, column)
    return number


def _comments(data: bytes) -> bytes:
    """The comment lines before the first job."""
    lines = []
    for line in io.BytesIO(data):
        if line.strip() and not line.lstrip().startswith(b";"):
            break
        lines.append(line)
    return b"".join(lines)


def _printable(text: bytes) -> str:
    decoded = text.decode(errors="replace").strip()
    return "".join(letter if letter.isprintable() else "?" for letter in decoded)
