"""The rows of a statement: what its tokens say each cell holds."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from jobsim.joblog.sqldump.dialects import Dialect

if TYPE_CHECKING:
    from sqlglot import Token

Cell = str | None
Row = list[Cell]

TEXTS = frozenset(
    (
        *("STRING", "NATIONAL_STRING", "RAW_STRING", "HEREDOC_STRING"),
        *("UNICODE_STRING", "BYTE_STRING", "NUMBER"),
    )
)
_ESCAPE = re.compile(r"(?s)\\(.)")
_UNISTR = re.compile(r"\\(?:u([0-9a-fA-F]{4})|\+([0-9a-fA-F]{6})|\\)")
_ESCAPED = {"N": None, "t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


class ComputedCells:
    """Counts the cells that a dump does not state but computes; they become missing."""

    count = 0


def columns_created(sql: str, dialect: Dialect) -> list[str]:
    """The columns that stand after the name in a CREATE TABLE, in their order."""
    columns = []
    for first, *_ in _items(dialect.tokenizer().tokenize(sql)):
        if first.token_type.name == "IDENTIFIER" or not _no_column(first.text, dialect):
            columns.append(first.text)
    return columns


def _no_column(word: str, dialect: Dialect) -> bool:
    # The tokenizer takes "PRIMARY KEY" and its like for one word.
    return word.upper().partition(" ")[0] in dialect.not_columns


def _items(tokens: list[Token]) -> Iterator[list[Token]]:
    """What is between the commas of the first pair of parentheses."""
    item: list[Token] = []
    depth = 0
    for token in tokens:
        kind = token.token_type.name
        depth -= kind == "R_PAREN"
        if item and (depth < 1 or (depth == 1 and kind == "COMMA")):
            yield item
            item = []
        elif depth >= 1:
            item.append(token)
        if depth < 1 and kind == "R_PAREN":
            return
        depth += kind == "L_PAREN"


def inserted(
    sql: str, dialect: Dialect, computed: ComputedCells
) -> tuple[list[str] | None, Iterator[Row]]:
    """The column list of an INSERT or a COPY (None: it has none), and the rows after VALUES.

    Parameters
    ----------
    sql
        What stands after the table's name: the tokenizers do not look into statements that begin
        with certain words, such as REPLACE.

    Raises
    ------
    sqlglot.errors.TokenError
        This is no SQL.
    """
    tokens = dialect.tokenizer().tokenize(sql)
    values = _values(tokens)
    before = [item[0].text for item in _items(tokens[:values])]
    return before or None, _rows(tokens, values + 1, computed)


def _values(tokens: list[Token]) -> int:
    """The place of VALUES, or the end where the rows are selected from elsewhere."""
    depth = 0
    for place, token in enumerate(tokens):
        kind = token.token_type.name
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        opens = place + 1 < len(tokens) and tokens[place + 1].token_type.name == "L_PAREN"
        if depth == 0 and opens and token.text.upper() in ("VALUES", "VALUE"):
            return place
    return len(tokens)


def _rows(tokens: list[Token], place: int, computed: ComputedCells) -> Iterator[Row]:
    from sqlglot import TokenType

    comma, opens, closes = TokenType.COMMA, TokenType.L_PAREN, TokenType.R_PAREN
    as_written = (TokenType.STRING, TokenType.NUMBER)
    row: Row = []
    cell: list[Token] = []
    depth = 0
    for token in islice(tokens, place, None):
        kind = token.token_type
        depth -= kind is closes
        if (depth == 1 and kind is comma) or (depth == 0 and kind is closes):
            plain = len(cell) == 1 and cell[0].token_type in as_written
            row.append(cell[0].text if plain else _cell(cell, computed))
            cell = []
            if depth == 0:
                yield row
                row = []
        elif depth > 0:
            cell.append(token)
        elif kind is not comma and kind is not opens:
            return  # ON DUPLICATE KEY UPDATE and the like
        depth += kind is opens


def _cell(tokens: list[Token], computed: ComputedCells) -> Cell:
    """The text of a cell: a literal, perhaps signed, introduced (``_binary``) or cast."""
    while tokens and tokens[0].token_type.name == "INTRODUCER":
        tokens = tokens[1:]
    if len(tokens) == 1:
        return _literal(tokens[0], computed)
    kinds = [token.token_type.name for token in tokens]
    if kinds[:1] in (["DASH"], ["PLUS"]) and kinds[1:] == ["NUMBER"]:
        return ("-" if kinds[0] == "DASH" else "") + tokens[1].text
    if "DCOLON" in kinds:
        return _cell(tokens[: kinds.index("DCOLON")], computed)
    if kinds and tokens[0].text.upper() == "CAST" and "ALIAS" in kinds:
        place = kinds.index("ALIAS")
        kind = "".join(token.text for token in tokens[place + 1 : place + 2])
        return _cast(tokens[2:place], kind, computed)
    if len(tokens) == 2 and kinds[1] == "STRING":  # TIMESTAMP '2026-01-01 00:00:00'
        return tokens[1].text
    if len(tokens) <= LONGEST_CALL and tokens and tokens[0].text.lower() in CALLS:
        return _called(tokens, computed)
    computed.count += 1
    return None


def _called(tokens: list[Token], computed: ComputedCells) -> Cell:
    """What a call gives by which sqlite3 writes a text with ends of lines in one line."""
    given = [_cell(item, computed) for item in _items(tokens)]
    try:
        return CALLS[tokens[0].text.lower()](*given)
    except (TypeError, ValueError, AttributeError, OverflowError):
        computed.count += None not in given
        return None


def _replace(text: str, old: str, new: str) -> str:
    if len(new) > len(old):  # not what sqlite3 writes, and might never end
        raise ValueError
    return text.replace(old, new)


def _unistr(text: str) -> str:
    return _UNISTR.sub(lambda found: chr(int(found[1] or found[2] or "5c", 16)), text)


CALLS: dict[str, Callable[..., str]] = {
    "replace": _replace,
    "char": lambda number: chr(int(number)),
    "unistr": _unistr,
}
LONGEST_CALL = 32  # tokens: of two replacements, one within the other, there are 20


def _cast(tokens: list[Token], kind: str, computed: ComputedCells) -> Cell:
    """The text that is cast; SQL Server's older scripts write instants as bytes."""
    if kind.lower() != "datetime" or [token.token_type.name for token in tokens] != ["HEX_STRING"]:
        return _cell(tokens, computed)
    try:
        days, part = struct.unpack(">iI", bytes.fromhex(tokens[0].text.zfill(16)))
        since_1900 = timedelta(days=days, seconds=part / 300)
        return (datetime(1900, 1, 1) + since_1900).isoformat(" ", "milliseconds")
    except (struct.error, ValueError, OverflowError):
        return tokens[0].text


def _literal(token: Token, computed: ComputedCells) -> Cell:
    kind = token.token_type.name
    if kind in TEXTS:
        return token.text
    if kind == "HEX_STRING":
        return _from_hex(token.text)
    if kind == "BIT_STRING":
        return str(int(token.text or "0", 2))
    if kind in ("TRUE", "FALSE"):
        return kind.lower()
    computed.count += kind not in ("NULL", "DEFAULT")
    return None


def _from_hex(digits: str) -> str:
    """What bytes written as hex digits say, or the digits where they are no text."""
    try:
        text = bytes.fromhex(digits).decode()
    except ValueError:
        return digits.lower()
    return text if text.isprintable() else digits.lower()


def copied(lines: Iterable[str]) -> Iterator[Row]:
    """The rows that follow a COPY, one a line: cells between tabs, ``\\N`` for null."""
    for line in lines:
        yield [_copied(cell) for cell in line.split("\t")]


def _copied(cell: str) -> Cell:
    if "\\" not in cell:
        return cell
    return None if cell == r"\N" else _ESCAPE.sub(_unescape, cell)


def _unescape(found: re.Match[str]) -> str:
    return _ESCAPED.get(found[1]) or found[1]
