from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from jobsim.errors import DatabaseError, LogError, UsageError
from jobsim.joblog.queues import found, read_url
from jobsim.joblog.reading import Reading

OBAN = """CREATE TABLE oban_jobs (id integer PRIMARY KEY, state text, worker text, attempt integer,
    inserted_at text, scheduled_at text, attempted_at text, completed_at text)"""
JOBS = [
    (1, "completed", "Mailer", 1, "10:00:00.5", "10:00:00.5", "10:00:02.5", "10:00:09.5"),
    (2, "executing", "Mailer", 1, "10:00:01", "10:00:01", "10:00:09", None),
]
MAP = {"submit": "came", "run": "took"}


@pytest.fixture
def sqlite(tmp_path: Path) -> Callable[..., str]:
    """The URL of a new file with these statements in it, and Oban's jobs if there is a table."""

    def make(*statements: str) -> str:
        file = tmp_path / "app.db"
        with closing(sqlite3.connect(file)) as connection, connection:
            for statement in statements:
                connection.execute(statement)
            if OBAN in statements:
                rows = [(*job[:4], *(at and f"2026-03-01 {at}" for at in job[4:])) for job in JOBS]
                connection.executemany("INSERT INTO oban_jobs VALUES (?,?,?,?,?,?,?,?)", rows)
        return f"sqlite:///{file}"

    return make


def test_the_only_known_system_of_a_database_is_read(sqlite):
    log = read_url(sqlite(OBAN, "CREATE TABLE orders (id integer)"))
    assert list(log.jobs["run_s"].fillna(-1)) == [7, -1]
    assert log.name == "app"


def test_what_a_database_holds_is_found_with_its_rows(sqlite):
    dag_run = (
        "CREATE TABLE dag_run (dag_id text, run_id text, state text, queued_at text,"
        " start_date text, end_date text)"
    )
    url = sqlite(OBAN, dag_run, "CREATE TABLE orders (id integer)")
    assert found(url) == [("oban", "oban_jobs", 2), ("airflow-runs", "dag_run", 0)]
    assert len(read_url(url)) == 2


def test_several_systems_with_rows_are_asked_about(sqlite):
    dag_run = "CREATE TABLE dag_run AS SELECT 'etl' dag_id, 'r' run_id, 'success' state"
    times = ", ".join(f"'2026-03-01' {name}" for name in ("queued_at", "start_date", "end_date"))
    url = sqlite(OBAN, f"{dag_run}, {times}")
    with pytest.raises(UsageError, match=r"oban .*airflow-runs"):
        read_url(url)


def test_a_plain_table_or_view_or_query_is_read_as_the_user_says(sqlite):
    url = sqlite(
        "CREATE TABLE t (came text, took real)",
        "INSERT INTO t VALUES ('2026-03-01 10:00:00', 4.5), ('2026-03-01 10:01:00', 2)",
        "CREATE VIEW v AS SELECT * FROM t WHERE took > 3",
    )
    assert len(read_url(url, Reading(table="t", columns=MAP, zone="UTC"))) == 2
    assert len(read_url(url, Reading(table="v", columns=MAP, zone="UTC"))) == 1
    query = "SELECT came, took * 2 AS took FROM t WHERE came LIKE '%10:01%'"
    log = read_url(url, Reading(query=query, columns=MAP, zone="UTC"))
    assert list(log.jobs["run_s"]) == [4]


def test_a_database_of_other_tables_lists_them(sqlite):
    with pytest.raises(LogError, match="but orders; say which table"):
        read_url(sqlite("CREATE TABLE orders (id integer)"))


def test_a_database_without_tables_is_refused(sqlite):
    with pytest.raises(LogError, match="there is no table in it"):
        read_url(sqlite())


def test_a_table_and_a_query_are_one_too_many(sqlite):
    with pytest.raises(UsageError, match="one is right"):
        read_url(sqlite(), Reading(table="a", query="SELECT 1"))


@pytest.fixture
def reader(mariadb):
    """The URL of a database with two systems, for a user who may only SELECT."""
    engine = sa.create_engine(mariadb.url)
    tables = """
        CREATE TABLE q.wp_actionscheduler_actions (action_id bigint, hook varchar(191),
          status varchar(20), scheduled_date_gmt datetime, attempts int, args longtext);
        INSERT INTO q.wp_actionscheduler_actions VALUES
          (1, 'mail', 'complete', '2026-03-01 10:00:00', 1, '[]'), (2, 'x', 'complete', 0, 1, '');
        CREATE TABLE q.wp_actionscheduler_logs (log_id bigint, action_id bigint, message text,
          log_date_gmt datetime);
        INSERT INTO q.wp_actionscheduler_logs VALUES
          (1, 1, 'action started via WP Cron', '2026-03-01 10:00:04'),
          (2, 1, 'action complete via WP Cron', '2026-03-01 10:00:09');
        CREATE TABLE q.django_q_task (id varchar(32), func varchar(99), started timestamp(6),
          stopped timestamp(6), success bit(1));
        INSERT INTO q.django_q_task VALUES ('a', 'f', '2026-03-01 10:00:00', NOW(), b'1')"""
    with engine.connect() as connection:
        for statement in ("SET sql_mode = ''", "CREATE DATABASE q", *tables.split(";")):
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql("CREATE USER reader@localhost IDENTIFIED BY 'a:b@c'")
        connection.exec_driver_sql("GRANT SELECT ON q.* TO reader@localhost")
        connection.commit()
    address = sa.make_url(mariadb.url).set(
        drivername="mariadb", username="reader", password="a:b@c", database="q"
    )
    yield address.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP DATABASE q")
        connection.exec_driver_sql("DROP USER reader@localhost")
    engine.dispose()


@pytest.mark.live
def test_mariadb_is_read_by_a_user_who_may_only_select(reader, reasons):
    assert [(name, rows) for name, _, rows in found(reader)] == [
        ("action-scheduler", 2),
        ("django-q", 1),
    ]
    log = read_url(reader, Reading(table="action-scheduler"))
    (one,) = log.jobs.itertuples()
    assert (one.start_s, one.run_s) == (4, 5)
    assert reasons(log)["dropped: when it was submitted is not known"] == 1
    assert "a:b" not in log.source
    assert read_url(reader, Reading(table="django-q")).jobs["outcome"][0] == "completed"


@pytest.mark.live
def test_mariadb_refuses_to_be_written_to(reader):
    with pytest.raises(DatabaseError, match=r"(?i)read.only|denied"):
        read_url(reader, Reading(query="DELETE FROM django_q_task", columns=MAP))


@pytest.mark.live
def test_a_wrong_password_is_said_without_it(reader):
    with pytest.raises(DatabaseError, match="Access denied") as caught:
        found(reader.replace("a%3Ab%40c", "wrong-one"))
    assert "wrong-one" not in str(caught.value)


@pytest.mark.live
def test_the_servers_slow_log_has_its_times_from_the_servers_own_types(mariadb):
    engine = sa.create_engine(mariadb.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("SET sql_mode = ''")
        connection.exec_driver_sql(
            "CREATE TABLE slow_copy ENGINE=InnoDB AS SELECT * FROM mysql.slow_log WHERE FALSE"
        )
        connection.exec_driver_sql(
            "INSERT INTO slow_copy (start_time, user_host, query_time, sql_text) VALUES"
            " ('2026-03-01 10:00:00.25', 'shop[shop] @ localhost []', '26:00:01.5', 'DO 1')"
        )
        try:
            log = read_url(mariadb.url, Reading(table="slow_copy"))
        finally:
            connection.exec_driver_sql("DROP TABLE slow_copy")
    assert str(log.origin)[:22] == "2026-03-01 10:00:00.25"
    assert log.jobs["run_s"].tolist() == [26 * 3600 + 1.5]
