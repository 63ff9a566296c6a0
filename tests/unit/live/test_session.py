"""A script's connection: its statements, and what the server throws."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pymysql
import pytest

from jobsim.effects import (
    NOW,
    Attempt,
    ChangedSinceRead,
    Column,
    Connect,
    ConnectionLost,
    Deadlock,
    Delete,
    DuplicateKey,
    Insert,
    Killed,
    LimitExceeded,
    LockTimeout,
    Param,
    Select,
    Table,
    Thrown,
    Update,
    column,
)
from jobsim.live.database import Database
from jobsim.live.schema import create, drop
from jobsim.live.session import Session, first_statements, thrown_by
from jobsim.policies.killer import SHARED
from tests.unit.live.made import wait_until

pytestmark = pytest.mark.live

T = Table(
    "jobsim_try",
    (
        Column("id", "integer"),
        Column("n", "integer", default=0),
        Column("at", "instant", nullable=True),
    ),
)
ID = column("id").equals(Param("id"))
IDS = column("id").is_in(Param("ids"))
ORIGIN = datetime(2026, 1, 1)

add = Insert("add", T, ("id", "n", "at"))
rows = Select("rows", T, ("id", "n", "at"), order=("id",))
locked = Select("lock", T, ("id",), ID, lock=True)
set_n = Update("set", T, (("n", Param("n")),), ID)
raise_n = Update("raise", T, (("n", 5),), IDS)


class World:
    """A table, and as many sessions as a test asks for."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.opened: list[Session] = []

    def session(self, isolation: str = "repeatable-read", **limits: float) -> Session:
        made = Session(self.database, isolation, Connect(**limits))  # type: ignore[arg-type]
        self.opened.append(made)
        return made


@pytest.fixture
def world(database: Database) -> Iterator[World]:
    made = World(database)
    with database.connect() as connection:
        create(connection, [T, SHARED], {T: [(1, 0, None), (2, 0, None)], SHARED: [(1, 0)]})
        yield made
        for session in made.opened:
            session.close()
        drop(connection, [T, SHARED])


def ask(session: Session, sql: str) -> object:
    session._cursor.execute(sql)
    return session._cursor.fetchone()[0]


def test_rows_come_as_tuples_with_instants_in_seconds_since_the_run_began(world: World) -> None:
    session = world.session()
    assert session.insert(add, ORIGIN)([(7, 3, 1.25), (8, 4, None)]) == 2
    assert session.select(rows, ORIGIN)() == [
        (1, 0, None),
        (2, 0, None),
        (7, 3, 1.25),
        (8, 4, None),
    ]


def test_an_update_replies_with_the_rows_matched_not_with_those_changed(world: World) -> None:
    change = world.session().change(set_n, ORIGIN)
    assert [change(5, 1), change(5, 1), change(5, 99)] == [1, 1, 0]


def test_an_update_of_a_list_counts_every_row_that_is_there(world: World) -> None:
    assert world.session().change(raise_n, ORIGIN)([1, 2, 3]) == 2


def test_a_delete_replies_with_the_number_of_rows(world: World) -> None:
    delete = world.session().change(Delete("x", T, IDS), ORIGIN)
    assert delete([1, 2, 3]) == 2


def test_an_insert_can_reply_with_the_id_that_the_server_gave(world: World) -> None:
    with world.database.connect() as connection:
        assigned = Table(T.name, T.columns, id_assigned=True)
        create(connection, [assigned])
        insert = world.session().insert(
            Insert("x", assigned, ("n",), returning_id=True, constants=(("at", NOW),)), ORIGIN
        )
        assert [insert([(1,)]), insert([(1,)])] == [1, 2]


def test_a_statement_outside_a_transaction_commits_by_itself(world: World) -> None:
    world.session().change(set_n, ORIGIN)(9, 1)
    assert world.session().select(rows, ORIGIN)()[0] == (1, 9, None)


def test_a_transaction_is_seen_by_nobody_until_it_commits(world: World) -> None:
    one, other = world.session(), world.session()
    one.begin()
    one.change(set_n, ORIGIN)(9, 1)
    assert one.in_transaction
    assert other.select(rows, ORIGIN)()[0][1] == 0
    one.commit()
    assert not one.in_transaction
    assert other.select(rows, ORIGIN)()[0][1] == 9


def test_a_rollback_takes_it_back(world: World) -> None:
    session = world.session()
    session.begin()
    session.change(set_n, ORIGIN)(9, 1)
    session.rollback()
    assert session.select(rows, ORIGIN)()[0][1] == 0


def test_a_session_that_is_closed_has_taken_back_what_it_did_not_commit(world: World) -> None:
    one, other = world.session(), world.session()
    one.begin()
    one.change(set_n, ORIGIN)(9, 1)
    one.close()
    assert other.change(set_n, ORIGIN)(3, 1) == 1


@pytest.mark.parametrize("isolation", ["repeatable-read", "read-committed", "serializable"])
def test_the_isolation_level_is_that_of_the_run(world: World, isolation: str) -> None:
    session = world.session(isolation)
    session._cursor.execute("SHOW VARIABLES LIKE '%_isolation'")
    found = dict(session._cursor.fetchall())
    level = found.get("transaction_isolation") or found["tx_isolation"]
    assert level.lower() == isolation


def test_the_clock_is_the_servers_in_utc_since_the_run_began(world: World) -> None:
    session = world.session()
    assert session.now(ORIGIN) == pytest.approx(
        (datetime.now(UTC).replace(tzinfo=None) - ORIGIN).total_seconds(), abs=5
    )
    assert session.now(ORIGIN) < session.now(ORIGIN)


def test_a_limit_is_put_into_the_words_of_each_server(database: Database) -> None:
    limits = Connect(statement_limit_s=1.5, lock_wait_s=2, idle_limit_s=30)
    text = first_statements(database, "read-committed", limits)[1]
    assert "innodb_lock_wait_timeout = 2" in text
    assert "wait_timeout = 30" in text
    assert "max_statement_time = 1.5" in text or "max_execution_time = 1500" in text


def test_a_key_that_is_taken_is_thrown(world: World) -> None:
    with pytest.raises(pymysql.MySQLError) as error:
        world.session().insert(add, ORIGIN)([(1, 0, None)])
    assert isinstance(thrown_by(error.value), DuplicateKey)


def test_a_statement_over_its_limit_is_thrown(world: World) -> None:
    with pytest.raises(pymysql.MySQLError) as error:
        world.session(statement_limit_s=0.05).busy("query", Attempt(1, 1), 20.0, None)
    assert isinstance(thrown_by(error.value), LimitExceeded)


def test_a_lock_that_is_not_had_in_time_leaves_the_transaction_open(world: World) -> None:
    holder, waiting = world.session(), world.session(lock_wait_s=1)
    holder.begin()
    holder.select(locked, ORIGIN)(1)
    waiting.begin()
    waiting.change(set_n, ORIGIN)(7, 2)
    with pytest.raises(pymysql.MySQLError) as error:
        waiting.select(locked, ORIGIN)(1)
    assert isinstance(thrown_by(error.value), LockTimeout)
    waiting.commit()
    assert holder.select(rows, ORIGIN)()[1][1] == 7


def test_a_row_that_is_locked_fails_at_once_where_that_is_asked(world: World) -> None:
    holder, other = world.session(), world.session()
    holder.begin()
    holder.select(locked, ORIGIN)(1)
    with pytest.raises(pymysql.MySQLError) as error:
        other.select(Select("x", T, ("id",), ID, lock=True, on_locked="fail"), ORIGIN)(1)
    assert isinstance(thrown_by(error.value), LockTimeout)


def test_a_deadlock_is_thrown_at_one_of_the_two(world: World) -> None:
    sessions = [world.session(), world.session()]
    for at, session in enumerate(sessions):
        session.begin()
        session.change(set_n, ORIGIN)(1, at + 1)
    thrown: list[Thrown | None] = []

    def cross(session: Session, row: int) -> None:
        try:
            session.change(set_n, ORIGIN)(2, row)
        except pymysql.MySQLError as error:
            thrown.append(thrown_by(error))
        session.commit()

    threads = [
        threading.Thread(target=cross, args=one) for one in zip(sessions, (2, 1), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert [type(one) for one in thrown] == [Deadlock]


def test_a_row_changed_since_the_snapshot_is_thrown_where_the_server_looks(world: World) -> None:
    one, other = world.session(), world.session()
    try:
        one._cursor.execute("SET SESSION innodb_snapshot_isolation = ON")
    except pymysql.MySQLError:
        pytest.skip("this server does not know innodb_snapshot_isolation")
    one.begin()
    one.select(rows, ORIGIN)()
    other.change(set_n, ORIGIN)(5, 1)
    with pytest.raises(pymysql.MySQLError) as error:
        one.change(set_n, ORIGIN)(6, 1)
    assert isinstance(thrown_by(error.value), ChangedSinceRead)


def test_a_connection_that_is_gone_is_thrown_now_and_afterwards(world: World) -> None:
    victim, killer = world.session(), world.session()
    killer._cursor.execute(f"KILL {ask(victim, 'SELECT CONNECTION_ID()')}")
    for _ in range(2):
        with pytest.raises(pymysql.MySQLError) as error:
            victim.select(rows, ORIGIN)()
        assert isinstance(thrown_by(error.value), ConnectionLost)


def test_an_error_of_our_own_is_not_thrown_into_a_script(world: World) -> None:
    with pytest.raises(pymysql.MySQLError) as error:
        ask(world.session(), "SELECT nonsense FROM nowhere")
    assert thrown_by(error.value) is None


def test_a_busy_statement_holds_its_row_to_its_end_and_knows_when_it_had_it(world: World) -> None:
    holder, waiting = world.session(), world.session()
    holder.begin()
    holder.change(Update("x", SHARED, (("hits", 1),), ID), ORIGIN)(1)
    began_s = waiting.now(ORIGIN)
    thread = threading.Thread(target=waiting.busy, args=("query", Attempt(1, 1), 0.1, 1))
    thread.start()
    watching = world.session()
    wait_until(lambda: blocked(watching), every_s=0.15)
    freed_s = watching.now(ORIGIN)
    holder.commit()
    thread.join(10)
    locked_s = waiting.locked_s(Attempt(1, 1), ORIGIN)
    assert locked_s is not None
    assert began_s < freed_s <= locked_s <= waiting.now(ORIGIN) - 0.1
    assert ask(watching, "SELECT hits FROM jobsim_shared") == 2


def test_a_busy_statement_that_is_killed_before_it_had_its_row_never_had_it(world: World) -> None:
    holder, waiting, killer = world.session(), world.session(), world.session()
    holder.begin()
    holder.change(Update("x", SHARED, (("hits", 1),), ID), ORIGIN)(1)
    errors: list[Thrown | None] = []

    def wait() -> None:
        try:
            waiting.busy("query", Attempt(3, 1), 0.1, 1)
        except pymysql.MySQLError as error:
            errors.append(thrown_by(error))

    thread = threading.Thread(target=wait)
    thread.start()
    wait_until(lambda: blocked(killer), every_s=0.15)
    (victim,) = blocked(killer)
    assert killer.kill(victim, "statement")
    thread.join(10)
    assert [type(one) for one in errors] == [Killed]
    assert waiting.locked_s(Attempt(3, 1), ORIGIN) is None


def blocked(session: Session):  # type: ignore[no-untyped-def]
    return [one for one in session.sessions(()) if one.blocked_by]


def test_something_can_be_done_while_the_reply_is_on_its_way(world: World) -> None:
    session, other = world.session(), world.session()
    seen: list[object] = []

    def look() -> None:
        until_s = time.monotonic() + 5
        while not seen and time.monotonic() < until_s:
            seen.extend(row for row in other.select(rows, ORIGIN)() if row[1] == 4)

    session.once_sent(look)
    assert session.change(set_n, ORIGIN)(4, 1) == 1
    assert seen == [(1, 4, None)]
    seen.clear()
    session.change(set_n, ORIGIN)(5, 1)
    assert seen == []
