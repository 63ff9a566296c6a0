"""Any CSV or TSV with a header: the file's cells as a table, quickly, or every fault in it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pc

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import HEAD_BYTES, log_name, read_bytes, read_text_bytes
from jobsim.joblog.reading import DURATIONS, INSTANTS, PLAIN, Reading
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.frame import from_frame
from jobsim.joblog.tabular.framed import is_framed, unframed
from jobsim.joblog.tabular.guess import guess
from jobsim.joblog.tabular.missing import NULLS
from jobsim.joblog.tabular.names import NAMES, rank

DELIMITERS = ",;\t|"
SEPARATOR = re.compile(r"\A\s*\"?sep=[,;\t|]\"?(?=\r?\n)", re.IGNORECASE)
UTF16 = (b"\xff\xfe", b"\xfe\xff")
SAMPLE_BYTES = 1 << 20
"""What the columns hold is guessed from so many bytes of the file."""

TYPED = ("priority", "memory", "attempts", *INSTANTS, *DURATIONS)
"""Targets whose cells the parser may make numbers or instants; others are text as it is written."""


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is a table with a header that names columns of jobs."""
    text = _plain(_decoded(head[: len(head) // 2 * 2] if head.startswith(UTF16) else head))
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    delimiter = _delimiter(first)
    names = [name.strip(' "') for name in first.split(delimiter)]
    known = sum(any(rank(target, name) is not None for target in NAMES) for name in names)
    return len(names) > 1 and known >= 2 and not any(_is_number(name) for name in names)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read a CSV, TSV or other table with a header line, plain or gzip.

    The delimiter (comma, semicolon, tab or bar) is the header's; UTF-8, UTF-16 and, where that
    fails, Latin-1 are read, and so are tables drawn by database clients (`framed`).

    Raises
    ------
    LogError, UsageError
        See `from_frame`; also lines of another width than the header's, each with its line.
    """
    file = str(path)
    data = _utf8(path)
    header, delimiter = _header(data, file)
    _check_header(header, file)
    parse = pc.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    try:
        sample = _table(
            data[: _whole_lines(data, SAMPLE_BYTES)], parse, dict.fromkeys(header, pa.string())
        )
        wanted, types = _wanted(header, sample, reading, file)
        frame = _table(data, parse, types, wanted)
    except pa.ArrowInvalid as error:
        _list_faults(data, delimiter, len(header), file)
        refuse(file, f"this is not CSV: {str(error).splitlines()[0]}", "one row a line")
    if frame.empty:
        refuse(file, "there is no job in it, only a header", "one line a job")
    return from_frame(
        frame, reading, name=log_name(path), source=file, line_of=_lines(data, delimiter)
    )


def _utf8(path: Path) -> bytes:
    """The table's text, as CSV, in UTF-8."""
    data = _whole(path)
    head = data[:HEAD_BYTES].decode(errors="ignore")
    return data if head == _plain(head) else _plain(data.decode()).encode()


def _plain(text: str) -> str:
    """The text without drawn frames, or the line by which spreadsheets name the delimiter."""
    return unframed(text) if is_framed(text) else SEPARATOR.sub("", text, count=1)


def _whole(path: Path) -> bytes:
    head = read_bytes(path, 2)
    if head in UTF16:
        try:
            return read_bytes(path).decode("utf-16").encode()
        except UnicodeDecodeError as error:
            refuse(str(path), f"this is damaged UTF-16 text ({error.reason})", "save it as UTF-8")
    data = read_text_bytes(path)
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1").encode()
    return data


def _decoded(head: bytes) -> str:
    if head.startswith(UTF16):
        return head.decode("utf-16", errors="replace")
    return head.decode(errors="replace")


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _delimiter(header: str) -> str:
    return max(DELIMITERS, key=header.count)


def _header(data: bytes, file: str) -> tuple[list[str], str]:
    text = data[:HEAD_BYTES].decode(errors="ignore")
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = _delimiter(first)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header = next(row for row in rows if row)
    except (csv.Error, StopIteration) as error:
        refuse(file, f"the header is not CSV: {error}", "quotes in pairs", line=1)
    return header, delimiter


def _check_header(header: list[str], file: str) -> None:
    faults = FaultList(file)
    if any(_is_number(name) for name in header):
        which = next(name for name in header if _is_number(name))
        refuse(file, f"the first line is no header: it holds {shown(which)}", "names of columns", 1)
    for name in sorted({name for name in header if header.count(name) > 1}):
        faults.add(f"column {shown(name)} comes {header.count(name)} times", "once", 1)
    faults.raise_if_any()


def _whole_lines(data: bytes, at_most: int) -> int:
    """So many bytes, or fewer, that they end with a row: quotes before it come in pairs."""
    if len(data) <= at_most:
        return len(data)
    end = data.rfind(b"\n", 0, at_most) + 1
    while end and data.count(b'"', 0, end) % 2:
        end = data.rfind(b"\n", 0, end - 1) + 1
    return end or len(data)


def _table(
    data: bytes, parse: pc.ParseOptions, types: dict[str, Any], wanted: list[str] | None = None
) -> pd.DataFrame:
    nulls = [form for word in NULLS for form in {word, word.upper(), word.capitalize()}]
    convert = pc.ConvertOptions(
        column_types=types,
        include_columns=wanted,
        null_values=nulls,
        strings_can_be_null=True,
        quoted_strings_can_be_null=True,
        timestamp_parsers=[pc.ISO8601],
    )
    table = pc.read_csv(pa.BufferReader(data), parse_options=parse, convert_options=convert)
    frame: pd.DataFrame = table.to_pandas(self_destruct=True, date_as_object=False)
    return frame


def _wanted(
    header: list[str], sample: pd.DataFrame, reading: Reading, file: str
) -> tuple[list[str], dict[str, Any]]:
    """The columns to read, and those that stay text."""
    missing = [column for column in reading.columns.values() if column not in header]
    if missing or sample.empty:
        # What is wrong is said by whoever reads the whole.
        return header, dict.fromkeys(header, pa.string())
    found = guess(sample, reading)
    if found.ambiguous or not {"submit", "start", "end"} & {*found.columns, *reading.columns}:
        return header, dict.fromkeys(header, pa.string())
    columns = {**reading.columns, **found.columns}
    typed = {columns[t] for t in TYPED if t in columns and "%" not in reading.units.get(t, "")}
    wanted = [name for name in header if name in {*columns.values(), *found.strange}]
    return wanted, {name: pa.string() for name in wanted if name not in typed}


def _rows(data: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank, and the line on which it begins."""
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    begin = 1
    for row in reader:
        if row:
            yield begin, row
        begin = reader.line_num + 1


def _lines(data: bytes, delimiter: str) -> Callable[[int], int]:
    """The line of a row, looked up when it is first asked for: only faults need it."""
    known: list[int] = []

    def line_of(row: int) -> int:
        if not known:
            known.extend(line for line, _ in _rows(data, delimiter))
        return known[row + 1] if row + 1 < len(known) else known[-1]

    return line_of


def _list_faults(data: bytes, delimiter: str, width: int, file: str) -> None:
    faults = FaultList(file)
    line = 0
    try:
        for line, row in _rows(data, delimiter):
            if len(row) != width:
                faults.add(f"{len(row)} cells", f"{width} cells, as in the header", line)
    except csv.Error as error:
        faults.add(f"this is not CSV: {error}", "quotes in pairs", line + 1)
    faults.raise_if_any()
