"""The process lists of a file: where each begins, and when it was made.

A file holds one list or several, in the forms of `jobsim.joblog.printed`, or what a query killer
prints (``# 2026-11-30T09:15:00 KILL 8 (Query 42 sec) SELECT ...``). A list may have a line before
it that says when it was made: an ISO 8601 time, seconds since 1970, or the output of ``date``; or
each of its rows says so, in a column such as ``NOW()``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import pairwise

from jobsim.joblog import printed
from jobsim.joblog.json_objects import is_json
from jobsim.joblog.printed import Row
from jobsim.joblog.processlist.rows import COLUMNS, KILL, MADE_AT, kill_rows
from jobsim.joblog.processlist.stamps import is_stamp, stamp_text


@dataclass(frozen=True, slots=True)
class ProcessList:
    """One list: its form, the text of its time stamp, if it has one, and its rows."""

    form: str
    stamp: str | None
    line: int
    rows: tuple[Row, ...]


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this holds a process list."""
    text = head.decode("utf-8", "replace")
    return printed.holds(text, COLUMNS) or any(map(KILL.match, text.splitlines()))


def lists(text: str) -> Iterator[ProcessList]:
    """The lists of a file, in its order.

    Raises
    ------
    ValueError
        It is CSV or JSON that cannot be read.
    """
    if is_json(text):
        yield from _by_instant("json", None, 1, printed.json_rows(text, COLUMNS))
        return
    lines = text.splitlines()
    begins = [*merge(printed.begins(lines, COLUMNS), _kills(lines)), (len(lines), "")]
    for (begin, form), (end, _) in pairwise(begins):
        stamp, _ = _stamp_before(lines, begin)
        _, until = _stamp_before(lines, end)
        if form == "kill":
            rows = tuple(kill_rows(lines[begin:until], begin + 1))
            yield ProcessList(form, stamp_text(lines[begin]), begin + 1, rows)
        else:
            found = printed.rows(form, lines[begin:until], COLUMNS, begin + 1)
            yield from _by_instant(form, stamp, begin + 1, found)


def _by_instant(form: str, stamp: str | None, line: int, rows: list[Row]) -> Iterator[ProcessList]:
    """The lists in one result set, apart by the instants in its rows."""
    made: dict[str | None, list[Row]] = {}
    for row in rows:
        made.setdefault(row.fields.get(MADE_AT, stamp), []).append(row)
    for at, own in made.items():
        yield ProcessList(form, at, own[0].line if len(made) > 1 else line, tuple(own))


def _kills(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Where a killer begins to print what it did at one instant."""
    killed_at = None
    for at, line in enumerate(lines):
        if line.startswith("# ") and KILL.match(line) and stamp_text(line) != killed_at:
            killed_at = stamp_text(line)
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
