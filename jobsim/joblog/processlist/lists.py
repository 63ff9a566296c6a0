"""The process lists of a file: where each begins, and the time stamp before it.

A file holds one list or several, each in one of four forms: rows of one field a line (``\\G`` or
``mysql -E``), a table with borders, lines with tabs (``mysql -B``), and what a query killer prints
(``# 2026-11-30T09:15:00 KILL 8 (Query 42 sec) SELECT ...``). A list may have a line before it that
says when it was made: an ISO 8601 time, seconds since 1970, or the output of ``date``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from jobsim.joblog.processlist.rows import (
    BATCH_HEAD,
    BORDER,
    KILL,
    TABLE_HEAD,
    VERTICAL_ROW,
    Row,
    batch_rows,
    kill_rows,
    table_rows,
    vertical_rows,
)
from jobsim.joblog.processlist.stamps import is_stamp, stamp_text

ROWS_OF = {
    "vertical": vertical_rows,
    "table": table_rows,
    "batch": batch_rows,
    "kill": kill_rows,
}

_SURE = re.compile(
    rf"{VERTICAL_ROW.pattern}\n\s*Id: \d+[ \t]*\n\s*User: "
    rf"|{TABLE_HEAD.pattern}|{BATCH_HEAD.pattern}|{KILL.pattern}",
    re.MULTILINE | re.IGNORECASE,
)

_FIRST_SIGNS = frozenset("*|Ii#")
"""A line that begins a list begins with one of these."""


@dataclass(frozen=True, slots=True)
class ProcessList:
    """One list: its form, the text of its time stamp, if it has one, and its rows."""

    form: str
    stamp: str | None
    line: int
    rows: tuple[Row, ...]


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds a process list."""
    text = head.decode("utf-8", "replace").replace("\r\n", "\n")
    return _SURE.search(text) is not None


def lists(text: str) -> Iterator[ProcessList]:
    """The lists of a file, in its order."""
    lines = text.splitlines()
    begins = [*_begins(lines), (len(lines), "")]
    for (begin, form), (end, _) in pairwise(begins):
        stamp, _ = _stamp_before(lines, begin)
        if form == "kill":
            stamp = stamp_text(lines[begin])
        _, until = _stamp_before(lines, end)
        rows = ROWS_OF[form](lines[begin:until], begin + 1)
        yield ProcessList(form, stamp, begin + 1, tuple(rows))


def _begins(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Where each list begins (counted from 0), and its form."""
    row, killed_at = 0, ""
    for at, line in enumerate(lines):
        if line.lstrip()[:1] not in _FIRST_SIGNS:
            continue
        if found := VERTICAL_ROW.fullmatch(line):
            if row == 0 or int(found[1]) <= row:
                yield at, "vertical"
            row = int(found[1])
        elif TABLE_HEAD.match(line):
            row = 0
            yield at - (at > 0 and BORDER.fullmatch(lines[at - 1]) is not None), "table"
        elif BATCH_HEAD.match(line):
            row = 0
            yield at, "batch"
        elif KILL.match(line) and stamp_text(line) != killed_at:
            row, killed_at = 0, stamp_text(line) or ""
            yield at, "kill"


def _stamp_before(lines: list[str], at: int) -> tuple[str | None, int]:
    """The stamp on the last line before `at` that is not blank, and the line where it stands.

    Without one, and at the end of the file, where nothing begins, `at` itself.
    """
    before = at - 1
    while before >= 0 and before >= at - 3 and not lines[before].strip():
        before -= 1
    if at < len(lines) and before >= 0 and is_stamp(lines[before]):
        return stamp_text(lines[before]), before
    return None, at
