"""A queue's table in a modelled database, and the statements that a queue sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobsim.effects import (
    NOW,
    Column,
    Deadlock,
    Delete,
    Index,
    Insert,
    More,
    OnLocked,
    Param,
    Select,
    Table,
    Update,
    all_of,
    column,
)
from jobsim.sim.database import BLOCKED, Engine, Session

COLUMNS = (
    Column("id", "integer"),
    Column("kind", "text", default="zip"),
    Column("status", "text", default="pending"),
    Column("priority", "integer", default=0),
    Column("created_at", "instant"),
    Column("claimed_at", "instant", nullable=True),
    Column("claimed_by", "integer", nullable=True),
    Column("attempts", "integer", default=0),
    Column("finished_at", "instant", nullable=True),
)
COMPOSITE = (Index(("status", "created_at", "id")),)
PENDING = column("status").equals("pending")
BY_ID = column("id").equals(Param("id"))


class Queue:
    """An engine with the table ``jobs``, and its statements as methods of few words."""

    def __init__(
        self,
        indexes: tuple[Index, ...] = COMPOSITE,
        isolation: Any = "repeatable-read",
        name: str = "running",
        on_locked: OnLocked = "wait",
        **options: Any,
    ) -> None:
        self.table = table = Table("jobs", COLUMNS, indexes)
        self.engine = Engine([table], isolation, **options)
        limit = Param("limit")
        order = ("created_at", "id")
        mark = (("status", name), ("claimed_at", NOW), ("attempts", More("attempts")))
        due = all_of(PENDING, column("created_at").at_most(Param("until")))
        stale = all_of(column("status").equals(name), column("claimed_at").at_most(Param("until")))
        locked: Any = {"lock": True, "on_locked": on_locked}
        self.statements: dict[str, Any] = {
            "claim": Select("claim", table, ("id", "attempts"), PENDING, order, limit, **locked),
            "due": Select("due", table, ("id", "kind"), due, order, limit, **locked),
            "look": Select("look", table, ("id", "status"), PENDING, order, limit),
            "mark": Update("mark", table, mark, BY_ID),
            "mark_some": Update("mark some", table, mark, column("id").is_in(Param("ids"))),
            "guard": Update("guard", table, mark, all_of(BY_ID, PENDING)),
            "finish": Update(
                "finish", table, (("status", "completed"), ("finished_at", NOW)), BY_ID
            ),
            "release": Update("release", table, (("status", "pending"),), BY_ID),
            "reclaim": Update("reclaim", table, (("status", "pending"),), stale),
            "claim_at_once": Update("claim at once", table, mark, PENDING, order, limit),
            "count_up": Update("count up", table, (("attempts", More("attempts")),), PENDING),
            "insert": Insert("insert", table, ("id", "status", "created_at")),
            "delete": Delete("delete", table, BY_ID),
            "take": Select("take", table, ("id", "status"), BY_ID, **locked),
        }

    def fill(self, *statuses: str) -> None:
        """Committed rows with the ids and creation times 1, 2, ..."""
        session = self.engine.connect()
        rows = [(id_, status, float(id_)) for id_, status in enumerate(statuses, 1)]
        self.do(session, "insert", rows)
        self.engine.commit(session)
        self.engine.disconnect(session)

    def open(self) -> Session:
        """A session in a transaction."""
        session = self.engine.connect()
        self.engine.begin(session)
        return session

    def do(self, session: Session, word: str, *args: Any, now_s: float = 100.0) -> Any:
        """Run a statement; the reply, or ``BLOCKED``."""
        plan = self.engine.compile(self.statements[word])
        return self.engine.run(session, plan, args, now_s)

    def locks(self, session: Session) -> dict[tuple[str, Any], str]:
        """Granted locks by index and key."""
        found: dict[tuple[str, Any], str] = {}
        for index, key, mode, kind in self.engine.locks_of(session):
            assert mode == "X"
            found[index, key] = kind
        return found

    def statuses(self) -> dict[int, str]:
        """Committed rows."""
        return {row[0]: row[2] for row in self.engine.rows(self.table)}


class Player:
    """Sessions that go on by themselves after their waits; what each knows, as plain values."""

    def __init__(self, queue: Queue, sessions: int = 3) -> None:
        self.queue = queue
        self.sessions = [queue.engine.connect() for _ in range(sessions)]
        self.states: list[Any] = [None] * sessions

    def step(self, number: int, word: str, *args: Any, now_s: float = 100.0) -> None:
        engine, session = self.queue.engine, self.sessions[number]
        if word in ("begin", "commit", "rollback"):
            getattr(engine, word)(session)
            self.states[number] = word
        else:
            self._reply(session, lambda: self.queue.do(session, word, *args, now_s=now_s))
        self.settle(now_s)

    def settle(self, now_s: float = 100.0) -> None:
        """Let everybody go on whose wait has ended."""
        engine = self.queue.engine
        while engine.granted or engine.victims:
            for victim in engine.victims:
                self.states[self.sessions.index(victim)] = "deadlock"
            engine.victims.clear()
            if engine.granted:
                session = engine.granted.pop(0)
                self._reply(session, lambda s=session: engine.resume(s, now_s))

    def _reply(self, session: Session, act: Callable[[], Any]) -> None:
        try:
            reply = act()
        except Deadlock:
            reply = "deadlock"
        except Exception as error:  # noqa: BLE001 - what it was is compared
            reply = type(error).__name__
        self.states[self.sessions.index(session)] = reply
        if not session.begun and reply is not BLOCKED:
            self.queue.engine.commit(session)


@pytest.fixture
def queue() -> Callable[..., Queue]:
    return Queue


@pytest.fixture
def player() -> Callable[..., Player]:
    return Player


@pytest.fixture(scope="session")
def queue_class() -> type[Queue]:
    return Queue


@pytest.fixture(scope="session")
def player_class() -> type[Player]:
    return Player
