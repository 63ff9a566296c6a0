"""Plays one interleaving of sessions on a live server and in the modelled database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pymysql
import pytest
from sqlalchemy.engine import make_url

from jobsim.effects import (
    Ago,
    AllOf,
    Column,
    Compare,
    Deadlock,
    Delete,
    DuplicateKey,
    Index,
    Insert,
    Isolation,
    LockTimeout,
    More,
    Now,
    Param,
    Table,
    Update,
)
from jobsim.live.server import ThrowAwayServer
from jobsim.sim.database import BLOCKED, Engine, Session

COLUMNS = (
    Column("id", "integer"),
    Column("status", "text"),
    Column("priority", "integer", default=0),
    Column("created_at", "instant"),
    Column("claimed_at", "instant", nullable=True),
    Column("attempts", "integer", default=0),
)
NAMES = tuple(column.name for column in COLUMNS)
CREATE = (
    "CREATE TABLE jobs (id BIGINT PRIMARY KEY, status VARCHAR(32) NOT NULL,"
    " priority INT NOT NULL DEFAULT 0, created_at DOUBLE NOT NULL, claimed_at DOUBLE NULL,"
    " attempts INT NOT NULL DEFAULT 0{keys}) ENGINE=InnoDB STATS_PERSISTENT=0"
)
WORDS = ("begin", "commit", "rollback")
SETTLE_S = 10.0

State = tuple[Any, ...]
"""``("idle",)``, ``("blocked",)``, ``("rows", ...)``, ``("count", n)`` or ``("error", number)``."""


class Step(NamedTuple):
    """One session does one thing: a word of `WORDS`, or an effect with its arguments.

    An effect's label names, after an ``@``, the index that the server is told to use.
    """

    session: int
    what: Any
    args: tuple[Any, ...] = ()
    now_s: float = 10.0


@dataclass
class Outcome:
    """What every session knew after each step, on both sides."""

    live: list[list[State]] = field(default_factory=list)
    modelled: list[list[State]] = field(default_factory=list)
    race: bool = False
    """Two sessions were let go at once: which of them is first is chance on a server."""


def literal(value: Any) -> str:
    return "NULL" if value is None else repr(value)


class Sql:
    """An effect's SQL, with its arguments written into it."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.env = dict(zip(getattr(step.what, "params", ()), step.args, strict=False))

    def value(self, value: Any) -> str:
        if isinstance(value, Param):
            return literal(self.env[value.name])
        if isinstance(value, Now):
            return literal(self.step.now_s)
        if isinstance(value, Ago):
            return literal(self.step.now_s - value.seconds_s)
        return f"{value.column} + {value.by}" if isinstance(value, More) else literal(value)

    def condition(self, predicate: Any) -> str:
        if predicate is None:
            return "1 = 1"
        if not isinstance(predicate, Compare):
            word = " AND " if isinstance(predicate, AllOf) else " OR "
            return f"({word.join(map(self.condition, predicate.parts))})"
        if predicate.operator == "is null":
            return f"{predicate.column} IS NULL"
        if predicate.operator == "in":
            values = ", ".join(map(literal, self.env[predicate.value.name]))
            return f"{predicate.column} IN ({values})"
        return f"{predicate.column} {predicate.operator} {self.value(predicate.value)}"

    def statement(self) -> str:
        effect = self.step.what
        if isinstance(effect, str):
            return effect.upper()
        if isinstance(effect, Insert):
            rows = (f"({', '.join(map(literal, row))})" for row in self.step.args[0])
            return f"INSERT INTO jobs ({', '.join(effect.columns)}) VALUES {', '.join(rows)}"
        _, _, key = effect.label.partition("@")
        table = f"jobs FORCE INDEX ({key})" if key else "jobs"
        where = f" WHERE {self.condition(effect.where)}"
        if isinstance(effect, Delete):
            return f"DELETE jobs FROM {table}{where}"
        tail = f" ORDER BY {', '.join(effect.order)}" if effect.order else ""
        tail += f" LIMIT {self.value(effect.limit)}" if effect.limit is not None else ""
        if isinstance(effect, Update):
            changes = ", ".join(f"{c} = {self.value(v)}" for c, v in effect.changes)
            return f"UPDATE {table} SET {changes}{where}{tail}"
        lock = {"wait": "", "skip": " SKIP LOCKED", "fail": " NOWAIT"}[effect.on_locked]
        tail += f" FOR UPDATE{lock}" if effect.lock else ""
        return f"SELECT {', '.join(effect.columns)} FROM {table}{where}{tail}"


class LiveSide:
    """Sessions of a live server, each in a thread of its own, on a quiet server."""

    def __init__(self, server: ThrowAwayServer, sessions: int = 3) -> None:
        url = make_url(server.url)
        self.options: dict[str, Any] = {
            "user": url.username, "password": url.password, "database": url.database,
            "unix_socket": url.query["unix_socket"], "autocommit": True,
            "client_flag": pymysql.constants.CLIENT.FOUND_ROWS,
        }  # fmt: skip
        self.admin = pymysql.connect(**self.options)
        self.keeper = pymysql.connect(**self.options)
        self.connections = [pymysql.connect(**self.options) for _ in range(sessions)]
        self.pools = [ThreadPoolExecutor(1) for _ in range(sessions)]
        self.running: dict[int, Future[State]] = {}
        self.states: list[State] = []

    def ask(self, sql: str) -> Any:
        with self.admin.cursor() as cursor:
            cursor.execute(sql)
            return cursor.fetchall()

    def prepare(self, indexes: Sequence[Index], isolation: Isolation, rows: Sequence[Any]) -> None:
        """A fresh table; nothing is purged from it, since somebody looks at the past."""
        self.states = [("idle",)] * len(self.connections)
        keys = "".join(
            f", {'UNIQUE ' if index.unique else ''}KEY k{n} ({', '.join(index.columns)})"
            for n, index in enumerate(indexes)
        )
        self.ask("DROP TABLE IF EXISTS jobs")
        self.ask(CREATE.format(keys=keys))
        level = isolation.replace("-", " ").upper()
        for connection in self.connections:
            connection.query(f"SET SESSION TRANSACTION ISOLATION LEVEL {level}")
        self.ask(Sql(Step(0, Insert("fill", Table("jobs", COLUMNS), NAMES), (rows,))).statement())
        self.keeper.query("START TRANSACTION WITH CONSISTENT SNAPSHOT")

    def perform(self, session: int, sql: str) -> State:
        try:
            with self.connections[session].cursor() as cursor:
                count = cursor.execute(sql)
                if sql.startswith("SELECT"):
                    return ("rows", tuple(cursor.fetchall()))
                return ("count", 0 if sql.lower() in WORDS else count)
        except pymysql.err.Error as error:
            return ("error", error.args[0])

    def step(self, step: Step, patience_s: float) -> None:
        job = self.pools[step.session].submit(self.perform, step.session, Sql(step).statement())
        self.running[step.session] = job
        self._settle(patience_s)
        for session, future in list(self.running.items()):
            self.states[session] = ("blocked",)
            if future.done():
                self.states[session] = future.result()
                del self.running[session]

    def _settle(self, patience_s: float) -> None:
        """Wait until every session has its answer or has waited for a lock for a while."""
        ends_s = time.monotonic() + SETTLE_S
        still_since_s = time.monotonic()
        while time.monotonic() < ends_s:
            open_now = [future for future in self.running.values() if not future.done()]
            if not open_now:
                return
            waits = self.ask("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")
            if int(waits[0][1]) != sum(not future.done() for future in open_now):
                still_since_s = time.monotonic()
            elif time.monotonic() - still_since_s > patience_s:
                return
        raise TimeoutError(f"the server does not settle: {self.states}")

    def clear(self) -> None:
        for session in self.running:
            self.ask(f"KILL QUERY {self.connections[session].thread_id()}")
        for future in self.running.values():
            future.result(SETTLE_S)
        self.running.clear()
        for connection in (*self.connections, self.keeper):
            connection.rollback()

    def close(self) -> None:
        self.clear()
        self.ask("DROP TABLE IF EXISTS jobs")
        for pool in self.pools:
            pool.shutdown()
        for connection in (*self.connections, self.keeper, self.admin):
            connection.close()


class ModelledSide:
    """The same sessions in the modelled database."""

    def __init__(
        self, indexes: Sequence[Index], isolation: Isolation, rows: Sequence[Any], sessions: int = 3
    ) -> None:
        table = Table("jobs", COLUMNS, tuple(indexes))
        self.engine = Engine([table], isolation)
        self.table = table
        filler = self.engine.connect()
        fill = self.engine.compile(Insert("fill", table, NAMES))
        self.engine.run(filler, fill, (rows,), 0.0)
        self.engine.commit(filler)
        self.sessions = [self.engine.connect() for _ in range(sessions)]
        self.states: list[State] = [("idle",)] * sessions
        self.race = False

    def step(self, step: Step) -> None:
        engine, session = self.engine, self.sessions[step.session]
        if step.what in WORDS:
            getattr(engine, step.what)(session)
            self.states[step.session] = ("count", 0)
        else:
            plan = engine.compile(step.what)
            self._reply(session, lambda: engine.run(session, plan, step.args, step.now_s))
        self.race = self.race or len(engine.granted) > 1
        while engine.granted or engine.victims:
            self._drain(step.now_s)

    def _drain(self, now_s: float) -> None:
        engine = self.engine
        for victim in engine.victims:
            self.states[self.sessions.index(victim)] = ("error", 1213)
        engine.victims.clear()
        if engine.granted:
            session = engine.granted.pop(0)
            self._reply(session, lambda: engine.resume(session, now_s))

    def _reply(self, session: Session, act: Callable[[], Any]) -> None:
        try:
            reply = act()
        except (Deadlock, LockTimeout, DuplicateKey) as error:
            number = {Deadlock: 1213, LockTimeout: 1205, DuplicateKey: 1062}[type(error)]
            state: State = ("error", number)
        else:
            state = ("rows", tuple(reply)) if isinstance(reply, list) else ("count", reply)
            state = ("blocked",) if reply is BLOCKED else state
        self.states[self.sessions.index(session)] = state
        if not session.begun and state != ("blocked",):
            self.engine.commit(session)


@pytest.fixture(scope="module")
def live_side(mariadb: ThrowAwayServer) -> Iterator[LiveSide]:
    side = LiveSide(mariadb)
    yield side
    side.close()


@pytest.fixture
def play(live_side: LiveSide) -> Iterator[Callable[..., Outcome]]:
    """Play steps on both sides until they end, differ, or a race makes them incomparable.

    A step of a session that waits is left out.
    """

    def play_them(
        indexes: Sequence[Index],
        isolation: Isolation,
        rows: Sequence[Any],
        steps: Sequence[tuple[Any, ...]],
        patience_s: float = 0.004,
    ) -> Outcome:
        outcome, modelled = Outcome(), ModelledSide(indexes, isolation, rows)
        live_side.prepare(indexes, isolation, rows)
        for step in (Step(*given) for given in steps):
            if live_side.states[step.session] == ("blocked",):
                continue
            live_side.step(step, patience_s)
            modelled.step(step)
            outcome.live.append(list(live_side.states))
            outcome.modelled.append(list(modelled.states))
            outcome.race = modelled.race
            if outcome.race or live_side.states != modelled.states:
                break
        live_side.clear()
        return outcome

    yield play_them
    live_side.clear()
