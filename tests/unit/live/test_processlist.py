"""What a session sees of the others, and does to them."""

import threading
from contextlib import closing
from typing import Any

import pymysql
import pytest
import sqlalchemy as sa

from jobsim.effects import Session
from jobsim.live.database import Database
from jobsim.live.processlist import job_of, kill, mark, sessions
from tests.unit.live.made import wait_until

pytestmark = pytest.mark.live


class Busy:
    """A connection that is at a statement, in a thread of its own."""

    def __init__(self, database: Database, *statements: str) -> None:
        self.connection = database.connect()
        self.number = int(self.connection.exec_driver_sql("SELECT CONNECTION_ID()").scalar_one())
        *before, last = statements
        for statement in before:
            self.connection.exec_driver_sql(statement)
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, args=(last,))
        self.thread.start()

    def _run(self, statement: str) -> None:
        try:
            self.connection.exec_driver_sql(statement)
        except sa.exc.DBAPIError as error:
            self.error = error.orig

    def close(self) -> None:
        self.thread.join(10)
        self.connection.invalidate()
        self.connection.close()


@pytest.fixture
def cursor(connection: sa.Connection) -> Any:
    return connection.connection.cursor()


def seen(cursor: Any, database: Database, number: int) -> Session | None:
    listed = sessions(cursor, database.dialect, ())
    return next((one for one in listed if one.session == number and one.command == "Query"), None)


def test_a_statement_is_seen_with_its_age_its_user_and_its_row(
    cursor: Any, database: Database
) -> None:
    with closing(Busy(database, f"SELECT {mark('query', 17, 'web')} SLEEP(20)")) as busy:
        wait_until(lambda: (one := seen(cursor, database, busy.number)) and one.time_s > 0.05)
        one = seen(cursor, database, busy.number)
        assert one is not None
        assert (one.user, job_of(one), one.transaction_s) == ("web", 17, None)
        assert kill(cursor, one, "statement", database.dialect)


def test_one_neither_sees_oneself_nor_the_hidden(cursor: Any, database: Database) -> None:
    cursor.execute("SELECT CONNECTION_ID()")
    (me,) = cursor.fetchone()
    with database.connect() as other:
        hidden = other.exec_driver_sql("SELECT CONNECTION_ID()").scalar_one()
        numbers = {one.session for one in sessions(cursor, database.dialect, ())}
        assert hidden in numbers
        assert me not in numbers
        assert hidden not in {one.session for one in sessions(cursor, database.dialect, (hidden,))}


def test_whoever_waits_for_a_lock_shows_whose_it_is(cursor: Any, database: Database) -> None:
    cursor.execute("CREATE TABLE jobsim_rows (id INT PRIMARY KEY, n INT) SELECT 1 id, 0 n")
    update = "UPDATE jobsim_rows SET n = n + 1 WHERE id = 1"
    try:
        with database.connect() as holder:
            number = holder.exec_driver_sql("SELECT CONNECTION_ID()").scalar_one()
            holder.exec_driver_sql("BEGIN")
            holder.exec_driver_sql(update)
            with closing(Busy(database, update)) as waiting:
                wait_until(
                    lambda: (one := seen(cursor, database, waiting.number)) and one.blocked_by,
                    every_s=0.15,
                )
                listed = {one.session: one for one in sessions(cursor, database.dialect, ())}
                holder.exec_driver_sql("ROLLBACK")
        assert listed[waiting.number].blocked_by == (number,)
        assert listed[number].rows_changed == 1
        assert listed[number].command == "Sleep"
        assert listed[number].transaction_s is not None
        assert waiting.error is None
    finally:
        cursor.execute("DROP TABLE jobsim_rows")


@pytest.mark.parametrize(("what", "number"), [("statement", 1317), ("connection", 2013)])
def test_who_is_killed_learns_of_it(
    cursor: Any, database: Database, what: str, number: int
) -> None:
    with closing(Busy(database, "SELECT 1 FROM (SELECT SLEEP(20)) s WHERE SLEEP(20)")) as busy:
        wait_until(lambda: seen(cursor, database, busy.number))
        one = seen(cursor, database, busy.number)
        assert one is not None
        assert kill(cursor, one, what, database.dialect)
    assert isinstance(busy.error, pymysql.MySQLError)
    assert busy.error.args[0] == number


def test_what_is_over_cannot_be_killed(cursor: Any, database: Database) -> None:
    gone = Session(999_999, 1, "web", "Query", 90.0, "", None)
    assert not kill(cursor, gone, "connection", database.dialect)
    if database.dialect == "mariadb":
        assert not kill(cursor, gone, "statement", database.dialect)


def test_a_user_cannot_break_out_of_the_comment_that_names_it() -> None:
    assert mark("query", 3, "a */ DROP") == "/* query 3 by a____DROP */"
