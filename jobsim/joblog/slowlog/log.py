"""Reading a slow log: what its entries mean for jobs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import HEAD_BYTES, log_name, read_text_bytes
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.slowlog import exported, shipped
from jobsim.joblog.slowlog.entries import Entries, Entry, entries, has_entries
from jobsim.joblog.slowlog.instants import Starts, lone, starts
from jobsim.joblog.swf import EPOCH
from jobsim.joblog.table import JobLog

TIMED_OUT = (1969, 3024)
"""The errors of a statement that outlived max_statement_time (MariaDB), max_execution_time."""

KILLED = (1053, 1317)
"""The errors of a statement whose connection was killed, and of one that was killed alone."""

LONGEST_S = 1e8
"""A query time of three years is none: the server's clock was set back while the query ran."""

OF_REPLICATION = ("Binlog Dump", "Binlog Dump GTID", "Table Dump", "Register Slave")

RIGHT = (
    "lines as '# Time: 2026-11-30T09:15:00.250000Z', '# Time: 261130  9:15:00' or"
    " 'SET timestamp=1796030100;', as the server writes them: take the log whole"
)


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is a slow log, as a file or as its table."""
    return has_entries(head) or exported.looks_like(head) or shipped.looks_like(head)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read the slow query log of MySQL, Percona Server or MariaDB, plain or gzip.

    It is the log file, also in the JSON of CloudWatch and the like, or the table
    ``mysql.slow_log`` as a client printed or exported it.

    A statement is at work from when it comes to the server, so that it is submitted when it
    starts and never waits in a queue; waits for locks are part of its run time, as they are of
    what a killer sees.

    ============  ==============================================================================
    column        made of
    ============  ==============================================================================
    ``kind``      the statement's verb and tables
    ``submit_s``  the start: the time of the entry less its query time, unless the log gives the
                  start itself (`jobsim.joblog.slowlog.instants`)
    ``start_s``   the same
    ``run_s``     ``Query_time``, with the waits for locks in it
    ``outcome``   from ``Killed`` and ``Last_errno`` (or ``Errno``): killed is cancelled, over the
                  server's time limit is timeout, any other error is failed, unless rows were sent
                  or changed (servers before 2022 log warnings there too), none is completed
    ``owner``     the user that the session logged in as
    ============  ==============================================================================

    Raises
    ------
    LogError
        The file cannot be read, query times are no numbers, or no entry has a time.
    """
    faults = FaultList(str(path))
    log_entries = _entries(path, faults)
    return _log(log_entries, faults, reading, Notes(), log_name(path), str(path))


def from_table(
    frame: pd.DataFrame, reading: Reading, notes: Notes, *, name: str, source: str
) -> JobLog:
    """The log that the rows of ``mysql.slow_log`` make, as a database or a dump holds them.

    Raises
    ------
    LogError
        As `read`.
    """
    faults = FaultList(source)
    rows = exported.entries_of(exported.rows_of(frame), faults)
    return _log(rows, faults, reading, notes, name, source)


def _log(
    log_entries: Entries, faults: FaultList, reading: Reading, notes: Notes, name: str, source: str
) -> JobLog:
    found = pd.DataFrame(log_entries.found, columns=Entry._fields)
    faults.raise_if_any()
    if found.empty:
        refuse(source, "no statement with a query time", "lines as # Query_time: 1.25 ...")
    notes.add("dropped: an entry without a query time", log_entries.broken)
    when = starts(found, log_entries, reading, notes)
    kept = _kept(found, when.start_s, notes)
    if not kept.any():
        refuse(source, f"no statement has a time that can be read{_first(found)}", RIGHT)
    _mark_times(when, kept, log_entries.in_table, notes)
    jobs = found[kept].reset_index(drop=True)
    _mark(jobs, notes)
    log = JobLog.of(
        _columns(jobs, when.start_s[kept]),
        name=name,
        source=source,
        origin=EPOCH,
        notes=notes.taken,
    )
    return log.from_zero()


def _entries(path: Path, faults: FaultList) -> Entries:
    data = read_text_bytes(path).replace(b"\r\n", b"\n")
    head = data[:HEAD_BYTES]
    if has_entries(head) or not (exported.looks_like(head) or shipped.looks_like(head)):
        return entries(data, faults)
    text = data.decode("utf-8", "replace")
    try:
        if exported.looks_like(head):
            return exported.entries(text, faults)
        return entries(shipped.unpacked(text).encode(), faults)
    except ValueError as error:
        refuse(str(path), str(error), "the file as it was exported, whole")


def _first(found: pd.DataFrame) -> str:
    times = found["time"].dropna()
    return f" (the first is {shown(times.iloc[0])})" if len(times) else ""


def _kept(found: pd.DataFrame, started_s: Any, notes: Notes) -> Any:
    """Which entries are jobs; each of the others is noted by its first reason."""
    replication = found["kind"].isin([f"administrator command {name}" for name in OF_REPLICATION])
    kept = np.ones(len(found), dtype=bool)
    for reason, mask in (
        ("the session of a replica, no statement", replication),
        ("a query time of years: the server's clock was set back", found["query_s"] > LONGEST_S),
        ("written twice, word for word", found["same"].notna() & found["same"].duplicated()),
        ("no time that can be read", ~(started_s >= 0)),
        ("its session had set another time (SET timestamp), years away", lone(started_s)),
    ):
        notes.add(f"dropped: {reason}", kept & np.asarray(mask))
        kept &= ~np.asarray(mask)
    return kept


def _mark_times(when: Starts, kept: Any, in_table: bool, notes: Notes) -> None:
    why = "as the order of the log shows" if when.by_order else "as its server logs them"
    notes.add(f"guessed: times taken as those of starts, not of ends, {why}", when.as_starts & kept)
    ends = ~when.as_starts & kept & in_table
    notes.add("guessed: start_time taken as that of the end, as MySQL logs it", ends)
    notes.add(
        "marked: its time is in whole seconds, so its start is known to a second", when.whole & kept
    )


def _mark(found: pd.DataFrame, notes: Notes) -> None:
    every = len(found)
    quickest_s = float(found["query_s"].min())
    notes.add(
        "marked: a slow log lacks the statements that were quicker than its limit (survivorship);"
        f" the quickest here took {quickest_s:g} s",
        every,
    )
    sampled = found["sampled"] > 1
    notes.add(
        "marked: the server logged only one of several statements or sessions"
        f" (Log_slow_rate_limit up to {found['sampled'].max()}), so that arrivals are too few",
        sampled,
    )
    notes.add(
        "marked: half of the run time or more was waiting for locks: recorded under load, not"
        " what the statement needs alone",
        (found["lock_s"] * 2 >= found["query_s"]) & (found["lock_s"] > 0),
    )
    notes.add(
        "marked: killed or over a time limit: its run time is a lower bound",
        _outcomes(found).isin(["cancelled", "timeout"]),
    )
    notes.add(
        "marked: the server logs an error or a warning (Last_errno), but rows were sent or changed,"
        " so that it is taken as completed",
        (found["error"] > 0) & (_outcomes(found) == "completed"),
    )
    whole = (found["query_s"] % 1 == 0).all() and quickest_s > 0
    notes.add("marked: query times are in whole seconds", every if whole else 0)


def _outcomes(found: pd.DataFrame) -> pd.Series[Any]:
    killed, error = found["killed"], found["error"]
    timed_out = killed.isin(TIMED_OUT) | error.isin(TIMED_OUT)
    cancelled = (killed > 0) | error.isin(KILLED)
    failed = (error > 0) & (found["rows"] == 0)
    outcome = pd.Series("completed", index=found.index)
    return outcome.mask(failed, "failed").mask(cancelled, "cancelled").mask(timed_out, "timeout")


def _columns(found: pd.DataFrame, started_s: Any) -> dict[str, Any]:
    return {
        "kind": found["kind"],
        "submit_s": started_s,
        "start_s": started_s,
        "run_s": found["query_s"],
        "outcome": _outcomes(found),
        "owner": found["user"].mask(found["user"] == ""),
    }
