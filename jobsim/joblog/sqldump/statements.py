"""The statements of a dump that matter: which table each concerns, found without reading rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import regex

from jobsim.joblog.sqldump.dialects import MYSQL, Dialect

_BLANK = r"(?:\s++|/\*(?:.*?\*/|.*+)|--[^\n]*+|\#[^\n]*+)"
_BLANKS = regex.compile(rf"(?s){_BLANK}*+")
_WORD = r"(?:`(?:[^`]|``)+`|\"(?:[^\"]|\"\")+\"|\[(?:[^\]]|\]\])+\]|[\w$]+)"
_NAME = rf"(?P<name>{_WORD}(?:\s*\.\s*{_WORD}){{0,2}})"

_HEAD = regex.compile(
    rf"""(?six)(?:{_BLANK}|\\[^\n]*+)*+(?:
        (?P<insert>(?:INSERT|REPLACE)\b
            (?:{_BLANK}++(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|INTO|OR\s+[a-z]+)\b)*+
            {_BLANK}*+)
        | (?P<create>CREATE{_BLANK}++(?:(?:TEMPORARY|TEMP|UNLOGGED|FOREIGN|GLOBAL){_BLANK}++)*+
            TABLE{_BLANK}++(?:IF{_BLANK}++NOT{_BLANK}++EXISTS{_BLANK}++)?+)
        | (?P<copy>COPY{_BLANK}++)
    ){_NAME}""",
)
_COPIES = regex.compile(r"(?is)\bFROM\s+stdin\b")
_DELIMITER = regex.compile(rf"(?ims){_BLANK}*+^[ \t]*+DELIMITER[ \t]++(?!;[ \t\r]*$)\S++[ \t\r]*$")
_DELIMITED = regex.compile(r"(?im)^[ \t]*DELIMITER[ \t]+;[ \t\r]*$")
_COPIED = regex.compile(r"(?m)^\\\.[ \t\r]*$")

COMMON_SCHEMAS = ("public", "dbo", "main")
"""Schemas that everybody has, left out of a table's name."""


Does = Literal["create", "insert", "copy"]
DOES: tuple[Does, ...] = ("create", "insert", "copy")
"""What a statement that matters does: make a table, or fill it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that makes or fills a table.

    Attributes
    ----------
    does
        One of `DOES`.
    table
        The table's name, with its schema where that is not one that everybody has.
    start, end
        The part of the text that it is.
    body
        Where its table's name ends.
    rows_end
        Of a copy: the end of the rows that follow it; else `end`.
    """

    does: Does
    table: str
    start: int
    body: int
    end: int
    rows_end: int


class CutOffError(Exception):
    """The text ends within a statement, which begins at ``args[0]``."""


def statements(text: str, dialect: Dialect) -> Iterator[Statement]:
    """The statements of `text` that make or fill tables, in their order.

    Raises
    ------
    CutOffError
        A string, a name or rows to copy do not end.
    """
    place = 0
    while place < len(text):
        if dialect is MYSQL and (body := _DELIMITER.match(text, place)):
            # Bodies of triggers and procedures: their INSERTs have not happened.
            back = _DELIMITED.search(text, body.end())
            place = back.end() if back else len(text)
            continue
        found = dialect.statement.match(text, place)
        if found is None:
            raise CutOffError(_beginning(text, place))
        statement = _statement(text, place, found.end())
        place = found.end()
        if statement is not None:
            place = statement.rows_end
            yield statement


def _statement(text: str, place: int, end: int) -> Statement | None:
    head = _HEAD.match(text, place, end)
    if head is None:
        return None
    table = plain_name(head["name"])
    does = next(word for word in DOES if head[word] is not None)
    start, body = head.start(does), head.end("name")
    if does != "copy":
        return Statement(does, table, start, body, end, end)
    if not _COPIES.search(text, body, end):
        return None
    over = _COPIED.search(text, end)
    if over is None:
        raise CutOffError(start)
    return Statement(does, table, start, body, end, over.end())


def plain_name(written: str) -> str:
    """A table's name without quotes, and without a schema that everybody has."""
    parts = [unquoted(part.strip()) for part in regex.findall(_WORD, written)]
    *above, name = parts
    schema = above[-1] if above else ""
    return name if schema.lower() in ("", *COMMON_SCHEMAS) else f"{schema}.{name}"


def unquoted(word: str) -> str:
    """A name as it is, without the quotes around it."""
    closing = {"`": "`", '"': '"', "[": "]"}.get(word[:1])
    return word if closing is None else word[1:-1].replace(closing * 2, closing)


def _beginning(text: str, place: int) -> int:
    """Where the statement at `place` begins in earnest, after blanks and comments."""
    blank = _BLANKS.match(text, place)
    return blank.end() if blank else place
