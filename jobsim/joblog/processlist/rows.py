"""The rows of one process list, in each of the forms in which it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

VERTICAL_ROW = re.compile(r"[ \t]*\*{10,} (\d{1,9})\. row \*{10,}[ \t]*")
BORDER = re.compile(r"[ \t]*\+[-+]+\+[ \t]*")
TABLE_HEAD = re.compile(r"^[ \t]*\| *Id *\| *User *\| *Host *\|", re.IGNORECASE)
BATCH_HEAD = re.compile(r"^Id\tUser\tHost\t", re.IGNORECASE)
KILL = re.compile(r"^# \d{4}-\S+ KILL(?: QUERY)? (\d+) \(([A-Z][\w ]*?) (\d+) sec\) ?(.*)")

_TABLE_ROW = re.compile(r"[ \t]*\| *\d+ *\|")
_BATCH_ROW = re.compile(r"\d+\t")
_FIELD = re.compile(r"[ \t]*([A-Za-z_]+):(?: (.*))?")
_END = re.compile(r"\d+ rows? in set\b.*|Empty set\b.*|mysql>.*|MariaDB \[.*")
_ESCAPED = re.compile(r"\\([nrt0\\])")
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "", "\\": "\\"}

_BEFORE_INFO = {"id", "user", "host", "db", "command", "time", "state", "info"}
_AFTER_INFO = {"progress", "time_ms", "rows_sent", "rows_examined", "rows_read", "stage", "tid"}
_AFTER_INFO |= {"max_stage", "memory_used", "max_memory_used", "examined_rows", "query_id"}
_AFTER_INFO |= {"info_binary", "execution_engine"}


@dataclass(frozen=True, slots=True)
class Row:
    """One session in a list.

    Attributes
    ----------
    fields
        By the column's name in small letters; NULL is missing.
    line
        Of the file, where the row begins.
    """

    fields: dict[str, str]
    line: int


def vertical_rows(lines: list[str], first: int) -> Iterator[Row]:
    """Rows of one field a line; whatever is no field goes on with the one before."""
    for at, part in _parts(lines, VERTICAL_ROW):
        cells: dict[str, list[str]] = {}
        name = ""
        for line in part[1:]:
            if _END.fullmatch(line):
                break
            found = _FIELD.fullmatch(line)
            known = _AFTER_INFO if "info" in cells else _BEFORE_INFO
            if found and found[1].lower() in known - cells.keys():
                name = found[1].lower()
                cells[name] = [found[2] or ""]
            elif name:
                cells[name].append(line)
        yield _row({name: "\n".join(cell) for name, cell in cells.items()}, first + at)


def table_rows(lines: list[str], first: int) -> Iterator[Row]:
    """Rows of a table with borders; a statement of several lines breaks its row into as many."""
    head = next(at for at, line in enumerate(lines) if TABLE_HEAD.match(line))
    names = [name.strip().lower() for name in lines[head].strip().strip("|").split("|")]
    for at, part in _parts(_until(lines[head + 2 :], BORDER), _TABLE_ROW):
        cells = "\n".join(part).strip().removeprefix("|").removesuffix("|")
        yield _row(_named(names, cells, "|"), first + head + 2 + at)


def batch_rows(lines: list[str], first: int) -> Iterator[Row]:
    """Rows of cells between tabs, with newlines and tabs in a cell as ``\\n`` and ``\\t``."""
    names = [name.lower() for name in lines[0].split("\t")]
    for at, part in _parts(_until(lines[1:], _END), _BATCH_ROW):
        cells = _named(names, "\n".join(part), "\t")
        cells["info"] = _ESCAPED.sub(lambda found: _UNESCAPED[found[1]], cells.get("info", ""))
        yield _row(cells, first + 1 + at)


def kill_rows(lines: list[str], first: int) -> Iterator[Row]:
    """What a killer says of its victims, a line each and more where the statement has more."""
    for at, part in _parts(lines, KILL):
        found = KILL.match(part[0])
        assert found is not None
        names = ("id", "command", "time", "info")
        fields = dict(zip(names, found.groups(), strict=True))
        yield _row(fields | {"info": "\n".join([fields["info"], *part[1:]])}, first + at)


def _parts(lines: Iterable[str], begin: re.Pattern[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines in parts that each begin with such a line, and where; what is before is left."""
    part: list[str] = []
    begun = 0
    for at, line in enumerate(lines):
        if begin.match(line):
            if part:
                yield begun, part
            begun, part = at, [line]
        elif part:
            part.append(line)
    if part:
        yield begun, part


def _until(lines: list[str], end: re.Pattern[str]) -> list[str]:
    return lines[: next((at for at, line in enumerate(lines) if end.fullmatch(line)), len(lines))]


def _named(names: list[str], text: str, sign: str) -> dict[str, str]:
    """Cells by their names; the statement may have the sign that is between cells in it."""
    before = names.index("info") if "info" in names else len(names) - 1
    after = len(names) - 1 - before
    cells = text.split(sign, before)
    rest = cells.pop() if len(cells) > before else ""
    return dict(zip(names, [*cells, *rest.rsplit(sign, after)], strict=False))


def _row(cells: dict[str, str], line: int) -> Row:
    stripped = {name: cell.strip() for name, cell in cells.items()}
    return Row({name: cell for name, cell in stripped.items() if cell not in ("", "NULL")}, line)
