"""What sort of SQL statement a text is: its verb and its tables, as the kind of a job.

Two statements that differ in literals, comments, blanks or the lengths of lists are of one kind,
and so are those on tables that differ in a number after an underscore (``wp_2_posts`` and
``wp_17_posts`` are both ``wp_N_posts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jobsim.joblog.statement_words import Words, plain_words, shape, words

MOST_TOKENISED = 200_000
"""Of one log only so many characters are given to the tokenizer; later shapes are split plainly."""

MOST_TABLES, MOST_LETTERS = 3, 80

OTHER = "other"
"""The kind of a text that begins with no word."""

_NAME = re.compile(r"[\w$]+")

_JOINS = {"FROM", "JOIN", "STRAIGHT_JOIN"}
_BEFORE_TABLES = _JOINS | {"INTO", "UPDATE", "TABLE", "TABLES"}
_VERB_BEFORE_TABLES = {"INSERT", "REPLACE", "CALL", "DESCRIBE", "DESC", "TRUNCATE", "USE"}
_OF_NOTE = {"(", ")"} | _BEFORE_TABLES | _VERB_BEFORE_TABLES
_VERB_OF_TWO = {"SHOW", "CREATE", "ALTER", "DROP", "LOAD", "LOCK", "UNLOCK", "START", "RENAME"}
_VERB_OF_TWO |= {"OPTIMIZE", "ANALYZE", "REPAIR", "CHECK", "FLUSH", "XA"}
_AFTER_WITH = {"SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE"}
_ADVERBS = {"LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE", "IF", "NOT", "EXISTS"}
_ADVERBS |= {"FULL", "GLOBAL", "SESSION", "LOCAL", "TEMPORARY", "UNIQUE", "OR", "ONLY", "LATERAL"}
_NO_TABLE = {"SELECT", "OUTFILE", "DUMPFILE", "VALUES", "VALUE", "SET", "WHERE", "DUAL"}


class StatementKinds:
    """The kinds of the statements of one log; a shape that came before costs little."""

    def __init__(self) -> None:
        self._kind_of: dict[str, str] = {}
        self._tokenised = 0

    def of(self, text: str) -> str:
        """The kind of a statement, as ``select orders, users``: short, printable, never empty.

        The verb comes first (of ``SHOW``, ``CREATE`` and the like with the word after it), then up
        to three tables in the order in which they appear. The work is bounded for any text.
        """
        of_shape = shape(text)
        if of_shape not in self._kind_of:
            self._tokenised += len(of_shape)
            split = words if self._tokenised <= MOST_TOKENISED else plain_words
            self._kind_of[of_shape] = _kind(split(of_shape))
        return self._kind_of[of_shape]


def statement_kind(text: str) -> str:
    """The kind of one statement."""
    return StatementKinds().of(text)


def _kind(words: Words) -> str:
    first = _first_word(words.keywords, 0)
    if words.keywords[first : first + 2] == ("SET", "STATEMENT") and "FOR" in words.keywords:
        first = _first_word(words.keywords, words.keywords.index("FOR") + 1)
    if not "".join(words.keywords[first : first + 1])[:1].isalpha():
        return OTHER
    own_names: set[str] = set()
    if words.keywords[first] == "WITH":
        own_names = _names_of_with(words)
        first = _after_with(words.keywords, first)
    tables = [name for name in dict.fromkeys(_Tables(words, first)) if name not in own_names]
    more = f" +{len(tables) - MOST_TABLES}" if len(tables) > MOST_TABLES else ""
    return _short(f"{_verb(words.keywords[first:])} {', '.join(tables[:MOST_TABLES])}{more}")


def _first_word(keywords: Sequence[str], begin: int) -> int:
    """Where, from `begin` on, the first word is that is no parenthesis."""
    return next((at for at in range(begin, len(keywords)) if keywords[at] != "("), len(keywords))


def _short(kind: str) -> str:
    printable = "".join(letter if letter.isprintable() else " " for letter in kind)
    kind = " ".join(printable.split())
    return kind if len(kind) <= MOST_LETTERS else f"{kind[: MOST_LETTERS - 3]}..."


def _verb(keywords: Sequence[str]) -> str:
    verb, *after = keywords
    if verb in _VERB_OF_TWO:
        second = next((keyword for keyword in after if keyword not in _ADVERBS), "")
        verb = f"{verb} {second}" if second.isalpha() else verb
    return verb.lower()


def _names_of_with(words: Words) -> set[str]:
    """The names that a WITH gives to queries of its own: they are no tables."""
    names, opening = set(), 0
    for at, keyword in enumerate(words.keywords):
        if keyword == "(":
            opening = at
        elif keyword == "AS" and words.keywords[at + 1 : at + 2] == ("(",) and at:
            name = opening - 1 if words.keywords[at - 1] == ")" else at - 1
            names.add(words.texts[name])
    return names


def _after_with(keywords: Sequence[str], first: int) -> int:
    """Where the statement proper begins: its verb is in no parenthesis."""
    depth = 0
    for at in range(first + 1, len(keywords)):
        depth += {"(": 1, ")": -1}.get(keywords[at], 0)
        if depth == 0 and keywords[at] in _AFTER_WITH:
            return at
    return first


class _Tables:
    """A walk over the words of a statement whose verb is at `first`, from table to table."""

    def __init__(self, words: Words, first: int) -> None:
        self._texts, self._keywords = words.texts, words.keywords
        self._first = first
        self._next = 0  # the word from which on nothing is taken yet

    def __iter__(self) -> Iterator[str]:
        in_query = [True]  # of each open parenthesis: whether FROM in it comes before a table
        for at, keyword in enumerate(self._keywords):
            if keyword not in _OF_NOTE or at < self._next:
                continue
            if keyword == "(":
                joined = self._keyword(at - 1) in _JOINS
                in_query.append(joined or self._keyword(at + 1) in {"SELECT", "WITH", "("})
                if joined:
                    yield from self._listed(at + 1)
            elif keyword == ")":
                in_query[1:] = in_query[1:-1]
            elif in_query[-1] and self._tables_follow(at):
                yield from self._listed(at + 1)

    def _keyword(self, at: int) -> str:
        return self._keywords[at] if 0 <= at < len(self._keywords) else ""

    def _tables_follow(self, at: int) -> bool:
        keyword = self._keywords[at]
        if at == self._first and keyword in _VERB_BEFORE_TABLES:
            return True
        part_of_clause = keyword == "UPDATE" and self._keyword(at - 1) in {"FOR", "KEY", "ON"}
        return keyword in _BEFORE_TABLES and not part_of_clause

    def _listed(self, at: int) -> Iterator[str]:
        """Tables from `at` on with commas between them; aliases are passed over."""
        while True:
            while self._keyword(at) in _ADVERBS | _BEFORE_TABLES:
                at += 1
            name, at = self._name(at)
            if not name:
                return
            yield name
            self._next = at
            alias = at + (self._keyword(at) == "AS")
            comma = at if self._keyword(at) == "," else alias + 1
            if self._keyword(comma) != ",":
                return
            at = comma + 1

    def _name(self, at: int) -> tuple[str, int]:
        """The name at `at`, with the parts before it that end in a dot, and where it ends."""
        parts: list[str] = []
        while self._is_name(at):
            parts.append(self._texts[at])
            if self._keyword(at + 1) != ".":
                return ".".join(parts), at + 1
            at += 2
        return ".".join(parts), at

    def _is_name(self, at: int) -> bool:
        if not at < len(self._texts) or self._keywords[at] in _NO_TABLE:
            return False
        return not self._keywords[at] or _NAME.fullmatch(self._texts[at]) is not None
