"""The table ``mysql.slow_log`` as a client printed or exported it, or as its own CSV file.

With ``log_output=TABLE``, the only way on some managed servers, each statement is a row of it. In
the server's data folder it is the file ``slow_log.CSV``, which has no head.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pandas as pd

from jobsim.joblog import printed
from jobsim.joblog.durations import seconds
from jobsim.joblog.faultlist import FaultList, shown
from jobsim.joblog.json_objects import is_json
from jobsim.joblog.printed import Columns, Row, unescaped
from jobsim.joblog.slowlog.entries import Entries, Entry, user_in
from jobsim.joblog.slowlog.instants import MARIADB_FIELD
from jobsim.joblog.statement_kind import StatementKinds

HEAD = (
    "start_time,user_host,query_time,lock_time,rows_sent,rows_examined,db,last_insert_id,"
    "insert_id,server_id,sql_text,thread_id,rows_affected"
)
"""The columns of MariaDB; MySQL lacks the last, and before 5.6 the last two."""

COLUMNS = Columns(
    needed=tuple(
        frozenset({name}) for name in ("start_time", "user_host", "query_time", "sql_text")
    ),
    text="sql_text",
    hint="query_time",
    called={},
    others=frozenset(HEAD.split(",")),
)

_OWN_FILE = re.compile(
    r'"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*","[^"\n]{0,99}\[[^"\n]{0,99}\] @ [^"\n]{0,999}"'
    r',"[\d:.]+","[\d:.]+",\d'
)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_HEX = re.compile(r"0x(?:[0-9A-Fa-f]{2})+")


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is such a table."""
    text = head.decode("utf-8", "replace")
    return _OWN_FILE.match(text) is not None or printed.holds(text, COLUMNS)


def entries(text: str, faults: FaultList) -> Entries:
    """The rows of the table as entries of a slow log, in the order of the file.

    A query time that is no duration is a fault, and its row is left out.

    Raises
    ------
    ValueError
        It is CSV or JSON that cannot be read.
    """
    return entries_of(_rows(text), faults)


def is_table(columns: Iterable[str]) -> bool:
    """Whether a table with these columns is ``mysql.slow_log``, or a copy of it."""
    return COLUMNS.are_head(COLUMNS.named(columns))


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """The rows of the table as a database gives them, as text."""
    names = COLUMNS.named(frame.columns)
    cells = zip(*(frame[name].tolist() for name in frame.columns), strict=True)
    return [
        Row(
            {name: str(cell) for name, cell in zip(names, row, strict=True) if not pd.isna(cell)},
            at,
        )
        for at, row in enumerate(cells, start=1)
    ]


def entries_of(every: Sequence[Row], faults: FaultList) -> Entries:
    """The rows as entries, in their order; those without a query time are broken."""
    kinds, found = StatementKinds(), []
    rows = [row for row in every if "query_time" in row.fields]
    durations_s = zip(_seconds(rows, "query_time"), _seconds(rows, "lock_time"), strict=True)
    for row, (query_s, lock_s) in zip(rows, durations_s, strict=True):
        if query_s >= 0:
            found.append(_entry(row.fields, query_s, lock_s, kinds))
        else:
            wrong = f"query_time is {shown(row.fields['query_time'])}, not a duration"
            faults.add(wrong, "as 00:00:01.250000", row.line)
    by_mariadb = any("rows_affected" in row.fields for row in rows)
    clues = MARIADB_FIELD if by_mariadb else b""
    return Entries(found, len(every) - len(rows), clues, in_table=True)


def _rows(text: str) -> list[Row]:
    if is_json(text):
        return printed.json_rows(text, COLUMNS)
    own = _OWN_FILE.match(text) is not None
    lines = _with_head(text) if own else text.splitlines()
    begins = [*printed.begins(lines, COLUMNS), (len(lines), "")]
    found = [
        row
        for (at, form), (end, _) in pairwise(begins)
        for row in printed.rows(form, lines[at:end], COLUMNS, at + 1 - own)
    ]
    return [_unescaped(row) for row in found] if own else found


def _with_head(text: str) -> list[str]:
    """The server's own file as CSV with a head; it writes a quote in a text as ``\\"``."""
    width = _QUOTED.sub("", text.partition("\n")[0]).count(",") + 1
    plain = _ESCAPE.sub(lambda found: '""' if found[0] == r"\"" else found[0], text)
    return [",".join(HEAD.split(",")[:width]), *plain.splitlines()]


def _unescaped(row: Row) -> Row:
    return replace(row, fields={key: unescaped(cell) for key, cell in row.fields.items()})


def _seconds(rows: list[Row], name: str) -> list[float]:
    """Durations, NaN where one is missing or none."""
    cells = pd.Series([row.fields.get(name) for row in rows], dtype="str")
    return [float(each) for each in seconds(cells)[0]]


def _entry(
    fields: Mapping[str, str], query_s: float, lock_s: float, kinds: StatementKinds
) -> Entry:
    text = fields.get("sql_text", "")
    if _HEX.fullmatch(text):  # clients that take the column for bytes
        text = bytes.fromhex(text[2:]).decode("utf-8", "replace")
    return Entry(
        time=fields.get("start_time"),
        stamp_s=None,
        start=None,
        query_s=query_s,
        lock_s=None if math.isnan(lock_s) else lock_s,
        user=user_in(f"User@Host: {fields.get('user_host', '')}".encode()),
        session=fields.get("thread_id"),
        error=0,
        killed=0,
        sampled=1,
        rows=0,
        kind=kinds.of(text),
        same=None,
    )
