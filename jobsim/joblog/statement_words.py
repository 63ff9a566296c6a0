"""The words of an SQL statement, without its literals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import regex

MOST_CHARACTERS = 4096
"""Of a statement only so much is looked at: the rest hardly names another table."""

# Begins with one class of characters, so that the search for it is quick.
_LITERAL = regex.compile(
    r"""
    [`'"/\#\-0-9] (?:
      (?<=`) [^`]*+ (?:`|\Z)                              # a quoted name: stays
    | (?<=') (?:[^'\\]|\\.|'')*+ (?:'|\\?\Z)              # texts; the last may be cut off
    | (?<=") (?:[^"\\]|\\.|"")*+ (?:"|\\?\Z)
    | (?<=/) \* .*? (?:\*/|\Z)                            # comments
    | (?<=\#) [^\n]*+
    | (?<=-) -(?=\s) [^\n]*+
    | (?<=\d) (?<![\w$@.]\d) (?:[xX][0-9a-fA-F]++ | \d*+(?:\.\d*+)?(?:[eE][-+]?\d++)?) (?![\w$])
    )""",
    regex.VERBOSE | regex.DOTALL,
)
_RUN_COMMENT = re.compile(r"/\*M?!\d*")
_NUMBER_IN_NAME = re.compile(r"_\d++(?![^\W_]|\$)")
_LIST = re.compile(r"\?(?: ?, ?\?)+")
_ROWS = re.compile(r"(\( ?\? ?\))(?: ?, ?\( ?\? ?\))+")
_WORD = re.compile(r"`([^`]*+)`?|([\w$]++|[^\s\w])")


@dataclass(frozen=True, slots=True)
class Words:
    """The words and signs of a statement.

    Attributes
    ----------
    texts
        As they are written, names without the quotes around them.
    keywords
        The same in capitals, to be held against keywords; a quoted name, which is none, is empty.
    """

    texts: tuple[str, ...]
    keywords: tuple[str, ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, bool]]) -> Words:
        """Of pairs of a text and whether it is a quoted name."""
        pairs = list(pairs)
        texts = tuple(text for text, _ in pairs)
        return cls(texts, tuple("" if quoted else text.upper() for text, quoted in pairs))

    def __len__(self) -> int:
        return len(self.texts)


def shape(text: str) -> str:
    """The beginning of a statement without comments and blanks, and with ``?`` for each literal.

    Lists of literals, and rows of them, become one. Statements of one shape differ in values only,
    or in numbers after an underscore in names. What stands in a comment that begins with ``/*!``
    is no comment to the server.
    """
    text = _RUN_COMMENT.sub(" ", text[:MOST_CHARACTERS])
    only_literals = not any(mark in text for mark in ("`", "/*", "#", "--"))
    bare = " ".join(_LITERAL.sub("?" if only_literals else _stripped, text).split())
    bare = _LIST.sub("?", bare) if "?," in bare or "? ," in bare else bare
    bare = _NUMBER_IN_NAME.sub("_N", bare)
    return (_ROWS.sub(r"\1", bare) if "?)" in bare or "? )" in bare else bare).strip("; ")


def words(shape: str) -> Words:
    """The words of a shape by MySQL's rules, or plainly where the tokenizer gives up."""
    from sqlglot import TokenType
    from sqlglot.dialects.mysql import MySQL
    from sqlglot.errors import SqlglotError

    try:
        tokens = MySQL().tokenize(shape)
    except SqlglotError:
        return plain_words(shape)
    if any(token.token_type is TokenType.COMMAND for token in tokens):
        return plain_words(shape)  # the tokenizer leaves what follows such a word in one piece
    return Words.of(
        (part, quoted)
        for token in tokens
        for quoted in (token.token_type is TokenType.IDENTIFIER,)
        for part in ([token.text] if quoted else token.text.split())  # REPLACE INTO is one token
    )


def plain_words(shape: str) -> Words:
    """The words of any text: quick, and never at a loss."""
    return Words.of((name or word, bool(name)) for name, word in _WORD.findall(shape))


def _stripped(found: regex.Match[str]) -> str:
    text = str(found[0])
    if text[0] == "`":
        return text
    return " " if text.startswith(("/", "#", "-")) else "?"
