"""The entries of a slow log: where each begins and ends, and what its lines say.

An entry is a few lines that begin with ``#``, of which only the one with the query time is always
there, and the statement. The server puts ``use`` and ``SET timestamp`` before the statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

from jobsim.joblog.faultlist import FaultList, shown
from jobsim.joblog.statement_kind import StatementKinds
from jobsim.joblog.statement_words import MOST_CHARACTERS

SURE = re.compile(rb"^# Query_time: *\d[\d.]* +Lock_time: *\d", re.MULTILINE)

# Begins with two plain characters, so that the search for it is quick.
_HEADER = re.compile(
    rb"""
    \#\ (?<![^\n]\#\ )(?=(?:Time|User@Host|Thread_id|Schema|Client|Query_time):)
    (?:(?:\#\ )?(?<=\#\ )(?:Time:\ *([^\#\n]*)|(?:User@Host|Thread_id|Schema|Client):)
        [^\n]*(?:\n|\Z))*
    (?:(?:\#\ )?(?<=\#\ )(Query_time):
        \ *([^\s]*)(?:[ \t]+Lock_time:\ *([^\s]+))?[^\n]*(?:\n|\Z)
        ((?:\#(?!\ (?:administrator\ command|Time|User@Host|Thread_id|Schema|Client|Query_time):)
            [^\n]*(?:\n|\Z))*)
        (?:use\ [^\n]*(?:\n|\Z))?
        (?:SET\ (?:[^\n;]*,)?timestamp=(\d{1,12})\b[^\n]*(?:\n|\Z))?
    )?
    """,
    re.VERBOSE,
)
_IS_ENTRY, _QUERY, _LINES_AFTER = 2, 3, 5  # groups of it
_USER = re.compile(rb"User@Host: *([^\[\n]*)\[([^\]\n]*)\]")
_FIELDS = {
    "session": re.compile(rb"(?:Thread_id|Id): *(\d+)"),
    "start": re.compile(rb" Start: *(\S+)"),
    "error": re.compile(rb"(?:Last_errno|Errno): *(\d{1,9})\b"),
    "killed": re.compile(rb"Killed: *(\d{1,9})\b"),
    "sampled": re.compile(rb"Log_slow_rate_limit: *(\d{1,9})\b"),
}
_ROWS = re.compile(rb"Rows_(?:sent|affected): *(\d{1,15})\b")
_NUMBER = re.compile(rb"\d{1,20}(?:\.\d{1,9})?")
_COMMAND = re.compile(r"# administrator command: *([\w ]+)")


class Entry(NamedTuple):
    """What one entry says; None is what it does not say.

    Attributes
    ----------
    time
        The text of its own line ``# Time``, which old servers leave out while the second lasts.
    stamp_s
        Of ``SET timestamp``, seconds since 1970.
    start
        The text of its field ``Start``.
    error, killed
        Numbers of errors of the server; 0 is none.
    user
        Empty where the log names one without a name.
    sampled
        Of how many statements (or sessions) the server logged one.
    rows
        Sent or changed; not looked for where there is no error.
    same
        Equal for entries that are written alike; None where equal entries can be two statements.
    """

    time: str | None
    stamp_s: float | None
    start: str | None
    query_s: float
    lock_s: float | None
    user: str | None
    session: str | None
    error: int
    killed: int
    sampled: int
    rows: int
    kind: str
    same: int | None


def has_entries(head: bytes) -> bool:
    """Whether a file that begins like this has the line that every entry has."""
    return SURE.search(head) is not None


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of a log.

    Attributes
    ----------
    broken
        How many headers have no query time and so are none.
    clues
        A text in which the server that wrote the log names itself, or has habits of its own.
    in_table
        They are rows of a table, in any order, and not as the server wrote them one by one.
    """

    found: list[Entry]
    broken: int
    clues: bytes
    in_table: bool = False


def entries(data: bytes, faults: FaultList) -> Entries:
    """The entries of a slow log in the order of the file.

    A query time that is no number is a fault, and its entry is left out.
    """
    kinds = StatementKinds()
    fields = {name: field for name, field in _FIELDS.items() if field.search(data)}
    found: list[Entry] = []
    broken, lines = 0, _Lines(data)
    for header, following in pairwise(chain(_HEADER.finditer(data), [None])):
        assert header is not None
        end = following.start() if following else len(data)
        if header[_IS_ENTRY] is None:
            broken += b"User@Host:" in header[0]
        elif _NUMBER.fullmatch(header[_QUERY]):
            found.append(_entry(data, header, end, fields, kinds))
        else:
            text = shown(header[_QUERY].decode("utf-8", "replace"))
            wrong, right = f"Query_time is {text}, not a number", "seconds, as 1.250000"
            faults.add(wrong, right, lines.number(header.start(_QUERY)))
    return Entries(found, broken, clues=data)


class _Lines:
    """The numbers of the lines of places in a log, asked for in order."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at, self._line = data, 0, 1

    def number(self, at: int) -> int:
        self._line += self._data.count(b"\n", self._at, at)
        self._at = at
        return self._line


def _entry(
    data: bytes,
    header: re.Match[bytes],
    end: int,
    fields: Mapping[str, re.Pattern[bytes]],
    kinds: StatementKinds,
) -> Entry:
    """The entry with this header, whose statement goes to `end`."""
    begin, statement = header.span()
    time, _, query, lock, _, stamp = header.groups()
    lines = data[begin : header.end(_LINES_AFTER)]
    said = {
        name: found[1].decode("utf-8", "replace")
        for name, field in fields.items()
        if (found := field.search(lines))
    }
    error = int(said.get("error", 0))
    unlike_others = b"." in query and "session" in said and bool(time or stamp)
    return Entry(
        time=None if time is None else time.decode("utf-8", "replace").strip(),
        stamp_s=float(stamp) if stamp else None,
        start=said.get("start"),
        query_s=float(query),
        lock_s=float(lock) if lock and _NUMBER.fullmatch(lock) else None,
        user=user_in(lines),
        session=said.get("session"),
        error=error,
        killed=int(said.get("killed", 0)),
        sampled=int(said.get("sampled", 1)),
        rows=sum(map(int, _ROWS.findall(lines))) if error else 0,
        kind=_kind(data[statement : min(end, statement + MOST_CHARACTERS)], kinds),
        same=hash(data[begin:end].strip()) if unlike_others else None,
    )


def user_in(header: bytes) -> str | None:
    """The name with which the session logged in; it stands in brackets after its account's."""
    found = _USER.search(header)
    if found is None:
        return None
    name = (found[2].strip() or found[1].strip()).decode("utf-8", "replace")
    return "".join(filter(str.isprintable, name)).strip()


def _kind(statement: bytes, kinds: StatementKinds) -> str:
    text = statement.decode("utf-8", "replace")
    command = _COMMAND.match(text)
    return f"administrator command {command[1].strip()}" if command else kinds.of(text)
