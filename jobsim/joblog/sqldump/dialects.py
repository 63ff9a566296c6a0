"""How each kind of server writes a dump: its strings, names and comments, and where one ends.

sqlglot's tokenizers read the statements that hold wanted rows. The patterns here only find where
each statement ends, so that those of other tables can be passed over quickly. They are `regex`'s,
since the standard library's `re` mismatches possessive groups before Python 3.11.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from sqlglot.tokens import Tokenizer


@dataclass(frozen=True)
class Dialect:
    """How one kind of server writes SQL.

    Attributes
    ----------
    name
        As sqlglot calls it.
    opaque
        Pattern of what may hold a semicolon that ends nothing: strings, names, comments.
    ends
        Pattern of what ends a statement, beside the end of the text.
    not_columns
        Words that begin an item of CREATE TABLE that is no column, unless quoted.
    """

    name: str
    opaque: str
    ends: str = ";"
    not_columns: frozenset[str] = frozenset()

    @property
    def statement(self) -> regex.Pattern[str]:
        """A statement, from wherever it is asked for, to its end."""
        return _statement(self.opaque, self.ends)

    def tokenizer(self) -> Tokenizer:
        """sqlglot's tokenizer of this dialect."""
        from sqlglot.dialects.dialect import Dialect as Sqlglot

        kind = Sqlglot.get_or_raise(self.name)
        return kind.tokenizer_class(dialect=kind)


@cache
def _statement(opaque: str, ends: str) -> regex.Pattern[str]:
    # Possessive throughout: nothing is ever tried twice, so hostile text costs no more than any.
    plain = r"[^;'\"`\[\-#/$\\\n]++"
    return regex.compile(rf"(?s)(?:{plain}|{opaque}|(?!{ends})[\[\]\-#/$\\\n])*+(?:{ends}|\Z)")


_DASHES = r"--[^\n]*+"
# What does not end takes all that is left, so that its end is looked for only once.
_BLOCK = r"/\*(?:.*?\*/|.*+)"
_SINGLE = r"'(?:[^']++|'')*+'"
_DOUBLE = r'"(?:[^"]++|"")*+"'
_BACKTICKS = r"`(?:[^`]++|``)*+`"
_BRACKETS = r"\[(?:[^\]]++|\]\])*+(?:\]|\Z)"

_CONSTRAINTS = frozenset(["CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "EXCLUDE", "LIKE"])

MYSQL = Dialect(
    "mysql",
    "|".join(
        (
            r"'(?:[^'\\]++|\\.|'')*+'",
            r'"(?:[^"\\]++|\\.|"")*+"',
            _BACKTICKS,
            r"--(?=\s|\Z)[^\n]*+",
            r"\#[^\n]*+",
            _BLOCK,
        )
    ),
    not_columns=_CONSTRAINTS | frozenset(["KEY", "INDEX", "FULLTEXT", "SPATIAL", "PERIOD"]),
)
POSTGRES = Dialect(
    "postgres",
    "|".join(
        (
            r"(?<=[^\w][eE])'(?:[^'\\]++|\\.|'')*+'",
            _SINGLE,
            _DOUBLE,
            r"\$(\w*)\$(?:.*?\$\1\$|.*+)",
            _DASHES,
            _BLOCK,
            r"(?<=\n)\\[^\n]*+",  # a command to psql
        )
    ),
    not_columns=_CONSTRAINTS,
)
SQLITE = Dialect(
    "sqlite",
    "|".join((_SINGLE, _DOUBLE, _BACKTICKS, _BRACKETS, _DASHES, _BLOCK)),
    not_columns=_CONSTRAINTS,
)
TSQL = Dialect(
    "tsql",
    "|".join((_SINGLE, _DOUBLE, _BRACKETS, _DASHES, _BLOCK)),
    # SQL Server's scripts end a statement by the next, or by GO, on a line of its own.
    ends=r";|\n(?=(?i:GO|INSERT|CREATE|ALTER|SET|USE|EXEC|IF|PRINT)\b)",
    not_columns=_CONSTRAINTS | frozenset(("INDEX", "PERIOD")),
)

_SIGNS = (
    (MYSQL, r"-- (?:MySQL|MariaDB) dump|phpMyAdmin SQL Dump|/\*M?![0-9]{5}|\)\s*ENGINE\s*="),
    (POSTGRES, r"-- PostgreSQL database|SET standard_conforming_strings|COPY [^;]+ FROM stdin;"),
    (SQLITE, r"\A\s*PRAGMA foreign_keys"),
    (TSQL, r"(?i)\b(?:INSERT(?:\s+INTO)?|CREATE\s+TABLE)\s+\[|^GO\s*$|SET IDENTITY_INSERT"),
    (MYSQL, r"(?i)\b(?:INSERT(?:\s+IGNORE)?\s+INTO|REPLACE\s+INTO|CREATE\s+TABLE[\w\s]*?)\s*`"),
)


def dialect_of(text: str) -> Dialect:
    """The dialect that a dump which begins like this is written in; PostgreSQL's if nothing says.

    What PostgreSQL and the standard take for a string, the others (but MySQL) do as well.
    """
    for dialect, sign in _SIGNS:
        if regex.search(sign, text, regex.MULTILINE):
            return dialect
    return POSTGRES
