"""Watch a queue table, read-only, and record what becomes of its rows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from jobsim.errors import DatabaseError, UsageError
from jobsim.joblog import JobLog
from jobsim.joblog.sqltables import READ_ONLY, Database, database
from jobsim.record.columns import Columns, States, check_states, choose, explain_unknown
from jobsim.record.load import Load
from jobsim.record.looks import Patience, Say, instants
from jobsim.record.snapshots import Row, Snapshots
from jobsim.record.transitions import About, Writer, log_of
from jobsim.words import nearest

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import ReflectedColumn

MOST_ROWS = 200_000
"""No look reads more."""
FULL_EVERY = 30
"""So often a look goes back to the table's beginning, to see old rows that are taken up again."""
FULL_SHARE = 0.01
"""Such looks come less often where they would take more of the time than this."""
TELL_S = 30.0


@dataclass(frozen=True)
class Watch:
    """What to watch, and how.

    Attributes
    ----------
    url
        As SQLAlchemy writes it.
    columns
        The columns by what they hold, where they are not to be guessed (``--map``).
    states
        What words for a status mean, where that is not plain (``--status``).
    zone
        The time zone of times that name none.
    for_s
        How long; None: until interrupted.
    """

    url: str
    table: str
    every_s: float = 2.0
    for_s: float | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    zone: str | None = None
    most_rows: int = MOST_ROWS

    def __post_init__(self) -> None:
        check_states(self.states)
        if not self.every_s > 0:
            raise UsageError(f"--every {self.every_s:g}: more than 0 s, as 2s")


@dataclass(frozen=True)
class Recording:
    """What a watch left behind; ``lost`` is why it ended early, if the server went away."""

    log: JobLog
    load: Load
    interrupted: bool = False
    lost: DatabaseError | None = None


def transitions_path(output: Path) -> Path:
    """Where the transitions go that make the log ``output``."""
    name = output.name
    for ending in (".csv.gz", ".csv", ".parquet"):
        name = name.removesuffix(ending)
    return output.with_name(f"{name}.transitions.csv")


def record_table(watch: Watch, output: Path, say: Say) -> Recording:
    """Watch a table until the time is over or Ctrl-C, and make the log of what was seen.

    Each transition is on disk in `transitions_path` as soon as it is seen. The log itself is not
    written.

    Raises
    ------
    DatabaseError
        It cannot be reached or read.
    UsageError
        No such table or column.
    NothingSeenError
        No row came.
    """
    path = transitions_path(output)
    load, interrupted, lost = Load(), False, None
    began_s = time.monotonic()
    with TableWatch(watch, load, say) as table, ExitStack() as stack:
        writer = Writer(path, table.about)
        stack.callback(writer.close)
        try:
            table.follow(writer)
        except KeyboardInterrupt:
            interrupted = True
        except DatabaseError as error:
            if not any(table.seen.values()):
                raise
            lost = error
        table.ask_examined()
    load.wall_s = time.monotonic() - began_s
    notes = [f"the watch cost the server {load}"]
    if table.patience.gone_s:
        notes.append(f"no look for {table.patience.gone_s:.0f} s, the server did not answer")
    if table.cut:
        notes.append(f"no look reads more than {watch.most_rows:,} rows; older ones were not seen")
    return Recording(log_of(path, notes, table.looked_s), load, interrupted, lost)


class TableWatch:
    """A table that is watched, as a context manager over the connection to it."""

    def __init__(self, watch: Watch, load: Load, say: Say) -> None:
        self.watch = watch
        self.load = load
        self.say = say
        self.patience = Patience(say)
        self.cut = False
        self.looked_s: float | None = None
        self._stack = ExitStack()
        self._database: Database | None = None
        self._told_s = 0.0
        self.seen = dict.fromkeys(("submit", "claim", "finish", "vanish"), 0)

    def __enter__(self) -> TableWatch:
        found = self._connect()
        self.columns = _columns(found, self.watch)
        self.states = States(self.columns, self.watch.states)
        self.snapshots = Snapshots(self.columns, self.states)
        self.about = About(
            self.watch.table, found.source, self.watch.every_s, self.watch.zone, self.columns.named
        )
        self.clock_ahead_s = _clock_ahead_s(found.connection)
        self.say(
            f"watching {self.watch.table} of {found.source} every {self.watch.every_s:g} s by"
            f" {self.columns}; Ctrl-C ends it and writes the log"
        )
        if not self.columns.tells_states:
            self.say(
                "no column says what a row's state is, so only its coming and going are recorded;"
                " --map status=COLUMN names one"
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def follow(self, writer: Writer) -> None:
        """Look again and again."""
        before_s = now_s = time.time() + self.clock_ahead_s
        full_again_s = 0.0
        for number, look_s in enumerate(instants(self.watch.every_s, self.watch.for_s)):
            full = not number or (number % FULL_EVERY == 0 and look_s >= full_again_s)
            try:
                rows = self._look(None if full else self.snapshots.low)
            except DatabaseError as error:
                if not number:
                    raise
                self.patience.failed(error)
                self._stack.close()
                self._database = None
                continue
            self.patience.succeeded()
            if full:
                full_again_s = look_s + self.load.last_s / FULL_SHARE
            now_s = time.time() + self.clock_ahead_s
            found = self.snapshots.compare(rows, self.snapshots.low)
            writer.write(now_s, before_s, found)
            before_s = self.looked_s = now_s
            for one in found:
                if one.what in self.seen:
                    self.seen[one.what] += 1
            self._tell(look_s, len(rows))

    def ask_examined(self) -> None:
        """Ask how many rows the server looked at for this session, where it counts that."""
        if self._database is None or self._database.connection.dialect.name != "mysql":
            return
        try:
            rows = self._database.connection.exec_driver_sql(
                "SHOW SESSION STATUS LIKE 'Handler_read%%'"
            )
            self.load.examined = sum(int(value) for _, value in rows)
        except sa.exc.SQLAlchemyError:
            self.load.examined = None

    def _connect(self) -> Database:
        if self._database is None:
            self._database = self._stack.enter_context(database(self.watch.url))
            self._database.connection.rollback()
        return self._database

    def _look(self, low: int | None) -> list[Row]:
        """The rows from a key on, in the order of keys; not more than the newest so many."""
        found = self._connect()
        most = self.watch.most_rows
        self.load.looks += 1
        try:
            for statement in READ_ONLY["postgresql"] if _is_postgresql(found) else ():
                found.connection.exec_driver_sql(statement)
            with self.load.statement():
                cells = found.connection.execute(_select(self.watch.table, self.columns, low, most))
                rows: list[Row] = [
                    dict(zip(self.columns.named, map(_text, row), strict=True)) for row in cells
                ]
            found.connection.rollback()  # no snapshot is held from one look to the next
        except sa.exc.SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).partition("\n")[0]
            raise DatabaseError(f"{found.source}: {reason}") from None
        self.load.rows += len(rows)
        if len(rows) == most and not self.cut:
            self.cut = True
            self.say(f"more than {most:,} rows: only those with the highest {self.columns.id}"
                     " are watched")  # fmt: skip
        return rows[::-1]

    def _tell(self, look_s: float, rows: int) -> None:
        for word in list(self.states.unknown):
            self.say(explain_unknown([word]))
        self.states.unknown.clear()
        if self.load.looks == 1:
            self.say(f"{rows:,} rows at the first look, {len(self.snapshots.open):,} of them open")
        took_s = self.load.statement_s / max(1, self.load.statements)
        if look_s >= self._told_s + TELL_S:
            self._told_s = look_s
            seen = ", ".join(f"{count:,} {what}" for what, count in self.seen.items())
            self.say(f"{look_s:.0f} s: {seen}; {len(self.snapshots.open):,} open;"
                     f" a look takes {took_s * 1000:.3g} ms")  # fmt: skip


def _columns(found: Database, watch: Watch) -> Columns:
    names = found.tables.get(watch.table)
    if names is None:
        raise UsageError(
            f"--table {watch.table}: {found.source} has no such table;"
            f" {nearest(watch.table, list(found.tables)) if found.tables else 'it has none'}"
        )
    schema, _, table = watch.table.rpartition(".")
    inspector = sa.inspect(found.connection)
    try:
        key = inspector.get_pk_constraint(table, schema or None)["constrained_columns"]
        reflected = inspector.get_columns(table, schema or None)
    except sa.exc.SQLAlchemyError:  # a view, or an account that may not see how it was made
        key, reflected = [], []
    finally:
        found.connection.rollback()
    return choose(watch.table, names, key, watch.columns, _large(found, reflected))


def _large(found: Database, reflected: list[ReflectedColumn]) -> list[str]:
    """Columns that may hold a lot; SQLite calls every text so."""
    if found.connection.dialect.name == "sqlite":
        return []
    large = (sa.Text, sa.LargeBinary, sa.JSON)
    return [str(one["name"]) for one in reflected if isinstance(one["type"], large)]


def _select(table: str, columns: Columns, low: int | None, most: int) -> sa.Select[Any]:
    schema, _, name = table.rpartition(".")
    cells: list[sa.ColumnClause[Any]] = [sa.column(each) for each in columns.named.values()]
    what = sa.select(*cells).select_from(sa.table(name, schema=schema or None))
    key: sa.ColumnClause[Any] = sa.column(columns.id)
    if low is not None:
        what = what.where(key >= low)
    return what.order_by(key.desc()).limit(most)


def _text(cell: object) -> str:
    """A cell as text; empty where NULL."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, bytes | bytearray | memoryview):
        raw = bytes(cell)
        return str(raw[0]) if len(raw) == 1 and raw < b"\x20" else raw.decode(errors="replace")
    return str(cell)


def _is_postgresql(found: Database) -> bool:
    return found.connection.dialect.name == "postgresql"


def _clock_ahead_s(connection: sa.Connection) -> float:
    """How far the server's clock is ahead of ours."""
    asked = {
        "mysql": "SELECT UNIX_TIMESTAMP(SYSDATE(6))",
        "postgresql": "SELECT extract(epoch FROM clock_timestamp())",
    }.get(connection.dialect.name)
    if asked is None:
        return 0.0
    sent_s = time.time()
    server_s = float(connection.exec_driver_sql(asked).scalar_one())
    got_s = time.time()
    connection.rollback()
    return server_s - (sent_s + got_s) / 2
