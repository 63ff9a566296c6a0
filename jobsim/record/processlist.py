"""Watch a server's process list and record the statements that it shows, for the killer."""

from __future__ import annotations

import csv
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from jobsim.errors import DatabaseError, UsageError
from jobsim.joblog.sqltables import masked
from jobsim.live.database import look_at, parse_url
from jobsim.record.load import Load
from jobsim.record.looks import Patience, Say, instants
from jobsim.record.statements import Statement, Statements, log_of
from jobsim.record.table import Recording, transitions_path
from jobsim.record.transitions import NothingSeenError

TEXT_LENGTH = 2000
"""Of a statement only its beginning is asked for."""

ASK = {
    "mariadb": "SELECT id, query_id, user, time_ms / 1000, LEFT(info, {length})",
    "mysql": "SELECT id, 0, user, time, LEFT(info, {length})",
}
AT_WORK = (
    " FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND info IS NOT NULL"
    " AND command IN ('Query', 'Execute')"
)
NO_PRIVILEGE = "sees only its own statements; GRANT PROCESS ON *.* TO that account shows all"
HEADER = ("session", "query", "user", "start_s", "last_s", "run_s")


@dataclass(frozen=True)
class ServerWatch:
    """What to watch, and how; as for `jobsim.record.table.Watch`."""

    url: str
    every_s: float = 1.0
    for_s: float | None = None

    def __post_init__(self) -> None:
        if not self.every_s > 0:
            raise UsageError(f"--every {self.every_s:g}: more than 0 s, as 1s")


def record_processlist(watch: ServerWatch, output: Path, say: Say) -> Recording:
    """Watch a server until the time is over or Ctrl-C, and make the log of the statements seen.

    A statement that is over is on disk in `transitions_path` after the look that missed it. The
    log itself is not written.

    Raises
    ------
    DatabaseError
        It cannot be reached, or the account lacks PROCESS.
    NothingSeenError
        No statement was seen.
    """
    load, seen, interrupted, lost = Load(), Statements(), False, None
    began_s = time.monotonic()
    with ProcessList(watch, load, say) as server, ExitStack() as stack:
        writer = stack.enter_context(_file(transitions_path(output)))
        try:
            server.follow(seen, csv.writer(writer, lineterminator="\n"), writer.flush)
        except KeyboardInterrupt:
            interrupted = True
        except DatabaseError as error:
            if not any(True for _ in seen.all()):
                raise
            lost = error
    load.wall_s = time.monotonic() - began_s
    if not any(True for _ in seen.all()):
        raise NothingSeenError(f"{server.source}: no statement was seen; there is no log to write")
    log = log_of(
        seen,
        name=output.name.partition(".")[0],
        source=server.source,
        every_s=watch.every_s,
        more=str(load),
    )
    return Recording(log, load, interrupted, lost)


class ProcessList:
    """A server's process list, as a context manager over the connection to it."""

    def __init__(self, watch: ServerWatch, load: Load, say: Say) -> None:
        self.watch = watch
        self.load = load
        self.say = say
        self.patience = Patience(say)
        self._connection: sa.Connection | None = None

    def __enter__(self) -> ProcessList:
        self._database = look_at(parse_url(self.watch.url))
        self.source = masked(self._database.url)
        connection = self._connect()
        try:
            grants = connection.exec_driver_sql("SHOW GRANTS").scalars().all()
            if not any(_sees_all(str(grant)) for grant in grants):
                raise DatabaseError(f"{self.source}: this account {NO_PRIVILEGE}")
        except BaseException:
            self._close()
            raise
        self.say(
            f"watching the statements of {self._database} every {self.watch.every_s:g} s;"
            " Ctrl-C ends it and writes the log"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def follow(self, seen: Statements, writer: Any, flush: Any) -> None:
        """Look again and again."""
        writer.writerow(HEADER)
        for _ in instants(self.watch.every_s, self.watch.for_s):
            try:
                shown = self._look()
            except sa.exc.SQLAlchemyError as error:
                self._close()
                self.patience.failed(DatabaseError(f"{self.source}: {_reason(error)}"))
                continue
            except DatabaseError as error:
                self.patience.failed(error)
                continue
            self.patience.succeeded()
            known = len(seen.over)
            seen.see(shown)
            for one in seen.over[known:]:
                times = (one.start_s, one.last_s, one.last_s - one.start_s)
                cells = [f"{time_s:.3f}" for time_s in times]
                writer.writerow([one.session, one.query, one.user, *cells])
            flush()

    def _look(self) -> list[Statement]:
        ask = ASK[self._database.dialect].format(length=TEXT_LENGTH) + AT_WORK
        self.load.looks += 1
        connection = self._connect()
        with self.load.statement():
            rows = connection.exec_driver_sql(ask).all()
        now_s = time.time()
        self.load.rows += len(rows)
        return [
            Statement(
                int(session), int(query), str(user), now_s - float(age_s or 0), now_s, str(text)
            )
            for session, query, user, age_s, text in rows
        ]

    def _connect(self) -> sa.Connection:
        if self._connection is None:
            self._connection = self._database.connect()
            self._connection.exec_driver_sql("SET SESSION TRANSACTION READ ONLY")
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _sees_all(grant: str) -> bool:
    privileges, on, _ = grant.upper().partition(" ON *.* ")
    return bool(on) and ("PROCESS" in privileges or "ALL PRIVILEGES" in privileges)


def _reason(error: sa.exc.SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


def _file(path: Path) -> Any:
    try:
        return path.open("w", newline="", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
