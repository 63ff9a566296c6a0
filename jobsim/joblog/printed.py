"""Result sets as the clients of a MySQL server print or export them: rows of cells by name.

============  =================================================================================
form          made by
============  =================================================================================
``vertical``  ``\\G`` and ``mysql -E``: one field a line
``table``     ``mysql -t`` and a terminal: borders of ``+``, ``-`` and ``|``
``batch``     ``mysql -B`` and a pipe: tabs between the cells
``csv``       exports of graphical clients: commas or semicolons
``json``      exports, ``JSON_ARRAYAGG``, the MySQL Shell: objects in a list, or one by one
============  =================================================================================
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jobsim.joblog.json_objects import is_json, json_objects

VERTICAL_ROW = re.compile(r"[ \t]*\*{10,} (\d{1,9})\. row \*{10,}[ \t]*")
BORDER = re.compile(r"[ \t]*\+[-+]+\+[ \t]*")

_FIRST_CELL = r"(?:\d+|\d{4}-\d\d-\d\d[T ][\d:.+]+) *"
_TABLE_ROW = re.compile(rf"[ \t]*\| *{_FIRST_CELL}\|")
_BATCH_ROW = re.compile(rf"{_FIRST_CELL}\t")
_FIELD = re.compile(r"[ \t]*([A-Za-z_]+(?:\(\d?\))?):(?: (.*))?")
_END = re.compile(r"\d+ rows? in set\b.*|Empty set\b.*|mysql>.*|MariaDB \[.*")
_ESCAPED = re.compile(r"\\([nrt0\\])")
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "", "\\": "\\"}
_MISSING = frozenset({"", "NULL", r"\N", "[NULL]", "(NULL)"})
_SIGNS = (("table", "|"), ("batch", "\t"), ("csv", ","), ("csv", ";"))


@dataclass(frozen=True, slots=True)
class Columns:
    """What tells a result set from others, and how its cells are told from one another.

    Names are in small letters.

    Attributes
    ----------
    needed
        Names, of each group of which the result set has one.
    text
        The column with a statement, which may have newlines and the signs between cells in it.
    hint
        A part of the name of a needed column, whatever it is called.
    called
        The name of a column by other names that it has.
    others
        Further names: in the vertical form, a line that begins with another word is no field.
    """

    needed: tuple[frozenset[str], ...]
    text: str
    hint: str
    called: Mapping[str, str]
    others: frozenset[str]

    def named(self, names: Iterable[str]) -> list[str]:
        """The names of a head as this describes them."""
        bare = (name.strip().strip("\"'`").lower() for name in names)
        return [self.called.get(name, name) for name in bare]

    def are_head(self, names: Iterable[str]) -> bool:
        """Whether columns of these names, as `named` gives them, are such a result set."""
        given = set(names)
        return all(group & given for group in self.needed)

    def is_field(self, name: str) -> bool:
        """Whether a line of a vertical row may begin with this name."""
        return name in self.others or any(name in group for group in self.needed)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a result set.

    Attributes
    ----------
    fields
        By the column's name; NULL is missing.
    line
        Of the file, where the row begins.
    """

    fields: dict[str, str]
    line: int


def holds(text: str, columns: Columns) -> bool:
    """Whether a file that begins like this has such a result set in it."""
    if is_json(text):
        names = re.findall(r'"([^"\\\n]{1,64})"\s*:', text)
        return columns.are_head(columns.named(names))
    lines = text.splitlines()
    return any(
        form != "vertical" or columns.are_head(_vertical_cells(lines[at + 1 : at + 60], columns))
        for at, form in begins(lines, columns)
    )


def begins(lines: Sequence[str], columns: Columns) -> Iterator[tuple[int, str]]:
    """Where each result set in lines of text begins (counted from 0), and its form.

    In the vertical form each may be one, whatever its fields.
    """
    row = 0
    for at, line in enumerate(lines):
        if found := VERTICAL_ROW.fullmatch(line):
            if row == 0 or int(found[1]) <= row:
                yield at, "vertical"
            row = int(found[1])
        elif form := _form_of_head(line, columns):
            row = 0
            bordered = form == "table" and at > 0 and BORDER.fullmatch(lines[at - 1])
            yield at - bool(bordered), form


def rows(form: str, lines: Sequence[str], columns: Columns, first: int = 1) -> list[Row]:
    """The rows of a result set in lines of text, of which the first has the number `first`.

    Raises
    ------
    ValueError
        It is CSV with a row that does not fit its head.
    """
    return list(_ROWS_OF[form](lines, columns, first))


def json_rows(text: str, columns: Columns) -> list[Row]:
    """The objects of a JSON text that are rows of such a result set, however deep they lie.

    Raises
    ------
    ValueError
        It is no JSON.
    """
    return [
        _json_row(cells, columns, line)
        for cells, line in json_objects(text)
        if columns.are_head(columns.named(cells))
    ]


def parts(lines: Iterable[str], begin: re.Pattern[str]) -> Iterator[tuple[int, list[str]]]:
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


def row_of(cells: Mapping[str, str], line: int) -> Row:
    """A row of cells as they are written."""
    stripped = {name: cell.strip() for name, cell in cells.items()}
    return Row({name: cell for name, cell in stripped.items() if cell not in _MISSING}, line)


def unescaped(text: str) -> str:
    """A text in which newlines and the like are written with a backslash."""
    return _ESCAPED.sub(lambda found: _UNESCAPED[found[1]], text)


def _form_of_head(line: str, columns: Columns) -> str | None:
    if columns.hint in line.lower():
        for form, sign in _SIGNS:
            if sign in line and columns.are_head(_names(line, sign, columns)):
                return form
    return None


def _names(line: str, sign: str, columns: Columns) -> list[str]:
    return columns.named(line.strip(" \t|" if sign == "|" else " ").split(sign))


def _vertical_rows(lines: Sequence[str], columns: Columns, first: int) -> Iterator[Row]:
    for at, part in parts(lines, VERTICAL_ROW):
        yield row_of(_vertical_cells(part[1:], columns), first + at)


def _vertical_cells(lines: Iterable[str], columns: Columns) -> dict[str, str]:
    """The fields of one row; a line that begins no field goes on with the one before."""
    cells: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if _END.fullmatch(line) or VERTICAL_ROW.fullmatch(line):
            break
        found = _FIELD.fullmatch(line)
        (known,) = columns.named([found[1]]) if found else ("",)
        if found and columns.is_field(known) and known not in cells:
            name = known
            cells[name] = [found[2] or ""]
        elif name:
            cells[name].append(line)
    return {name: "\n".join(cell) for name, cell in cells.items()}


def _table_rows(lines: Sequence[str], columns: Columns, first: int) -> Iterator[Row]:
    """A statement of several lines breaks its row into as many, as may do a head."""
    head = int(BORDER.fullmatch(lines[0]) is not None)
    borders = (at for at, line in enumerate(lines) if at > head and BORDER.fullmatch(line))
    under = next(borders, head)
    names = _names(" ".join(lines[head : max(under, head + 1)]), "|", columns)
    body = lines[under + 1 : next(borders, len(lines))]
    for at, part in parts(body, _TABLE_ROW):
        cells = "\n".join(part).strip().removeprefix("|").removesuffix("|")
        yield row_of(_cells(names, cells, "|", columns), first + under + 1 + at)


def _batch_rows(lines: Sequence[str], columns: Columns, first: int) -> Iterator[Row]:
    """Newlines and tabs in a cell are written with a backslash."""
    names = _names(lines[0], "\t", columns)
    end = next((at for at, line in enumerate(lines) if _END.fullmatch(line)), len(lines))
    for at, part in parts(lines[1:end], _BATCH_ROW):
        cells = _cells(names, "\n".join(part), "\t", columns)
        cells[columns.text] = unescaped(cells.get(columns.text, ""))
        yield row_of(cells, first + 1 + at)


def _cells(names: list[str], text: str, sign: str, columns: Columns) -> dict[str, str]:
    """Cells by their names; that with the statement may have the sign between cells in it."""
    before = names.index(columns.text) if columns.text in names else len(names) - 1
    after = len(names) - 1 - before
    cells = text.split(sign, before)
    rest = cells.pop() if len(cells) > before else ""
    return dict(zip(names, [*cells, *rest.rsplit(sign, after)], strict=False))


def _csv_rows(lines: Sequence[str], columns: Columns, first: int) -> Iterator[Row]:
    heads = {sign: _names(lines[0], sign, columns) for form, sign in _SIGNS if form == "csv"}
    sign = next(sign for sign, names in heads.items() if columns.are_head(names))
    for at, cells in _csv_cells(lines[1:], sign):
        if len(cells) != len(heads[sign]):
            wrong = f"{len(cells)} cells, its head {len(heads[sign])}"
            raise ValueError(f"line {first + 1 + at} has {wrong}")
        yield row_of(dict(zip(heads[sign], cells, strict=True)), first + 1 + at)


def _csv_cells(lines: Sequence[str], sign: str) -> list[tuple[int, list[str]]]:
    """The cells of each row, and where it begins; quotes in quotes are doubled, or escaped."""
    try:
        return _parsed(lines, sign, None)
    except ValueError:
        return _parsed(lines, sign, "\\")


def _parsed(lines: Sequence[str], sign: str, escape: str | None) -> list[tuple[int, list[str]]]:
    ended = (f"{line}\n" for line in lines)
    reader = csv.reader(ended, delimiter=sign, strict=True, escapechar=escape)
    found, begun = list[tuple[int, list[str]]](), 0
    usual = csv.field_size_limit(sum(map(len, lines)) + len(lines))  # a statement may be long
    try:
        for cells in reader:
            found += [(begun, cells)] if cells else []
            begun = reader.line_num
    except csv.Error as error:
        raise ValueError(f"this is no CSV, from line {begun + 2} of it on: {error}") from None
    finally:
        csv.field_size_limit(usual)
    return found


def _json_row(cells: Mapping[str, Any], columns: Columns, line: int) -> Row:
    texts = ["" if cell is None else str(cell) for cell in cells.values()]
    return row_of(dict(zip(columns.named(cells), texts, strict=True)), line)


_ROWS_OF: dict[str, Callable[[Sequence[str], Columns, int], Iterator[Row]]] = {
    "vertical": _vertical_rows,
    "table": _table_rows,
    "batch": _batch_rows,
    "csv": _csv_rows,
}
