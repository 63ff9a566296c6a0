"""A dump: its tables, and the rows of those that are asked for."""

from __future__ import annotations

from bisect import bisect_left
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd
import regex

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import HEAD_BYTES, looks_binary, read_bytes, read_text_bytes
from jobsim.joblog.notes import Notes
from jobsim.joblog.sqldump.dialects import Dialect, dialect_of
from jobsim.joblog.sqldump.rows import ComputedCells, Row, columns_created, copied, inserted
from jobsim.joblog.sqldump.statements import CutOffError, Statement, statements

UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)

_FILLS = regex.compile(
    r"""(?imx)^\s*(?:INSERT\s+(?:IGNORE\s+|OR\s+\w+\s+)?INTO | REPLACE\s+INTO
    | CREATE\s+(?:UNLOGGED\s+|TEMPORARY\s+)?TABLE | COPY\s+\S+\s*\([^)]*\)\s*FROM\s+stdin
    | INSERT\s+\[)"""
)
_MADE_BY = regex.compile(
    r"\A[\s-]*(?:(?:MySQL|MariaDB) dump|PostgreSQL database|phpMyAdmin SQL Dump)|\A/\*M?![0-9]{5}"
)
_SQL = regex.compile(
    r"""(?isx)(?:[\s;]++|--[^\n]*+|\#(?![ ](?:Time|User@Host|Query_time):)[^\n]*+  # no slow log
    |/\*(?:.*?\*/|.*+)|\\[^\n]*+)*+
    (?:SET|INSERT|REPLACE|CREATE|DROP|COPY|BEGIN|START|PRAGMA|USE|ALTER|DELETE|TRUNCATE|LOCK|GO
    |SELECT\s+pg_catalog|DELIMITER)\b"""
)
_VALUES = regex.compile(r"(?i)\bVALUES?\s*\(")
AGAIN = "dump the database again, or copy the file again"


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is a dump: its header, or a statement with rows."""
    text = head.decode("utf-16" if head.startswith(UTF_16) else "latin-1", errors="ignore")
    return bool(_MADE_BY.search(text) or (_SQL.match(text) and _FILLS.search(text)))


@dataclass(frozen=True, repr=False)
class Dump:
    """A dump of a database.

    Attributes
    ----------
    text
        All of it.
    source
        The file, for messages.
    dialect
        How it is written.
    tables
        The columns of each table that the dump makes or fills; none where it says them nowhere.
    """

    text: str
    source: str
    dialect: Dialect
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _filled: dict[str, list[Statement]] = field(default_factory=dict)

    def frame(
        self, table: str, columns: Iterable[str] | None = None, *, notes: Notes
    ) -> pd.DataFrame:
        """The rows of a table as text, missing where NULL or not stated.

        Parameters
        ----------
        columns
            Which of its columns; all if left out.
        notes
            Takes what cannot be read as it is.

        Raises
        ------
        LogError
            Rows that do not have the table's columns; every one is listed, up to a limit.
        """
        faults, computed = FaultList(self.source), ComputedCells()
        rows_of: dict[tuple[str, ...], list[Row]] = {}
        for statement in self._filled.get(table, []):
            named, rows = self._rows(statement, faults, computed)
            rows_of.setdefault(tuple(named), []).extend(rows)
        faults.raise_if_any()
        what = f"mended: a cell of {shown(table)} that is computed, left missing"
        notes.add(what, computed.count)
        wanted = list(columns or self.tables[table])
        parts = [
            pd.DataFrame(columns=wanted, dtype="str"),
            *(pd.DataFrame(rows, columns=[*named], dtype="str") for named, rows in rows_of.items()),
        ]
        return pd.concat(parts, ignore_index=True)[wanted]

    def rows(self, table: str) -> int:
        """How many rows the dump has of a table."""
        return len(self.frame(table, notes=Notes()))

    def _rows(
        self, statement: Statement, faults: FaultList, computed: ComputedCells
    ) -> tuple[list[str], list[Row]]:
        """The columns that a statement fills, and its rows, the wrong ones among them noted."""
        listed, rows = self._read(statement, faults, computed)
        columns = listed or list(self.tables[statement.table])
        line = self._line(statement)
        if not columns:
            wrong = f"the columns of {statement.table} are named nowhere"
            faults.add(wrong, "a dump with CREATE TABLE, or column names in INSERT", line)
        elif len(set(columns)) < len(columns):
            faults.add(f"a column of {statement.table} is named twice", "each once", line)
        for row in rows:
            if len(row) != len(columns):
                wrong = f"a row of {statement.table} has {len(row)} cells"
                faults.add(wrong, f"{len(columns)}, one a column", line)
        return columns, rows

    def _read(
        self, statement: Statement, faults: FaultList, computed: ComputedCells
    ) -> tuple[list[str] | None, list[Row]]:
        from sqlglot.errors import TokenError

        sql = self.text[statement.body : statement.end]
        try:
            listed, rows = inserted(sql, self.dialect, computed)
            if statement.does == "copy":
                rows = copied(self._lines(statement))
            return listed, list(rows)
        except (TokenError, ValueError):
            faults.add("this is not SQL that can be read", AGAIN, self._line(statement))
            return None, []

    def _lines(self, copy: Statement) -> list[str]:
        """The lines between the one that COPY ends on and the one with a full stop."""
        block = self.text[copy.end : copy.rows_end].replace("\r\n", "\n")
        # Only line feeds end rows: what else splitlines() knows may be in a cell.
        return block.split("\n")[1:-1]

    def _line(self, statement: Statement) -> int:
        return bisect_left(self._line_ends, statement.start) + 1

    @cached_property
    def _line_ends(self) -> list[int]:
        return [found.start() for found in regex.finditer("\n", self.text)]


def open_dump(path: Path) -> Dump:
    """The dump in a file, plain or gzip; only what its tables are is found out here.

    Raises
    ------
    LogError
        It cannot be read, or ends within a statement.
    """
    text = _text(path)
    dump = Dump(text, str(path), dialect_of(text[:HEAD_BYTES]))
    try:
        for statement in statements(text, dump.dialect):
            _note(dump, statement)
    except CutOffError as error:
        line = text.count("\n", 0, error.args[0]) + 1
        refuse(str(path), "the dump ends within the statement that begins here", AGAIN, line)
    return dump


def _note(dump: Dump, statement: Statement) -> None:
    """Keep a statement, and the columns that it names."""
    known = dump.tables.get(statement.table, ())
    if statement.does != "create":
        filled = dump._filled.setdefault(statement.table, [])
        filled.append(statement)
        if known and len(filled) > 1:
            return
    dump.tables[statement.table] = tuple(dict.fromkeys([*known, *_named(dump, statement)]))


def _named(dump: Dump, statement: Statement) -> Iterator[str]:
    from sqlglot.errors import TokenError

    # The rows may be long, and they are not looked at here.
    values = _VALUES.search(dump.text, statement.body, statement.end)
    end = statement.end if statement.does != "insert" or values is None else values.end()
    try:
        yield from columns_created(dump.text[statement.body : end], dump.dialect)
    except (TokenError, ValueError):
        return


def _text(path: Path) -> str:
    data = read_bytes(path)
    if data.startswith(UTF_16):
        text = data.decode("utf-16", errors="replace")
        if looks_binary(text[:HEAD_BYTES].encode()):
            refuse(str(path), "the file is binary, not text", "a dump as SQL text")
        return text
    data = read_text_bytes(path)
    try:
        return data.decode()
    except UnicodeDecodeError:
        said = regex.search(rb"(?i)\bNAMES '?utf8|client_encoding = 'UTF8'", data[:HEAD_BYTES])
        return data.decode(errors="replace") if said else data.decode("latin-1")
