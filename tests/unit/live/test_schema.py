"""The tables of a run on a live server."""

import pytest
import sqlalchemy as sa

from jobsim.effects import Column, Index, Table
from jobsim.errors import DatabaseError
from jobsim.live.schema import OURS, create, ddl, drop

pytestmark = pytest.mark.live

T = Table(
    "jobsim_try",
    (
        Column("id", "integer"),
        Column("status", "text", default="pending", width=16),
        Column("at", "instant", nullable=True),
    ),
    (Index(("status", "at")),),
)


def shown(connection: sa.Connection) -> str:
    return str(connection.exec_driver_sql("SHOW CREATE TABLE jobsim_try").one()[1])


def test_a_table_has_its_columns_its_index_and_our_mark(connection: sa.Connection) -> None:
    create(connection, [T])
    try:
        text = shown(connection)
    finally:
        drop(connection, [T])
    for part in (
        "`at` datetime(6) DEFAULT NULL",
        "`status` varchar(16) NOT NULL DEFAULT 'pending'",
        "KEY `by_status_at` (`status`,`at`)",
        "PRIMARY KEY (`id`)",
        "ENGINE=InnoDB",
        OURS,
    ):
        assert part in text


def test_texts_sort_by_code_point_as_they_do_in_the_simulation(connection: sa.Connection) -> None:
    words = ["pending", "claimed", "Zeta", "running", "älter", "_x"]
    create(connection, [T], {T: [(at, word, None) for at, word in enumerate(words)]})
    try:
        found = connection.exec_driver_sql("SELECT status FROM jobsim_try ORDER BY status")
        assert [word for (word,) in found] == sorted(words)
    finally:
        drop(connection, [T])


def test_ids_are_given_where_the_table_assigns_them(connection: sa.Connection) -> None:
    assigned = Table("jobsim_try", T.columns, id_assigned=True)
    create(connection, [assigned])
    try:
        connection.exec_driver_sql("INSERT INTO jobsim_try (status) VALUES ('a'), ('b')")
        found = connection.exec_driver_sql("SELECT id FROM jobsim_try")
        assert [number for (number,) in found] == [1, 2]
    finally:
        drop(connection, [T])


def test_what_an_interrupted_run_left_behind_is_made_afresh(connection: sa.Connection) -> None:
    create(connection, [T], {T: [(1, "old", None)]})
    create(connection, [T])
    try:
        assert connection.exec_driver_sql("SELECT * FROM jobsim_try").all() == []
    finally:
        drop(connection, [T])


def test_a_table_that_jobsim_did_not_make_is_never_touched(connection: sa.Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE jobsim_try (id INT) COMMENT 'the books'")
    try:
        connection.exec_driver_sql("INSERT INTO jobsim_try VALUES (7)")
        for deed in (create, drop):
            with pytest.raises(DatabaseError, match="jobsim_try is there already"):
                deed(connection, [T])
        assert connection.exec_driver_sql("SELECT * FROM jobsim_try").all() == [(7,)]
    finally:
        connection.exec_driver_sql("DROP TABLE jobsim_try")


def test_dropping_what_is_not_there_is_no_error(connection: sa.Connection) -> None:
    drop(connection, [T])


def test_the_ddl_can_be_read_and_sent(connection: sa.Connection) -> None:
    statements = ddl(T, "mariadb").splitlines()
    assert [one.split()[:2] for one in statements] == [["CREATE", "TABLE"], ["CREATE", "INDEX"]]
    for one in statements:
        connection.exec_driver_sql(one)
    drop(connection, [T])
