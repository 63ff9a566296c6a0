"""The database of a live run, judged fit before anything is written."""

import os
import socket
from contextlib import closing

import pymysql
import pytest
import sqlalchemy as sa

from jobsim.errors import DatabaseError
from jobsim.live.database import Database, busy_sessions, look_at, open_database, parse_url
from jobsim.live.server import ThrowAwayServer
from tests.unit.live.made import wait_until

PASSWORD = "hunter2-and-more"


@pytest.fixture
def of_a_user(mariadb: ThrowAwayServer, connection: sa.Connection):  # type: ignore[no-untyped-def]
    """A URL of the server with a known password."""
    connection.exec_driver_sql(f"CREATE USER 'visitor'@'%%' IDENTIFIED BY '{PASSWORD}'")
    connection.exec_driver_sql("GRANT ALL ON *.* TO 'visitor'@'%%'")
    yield f"mariadb://visitor:{PASSWORD}@127.0.0.1:{mariadb.port}/jobsim"
    connection.exec_driver_sql("DROP USER 'visitor'@'%%'")


def refusal(url: str, **options: bool) -> str:
    with pytest.raises(DatabaseError) as refused:
        open_database(url, **options)
    text = str(refused.value)
    assert "\n" not in text
    assert PASSWORD not in text
    return text


@pytest.mark.live
def test_it_knows_its_kind_its_version_and_its_settings(database: Database) -> None:
    assert database.dialect in ("mariadb", "mysql")
    assert database.version.count(".") == 2
    assert database.settings["innodb_flush_log_at_trx_commit"] == "2"
    assert database.skip_locked
    assert f"{database.version} at mysql://root:***@localhost/jobsim" in str(database)


@pytest.mark.live
def test_a_users_database_is_taken_only_when_they_say_scratch(of_a_user: str) -> None:
    assert "--scratch" in refusal(of_a_user)
    assert open_database(of_a_user, scratch=True).name == "jobsim"


@pytest.mark.live
def test_a_password_is_nowhere_to_be_read(of_a_user: str) -> None:
    database = open_database(of_a_user, scratch=True)
    with database.connect() as connection:
        shown = [str(database), repr(database), repr(database.engine), repr(connection)]
    assert not any(PASSWORD in text for text in shown)
    assert PASSWORD not in refusal(of_a_user.replace("visitor", "stranger"), scratch=True)


@pytest.mark.live
def test_a_server_with_others_at_work_is_refused_unless_that_is_meant(
    of_a_user: str, connection: sa.Connection, database: Database
) -> None:
    connection.exec_driver_sql("CREATE TABLE jobsim_busy (id INT PRIMARY KEY)")
    connection.exec_driver_sql("BEGIN")
    connection.exec_driver_sql("INSERT INTO jobsim_busy VALUES (1)")
    try:
        with database.connect() as watching:
            # the server renews its list of transactions once nobody has asked for 0.1 s
            wait_until(lambda: busy_sessions(watching) == ["root: Sleep"], every_s=0.15)
        assert "other sessions are at work there (root: Sleep)" in refusal(of_a_user, scratch=True)
        assert open_database(of_a_user, scratch=True, yes=True)
    finally:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("DROP TABLE jobsim_busy")


@pytest.mark.live
def test_an_idle_session_of_another_does_not_count_as_work(
    of_a_user: str, mariadb: ThrowAwayServer
) -> None:
    other = pymysql.connect(
        unix_socket=str(mariadb.socket), user="visitor", password=PASSWORD, ssl_disabled=True
    )
    with closing(other):
        assert open_database(of_a_user, scratch=True)


@pytest.mark.live
def test_what_it_cannot_do_is_refused_with_the_versions_that_can(database: Database) -> None:
    database.require({})
    database.require({"mariadb": "10.6", "mysql": "8.0"})
    with pytest.raises(
        DatabaseError,
        match=f"skip-locked needs MariaDB 99.1 or later; this is .* {database.version}",
    ):
        database.require({"mariadb": "99.1"}, "skip-locked")


@pytest.mark.live
def test_versions_are_compared_by_their_numbers(database: Database) -> None:
    assert database.at_least({database.dialect: "5.10"})
    assert not database.at_least({"postgresql": "9.5"})


def test_one_that_does_not_answer_is_refused_in_one_line() -> None:
    with closing(socket.socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        text = refusal(f"mysql://root:{PASSWORD}@127.0.0.1:{port}/x", scratch=True)
    assert text.startswith(f"mysql://root:***@127.0.0.1:{port}/x cannot be reached: ")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (f"postgresql://me:{PASSWORD}@host/x", "MariaDB and MySQL so far"),
        (f"mysql://me:{PASSWORD}@host", "names no database"),
        (PASSWORD, "not a URL"),
        (f"mysql://me:{PASSWORD}@host:port/x", "not a URL"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_and_not_repeated(url: str, says: str) -> None:
    assert says in refusal(url, scratch=True)


@pytest.mark.live
def test_connecting_takes_no_time_for_certificates_that_nobody_needs(
    database: Database,
) -> None:
    began = os.times()
    for _ in range(10):
        database.connect().close()
    ended = os.times()
    assert ended.user - began.user < 0.5  # 0.15 s each, if it read them


@pytest.mark.live
def test_a_server_is_looked_at_through_any_spelling_of_its_url(mariadb: ThrowAwayServer) -> None:
    for scheme in ("mysql", "mariadb", "mysql+pymysql"):
        url = mariadb.url.replace("mysql+pymysql", scheme)
        assert look_at(parse_url(url)).dialect == mariadb.binary.kind
