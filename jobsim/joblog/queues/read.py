"""Reading the queue tables of a dump or a database: which system, which table, then its jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import refuse, shown
from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.find import Found, find
from jobsim.joblog.queues.jobs import as_log
from jobsim.joblog.queues.system import CannotTellError, Tables
from jobsim.joblog.queues.systems import SYSTEMS
from jobsim.joblog.reading import Reading
from jobsim.joblog.slowlog.exported import is_table as is_slow_log
from jobsim.joblog.slowlog.log import from_table as slow_log
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular import from_frame
from jobsim.words import nearest

LISTED = 30


def read_tables(source: Tables, reading: Reading, name: str) -> JobLog:
    """The log of the queue system, or of the plain table, that the user means.

    Parameters
    ----------
    reading
        ``table`` names a system or a table; ``columns`` and ``units`` make any table a plain one.

    Raises
    ------
    UsageError
        There are several systems, or no such table; the message lists what is there.
    LogError
        There is no known system, or its tables cannot make a log.
    """
    mapped = reading.columns or reading.units
    if mapped and reading.table is None:
        return _plain(source, reading, _only_table(source), name)
    systems = [] if mapped else find(source.tables)
    if reading.table is not None:
        systems = [found for found in systems if found.answers_to(reading.table)]
        if not systems:
            return _plain(source, reading, _table(source, reading.table), name)
    meant = _filled(source, _foremost(systems))
    if not meant:
        _refuse_unknown(source)
    if len(meant) > 1:
        _ask_which(meant)
    return _log(source, meant[0], reading, name)


def _foremost(systems: Sequence[Found]) -> list[Found]:
    """The systems without those that only are another view of one among them."""
    names = {found.system.name for found in systems}
    return [found for found in systems if found.system.view_of not in names]


def _filled(source: Tables, systems: Sequence[Found]) -> Sequence[Found]:
    """Of several systems those with rows, if there are any: many are installed and never used."""
    if len(systems) < 2:
        return systems
    return [found for found in systems if any(map(source.rows, found.all_tables))] or systems


def _log(source: Tables, found: Found, reading: Reading, name: str) -> JobLog:
    notes = Notes()
    try:
        jobs = found.system.read(found.frames(source, notes), reading, notes)
    except CannotTellError as error:
        refuse(source.source, error.wrong, error.right)
    return as_log(jobs, notes, name=name, source=source.source, table=found.table)


def _plain(source: Tables, reading: Reading, table: str, name: str) -> JobLog:
    notes = Notes()
    frame = source.frame(table, notes=notes)
    return of_rows(frame, reading, notes, name=name, source=source.source)


def of_rows(
    frame: pd.DataFrame, reading: Reading, notes: Notes, *, name: str, source: str
) -> JobLog:
    """The log of any rows: those of the server's own slow log are known by their columns."""
    if not (reading.columns or reading.units) and is_slow_log(frame.columns):
        return slow_log(frame, reading, notes, name=name, source=source)
    return from_frame(frame, reading, name=name, source=source, notes=notes.taken)


def _table(source: Tables, said: str) -> str:
    """The table that the user names, with or without its schema."""
    tables = list(source.tables)
    for key in (str, str.lower, lambda table: table.lower().rpartition(".")[2]):
        fitting = [table for table in tables if key(table) in (said, said.lower())]
        if len(fitting) == 1:
            return fitting[0]
    known = [*tables, *(system.name for system in SYSTEMS)]
    there = nearest(said, known) if tables else "there is none"
    raise UsageError(f"{source.source}: no table {shown(said)}; {there}")


def _only_table(source: Tables) -> str:
    """The table that a mapping is for, where the user names none."""
    if len(source.tables) != 1:
        there = listed(source.tables) or "none"
        raise UsageError(f"--map and --unit need --table NAME, which says of which: {there}")
    return next(iter(source.tables))


def _ask_which(systems: Sequence[Found]) -> None:
    listed = ", ".join(f"{found.system.name} ({found.table})" for found in systems)
    again = {found.system.name for found in systems}
    say = systems[0].table if len(again) < len(systems) else systems[0].system.name
    raise UsageError(f"there are tables of {listed}; say which with --table, as --table {say}")


def _refuse_unknown(source: Tables) -> None:
    tables = listed(source.tables)
    if not tables:
        refuse(source.source, "there is no table in it", "one with a queue's tables and their rows")
    refuse(
        source.source,
        f"it has the tables of no queue system that is known, but {tables}",
        "say which table, and which column is what: --table NAME --map submit=COLUMN,start=COLUMN,"
        " or the same in a file: --mapping FILE",
    )


def listed(tables: Mapping[str, object]) -> str:
    """The names of tables, as many as a message may have."""
    names = sorted(tables)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
