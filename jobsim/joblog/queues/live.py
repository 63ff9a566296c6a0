"""Queue tables of a live database."""

from __future__ import annotations

from jobsim.errors import UsageError
from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.find import find
from jobsim.joblog.queues.read import of_rows, read_tables
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.sqltables import Database, database
from jobsim.joblog.table import JobLog


def read_url(url: str, reading: Reading = PLAIN) -> JobLog:
    """Read the queue tables, or the table or query that the user names, of a database.

    Parameters
    ----------
    reading
        ``query`` gives the rows of a plain table; ``table`` names a system or a table.

    Raises
    ------
    DatabaseError
        It cannot be reached, or refuses.
    LogError
        It has no known tables, or these cannot make a log.
    UsageError
        It has several systems, or not the table that the user names.
    """
    if reading.query is not None and reading.table is not None:
        raise UsageError("--table and --query both say where the rows are; one is right")
    with database(url) as source:
        if reading.query is not None:
            frame = source.query(reading.query)
            return of_rows(frame, reading, Notes(), name=_name(source), source=source.source)
        return read_tables(source, reading, _name(source))


def found(url: str) -> list[tuple[str, str, int]]:
    """The queue systems whose tables a database holds: name, foremost table, and its rows.

    Raises
    ------
    DatabaseError
        It cannot be reached.
    """
    with database(url) as source:
        return [
            (each.system.name, each.table, source.rows(each.table)) for each in find(source.tables)
        ]


def _name(source: Database) -> str:
    return source.source.rpartition("/")[2].removesuffix(".db") or "database"
