"""Reading process lists: what the sessions in them mean for jobs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.notes import Notes
from jobsim.joblog.printed import Row
from jobsim.joblog.processlist.lists import ProcessList, lists
from jobsim.joblog.processlist.stamps import instants_s
from jobsim.joblog.processlist.statements import gaps_s, statements
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.statement_kind import StatementKinds
from jobsim.joblog.swf import EPOCH
from jobsim.joblog.table import JobLog

LONGEST_S = 1e8
"""A statement does not run for three years: the server gives such times while it logs in."""

CUT_AT = 100
"""Without FULL the server shows so many characters of a statement."""

NO_STATEMENT = {
    "sleep": "asleep, with no statement at work",
    "quit": "a session that is ending",
    "connect": "a session that is logging in, or replication",
    "connect out": "replication",
    "binlog dump": "replication",
    "binlog dump gtid": "replication",
    "table dump": "replication",
    "register slave": "replication",
    "slave_io": "replication",
    "slave_sql": "replication",
    "slave_worker": "replication",
    "daemon": "a thread of the server itself",
    "delayed insert": "a thread of the server itself",
}
"""Why a session with this command is no job."""

_LISTING = re.compile(
    r"show\s+(?:full\s+)?processlist\b|select\b.{0,2000}\b(?:from\s+`?processlist"
    r"|(?:information_schema|performance_schema)`?\s*\.\s*`?(?:processlist|threads)"
    r"|sys`?\s*\.\s*`?(?:x\$)?(?:session|processlist))\b",
    re.IGNORECASE | re.DOTALL,
)
_SECONDS = re.compile(r"-?\d{1,20}(?:\.\d{1,9})?")

LOOP = (
    "a line with the time before each: while sleep 2; do date -u +%FT%TZ;"
    " mysql -E -e 'SHOW FULL PROCESSLIST'; done >> lists.txt"
)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read process lists of MySQL or MariaDB, plain or gzip, one or several in a file.

    A list shows how long the statements at work had run; what is known of a run time is that it
    was at least that long. Sessions without a statement are dropped and counted. A statement that
    several lists show (the same session, the same text, and the same start within a second) is
    one job, with the longest time seen.

    Lists need time stamps, each its own, or none of them has one: then the time between two of
    them is taken from sessions that are in both, and the log has no origin.

    ============  ==============================================================================
    column        made of
    ============  ==============================================================================
    ``kind``      the statement's verb and tables (``Info``)
    ``submit_s``  when the list was made, less ``Time`` (or ``Time_ms``)
    ``start_s``   the same: a statement is at work from when it comes to the server
    ``run_s``     ``Time``: a lower bound
    ``outcome``   cancelled where the command is Killed, otherwise unknown
    ``owner``     ``User``
    ============  ==============================================================================

    Raises
    ------
    LogError
        The file cannot be read, no statement is at work in it, or when its lists were made does
        not follow from it.
    """
    text, faults, notes = (
        read_text_bytes(path).decode("utf-8", "replace"),
        FaultList(str(path)),
        Notes(),
    )
    try:
        found = [each for each in lists(text) if each.rows]
    except ValueError as error:
        refuse(str(path), str(error), "a process list as the client printed or exported it")
    if not found:
        refuse(str(path), "there is no row of a process list", "SHOW FULL PROCESSLIST\\G")
    sessions = _sessions(found, faults)
    faults.raise_if_any()
    at_s, origin = _when(path, found, sessions, reading, notes)
    seen = _at_work(sessions.assign(at_s=at_s[sessions["list"]]), notes)
    if seen.empty:
        refuse(str(path), "no statement is at work in it", "a list made while statements run")
    kinds = StatementKinds()
    seen = seen.assign(kind=[kinds.of(info) for info in seen["info"]])
    runs = statements(seen, notes)
    _mark_runs(runs, found, notes)
    _mark_texts(seen, notes)
    if origin is None:
        runs = runs.assign(start_s=runs["start_s"] - runs["start_s"].min())
        notes.add("moved: the clock begins at the first submission, at a time not known", len(runs))
    log = JobLog.of(
        _columns(runs),
        name=log_name(path),
        source=str(path),
        origin=origin,
        notes=notes.taken,
    )
    return log.from_zero()


def _sessions(found: list[ProcessList], faults: FaultList) -> pd.DataFrame:
    """One row a session in a list."""
    names = ("id", "command", "info")
    rows: list[dict[str, Any]] = [
        {name: row.fields.get(name) for name in names}
        | {"list": number, "time_s": _time_s(row, faults)}
        | _as_sys_shows(row)
        for number, each in enumerate(found)
        for row in each.rows
    ]
    return pd.DataFrame(rows).astype({"time_s": "float64"})


def _time_s(row: Row, faults: FaultList) -> float | None:
    """How long the statement has run, to the millisecond where the list says that too."""
    text, fine = row.fields.get("time"), row.fields.get("time_ms", "")
    if text is None:
        return float(fine) / 1000 if _SECONDS.fullmatch(fine) else None
    if not _SECONDS.fullmatch(text):
        faults.add(f"Time is {shown(text)}, not a number", "seconds, as Time: 12", row.line)
        return None
    time_s = float(text)
    if _SECONDS.fullmatch(fine) and abs(float(fine) / 1000 - time_s) < 2:
        time_s = float(fine) / 1000
    return time_s if 0 <= time_s < LONGEST_S else None


def _as_sys_shows(row: Row) -> dict[str, Any]:
    """The user, and whether the statement is whole.

    The views of ``sys``, which alone say ``thd_id``, add the host to the user's name, and put an
    ellipsis into a statement of more than 64 characters.
    """
    user, by_sys = row.fields.get("user"), "thd_id" in row.fields
    if user and by_sys:
        user = user.rpartition("@")[0] or user
    return {"user": user, "shortened": by_sys and " ... " in row.fields.get("info", "")}


def _when(
    path: Path,
    found: list[ProcessList],
    sessions: pd.DataFrame,
    reading: Reading,
    notes: Notes,
) -> tuple[Any, Any]:
    """When each list was made, in seconds since the origin, which may be unknown."""
    unstamped = [each.line for each in found if each.stamp is None]
    if not unstamped:
        at_s = instants_s([each.stamp or "" for each in found], reading, notes)
        if np.isnan(at_s).any():
            bad = found[int(np.flatnonzero(np.isnan(at_s))[0])]
            wrong = f"{shown(bad.stamp or '')}, when the list was made, is no time"
            refuse(str(path), wrong, "as 2026-11-30T09:15:00Z", bad.line)
        return at_s, EPOCH
    if len(unstamped) < len(found):
        refuse(str(path), "this list has no time stamp, others have", LOOP, unstamped[0])
    between_s = gaps_s(sessions)
    if between_s is None:
        wrong = "its lists have no time stamps, and two of them no session in common"
        refuse(str(path), wrong, LOOP)
    if len(found) > 1:
        reason = "guessed: the time between two lists, by what sessions in both gained (no stamps)"
        notes.add(reason, len(sessions))
    return between_s, None


def _at_work(sessions: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """The sessions with a statement at work; each of the others is noted by its first reason."""
    command = sessions["command"].fillna("").str.lower()
    reason = command.map(NO_STATEMENT).astype("str")
    for why, mask in (
        (
            "a row that is no session's, or cut off",
            sessions["id"].isna() | sessions["command"].isna(),
        ),
        ("replication", sessions["user"].eq("system user")),
        ("no statement in it (Info is empty)", sessions["info"].isna()),
        ("the listing itself", sessions["info"].fillna("").str.match(_LISTING)),
        ("how long it has run is not known", sessions["time_s"].isna()),
    ):
        reason = reason.mask(reason.isna() & mask, why)
    for why in reason.dropna().unique():
        notes.add(f"dropped: {why}", reason == why)
    return sessions[reason.isna()]


def _mark_runs(runs: pd.DataFrame, found: list[ProcessList], notes: Notes) -> None:
    by_killer = runs["list"].isin([at for at, each in enumerate(found) if each.form == "kill"])
    last = runs["list"] == len(found) - 1
    bound = "run time so far, a lower bound"
    notes.add(f"marked: reported by a query killer, over its limit; {bound}", by_killer)
    notes.add(f"marked: still running when the list was made; {bound}", ~by_killer & last)
    notes.add(
        "marked: gone by the next list; run time as last seen, a lower bound", ~by_killer & ~last
    )
    notes.add(
        "marked: a list shows what runs at its instant, so that short statements are mostly"
        " missing (survivorship)",
        len(runs),
    )
    whole = (runs["time_s"] % 1 == 0).all()
    notes.add("marked: Time is in whole seconds", len(runs) if whole else 0)


def _mark_texts(seen: pd.DataFrame, notes: Notes) -> None:
    letters = seen["info"].str.len()
    notes.add(
        f"marked: the statement is cut at {CUT_AT} characters (no FULL), its kind may lack tables",
        (letters == CUT_AT) & (letters.max() == CUT_AT),
    )
    notes.add(
        "marked: the view of sys shortens statements in their middle, the kind may lack tables",
        seen["shortened"],
    )


def _columns(runs: pd.DataFrame) -> dict[str, Any]:
    killed = runs["command"].str.lower() == "killed"
    owner = pd.Series([_printable(name) for name in runs["user"]], index=runs.index, dtype="str")
    return {
        "kind": runs["kind"],
        "submit_s": runs["start_s"],
        "start_s": runs["start_s"],
        "run_s": runs["time_s"],
        "outcome": pd.Series("unknown", index=runs.index).mask(killed, "cancelled"),
        "owner": owner.mask(owner == ""),
    }


def _printable(name: str) -> str:
    return "".join(filter(str.isprintable, name)).strip()
