"""The entries of a slow log: where each begins and ends, and what its lines say.

An entry is a few lines that begin with ``#``, of which only the one with the query time is always
there, and the statement. The server puts ``use`` and ``SET timestamp`` before the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import NamedTuple

from jobsim.joblog.faultlist import FaultList, shown
from jobsim.joblog.statement_kind import StatementKinds
from jobsim.joblog.statement_words import MOST_CHARACTERS

SURE = re.compile(rb"^# Query_time: *\d[\d.]* +Lock_time: *\d", re.MULTILINE)

_QUERY_LINE = re.compile(
    rb"^# Query_time: *([^\s]*)(?:[ \t]+Lock_time: *([^\s]+))?[^\n]*\n?", re.MULTILINE
)
_LINES_BEFORE = (b"# Time:", b"# User@Host:", b"# Thread_id:", b"# Schema:")
_USER_LINES = re.compile(
    rb"^# (?:Time:[^\n#]*# )?User@Host:[^\n]*(?:\n# User@Host:[^\n]*)*+", re.MULTILINE
)
_BEFORE_STATEMENT = re.compile(
    rb"((?:\#(?!\ administrator\ command:)[^\n]*\n)*+)"
    rb"(?:use\ [^\n]*\n)?+"
    rb"(?:SET\ (?:[^\n;]*,)?timestamp=(\d{1,12})\b[^\n]*(?:\n|\Z))?",
    re.VERBOSE,
)
_NEXT_HEADER = re.compile(rb"\n# (?:Time|User@Host):")

_TIME = re.compile(rb"^# Time: *([^#\n]*)", re.MULTILINE)
_USER = re.compile(rb"User@Host: *([^\[\n]*)\[([^\]\n]*)\]")
_FIELDS = {
    "session": re.compile(rb"(?:Thread_id|Id): *(\d+)"),
    "start": re.compile(rb" Start: *(\S+)"),
    "error": re.compile(rb"(?:Last_errno|Errno): *(\d{1,9})\b"),
    "killed": re.compile(rb"Killed: *(\d{1,9})\b"),
    "sampled": re.compile(rb"Log_slow_rate_limit: *(\d{1,9})\b"),
}
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
    kind: str
    same: int | None


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is a slow log: it has the line that every entry has."""
    return SURE.search(head) is not None


def entries(data: bytes, faults: FaultList) -> Iterator[Entry]:
    """The entries of a slow log in the order of the file.

    A query time that is no number is a fault, and its entry is left out.
    """
    kinds = StatementKinds()
    fields = {name: field for name, field in _FIELDS.items() if field.search(data)}
    counted, newlines = 0, 1
    begin = 0
    for line, following in pairwise(chain(_QUERY_LINE.finditer(data), [None])):
        assert line is not None
        begin = begin or _header_begin(data, line.start(), 0)
        end = _header_begin(data, following.start(), line.end()) if following else len(data)
        if _NUMBER.fullmatch(line[1]):
            yield _entry(data, begin, line, end, fields, kinds)
        else:
            newlines += data.count(b"\n", counted, line.start())
            counted = line.start()
            wrong = f"Query_time is {shown(line[1].decode('utf-8', 'replace'))}, not a number"
            faults.add(wrong, "seconds, as # Query_time: 1.250000", newlines)
        begin = end


def users_named(data: bytes) -> int:
    """How many headers of the log name a user, with or without a query time."""
    return sum(1 for _ in _USER_LINES.finditer(data))


def _header_begin(data: bytes, at: int, low: int) -> int:
    """Where the header begins whose line with the query time begins at `at`."""
    while at > low:
        before = data.rfind(b"\n", low, at - 1) + 1 or low
        if not data.startswith(_LINES_BEFORE, before):
            break
        at = before
    return at


def _entry(
    data: bytes,
    begin: int,
    line: re.Match[bytes],
    end: int,
    fields: Mapping[str, re.Pattern[bytes]],
    kinds: StatementKinds,
) -> Entry:
    """The entry from `begin` to `end` whose line with the query time is `line`."""
    before = _BEFORE_STATEMENT.match(data, line.end(), end)
    assert before is not None  # each of its parts may be missing
    header = data[begin : before.end(1)]
    said = {
        name: found[1].decode("utf-8", "replace")
        for name, field in fields.items()
        if (found := field.search(header))
    }
    times = _TIME.findall(header)
    unlike_others = b"." in line[1] and "session" in said and bool(times or before[2])
    return Entry(
        time=times[-1].decode("utf-8", "replace").strip() if times else None,
        stamp_s=float(before[2]) if before[2] else None,
        start=said.get("start"),
        query_s=float(line[1]),
        lock_s=float(line[2]) if line[2] and _NUMBER.fullmatch(line[2]) else None,
        user=_user(header),
        session=said.get("session"),
        error=int(said.get("error", 0)),
        killed=int(said.get("killed", 0)),
        sampled=int(said.get("sampled", 1)),
        kind=_kind(data[before.end() : min(end, before.end() + MOST_CHARACTERS)], kinds),
        same=hash(data[begin:end].strip()) if unlike_others else None,
    )


def _user(header: bytes) -> str | None:
    """The name with which the session logged in; it stands in brackets after its account's."""
    found = _USER.search(header)
    if found is None:
        return None
    name = (found[2].strip() or found[1].strip()).decode("utf-8", "replace")
    return "".join(filter(str.isprintable, name)).strip()


def _kind(statement: bytes, kinds: StatementKinds) -> str:
    broken_off = _NEXT_HEADER.search(statement)
    text = statement[: broken_off.start() if broken_off else None].decode("utf-8", "replace")
    command = _COMMAND.match(text)
    return f"administrator command {command[1].strip()}" if command else kinds.of(text)
