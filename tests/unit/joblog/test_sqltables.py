from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jobsim.errors import DatabaseError, UsageError
from jobsim.joblog.notes import Notes
from jobsim.joblog.sqltables import OWN_SCHEMAS, database, is_url


@pytest.fixture
def url(tmp_path: Path) -> Callable[..., str]:
    def make(*statements: str) -> str:
        with closing(sqlite3.connect(tmp_path / "a b%.db")) as connection, connection:
            for statement in statements:
                connection.execute(statement)
        return f"sqlite:///{tmp_path}/a b%.db"

    return make


TABLE = 'CREATE TABLE t (i integer, r real, s text, b blob, n text, "Odd name" text)'
ROW = "INSERT INTO t VALUES (1, 2.5, 'é', X'41', NULL, 'o'), (2, 3, '', X'FF00', NULL, NULL)"


def test_cells_become_text_and_null_is_missing(url):
    with database(url(TABLE, ROW)) as source:
        frame = source.frame("t", notes=Notes())
        assert source.tables["t"] == ("i", "r", "s", "b", "n", "Odd name")
        assert source.rows("t") == 2
    assert list(frame.iloc[0].fillna("-")) == ["1", "2.5", "é", "A", "-", "o"]
    assert list(frame["b"]) == ["A", "ff00"]
    assert frame["n"].isna().all()


def test_only_the_columns_asked_for_are_read(url):
    with database(url(TABLE, ROW)) as source:
        assert list(source.frame("t", ["Odd name", "i"], notes=Notes())) == ["Odd name", "i"]


def test_an_empty_table_has_its_columns(url):
    with database(url(TABLE)) as source:
        assert source.frame("t", ["i"], notes=Notes()).shape == (0, 1)


def test_a_query_gives_its_own_columns(url):
    with database(url(TABLE, ROW)) as source:
        assert list(source.query("SELECT i AS x, 'a%s:b' AS y FROM t")["y"]) == ["a%s:b"] * 2


@pytest.mark.parametrize("sql", ["DELETE FROM t", "DROP TABLE t", "CREATE TABLE u (i integer)"])
def test_nothing_can_be_written(url, sql):
    address = url(TABLE, ROW)
    with pytest.raises(DatabaseError, match="readonly"), database(address) as source:
        source.query(sql)
    with database(address) as source:
        assert source.rows("t") == 2


@pytest.mark.parametrize(
    ("sql", "right"), [("PRAGMA cache_size = 1", "a SELECT"), ("SELECT 1 AS x, 2 AS x", "AS")]
)
def test_a_query_without_rows_or_with_two_columns_of_one_name_is_refused(url, sql, right):
    with database(url(TABLE)) as source, pytest.raises(UsageError, match=right):
        source.query(sql)


def test_a_query_that_is_no_sql_is_refused_in_one_line(url):
    with database(url(TABLE)) as source, pytest.raises(DatabaseError) as caught:
        source.query("SELEKT *\nFROM t")
    assert "\n" not in str(caught.value)


def test_a_view_whose_table_is_gone_is_passed_over(url):
    address = url(TABLE, "CREATE TABLE u (i integer)", "CREATE VIEW v AS SELECT i FROM u")
    url("DROP TABLE u")
    with database(address) as source:
        assert list(source.tables) == ["t"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("sqlite:////no/such/file.db", "no such file"),
        ("sqlite://", "no such file"),
        ("nonsense", "no URL of a database"),
        ("mysql://user:pass word@host:port/name", "no URL of a database"),
        ("klingon://user:secret@host/name", "no database is of the kind 'klingon'"),
        ("mariadb://user:secret@127.0.0.1:1/name", r"mysql://user:\*\*\*@127.0.0.1:1/name: "),
    ],
)
def test_what_cannot_be_reached_is_said_in_one_line_without_the_password(address, said):
    with pytest.raises(DatabaseError, match=said) as caught, database(address):
        pass
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "pass word" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "package"),
    [
        ("postgresql+nodriver9://u:secret@h/n", "kind"),
        ("oracle+oracledb://u:secret@h/n", "pip install 'oracledb'"),
        ("mssql+pymssql://u:secret@h/n", "pip install 'pymssql'"),
        ("sqlserver://u:secret@h/n", "pip install 'pymssql'"),
    ],
)
def test_a_missing_driver_is_named_with_its_package(address, package):
    with pytest.raises(DatabaseError, match=package) as caught, database(address):
        pass
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("kind", ["mysql2", "trilogy", "mariadb+mysqldb", "mysql+aiomysql"])
def test_addresses_as_other_libraries_write_them_are_taken(kind):
    said = r"mysql://u:\*\*\*@127.0.0.1:1/n: .*refused"
    with pytest.raises(DatabaseError, match=said), database(f"{kind}://u:secret@127.0.0.1:1/n"):
        pass


@pytest.mark.parametrize("kind", ["postgres", "pgsql", "postgresql+asyncpg"])
def test_every_address_of_postgresql_goes_by_the_same_driver(kind):
    said = r"postgresql://u:\*\*\*@127.0.0.1:1/n: "
    with pytest.raises(DatabaseError, match=said), database(f"{kind}://u:secret@127.0.0.1:1/n"):
        pass


def test_an_asynchronous_address_of_a_file_is_taken(url):
    address = url(TABLE, ROW).replace("sqlite:", "sqlite+aiosqlite:")
    with database(address) as source:
        assert source.rows("t") == 2


def test_a_table_with_a_full_stop_in_its_name_is_in_no_schema(url):
    with database(url('CREATE TABLE "App.Job" (i integer)')) as source:
        assert source.rows("App.Job") == 0
        assert list(source.frame("App.Job", notes=Notes())) == ["i"]


@pytest.mark.parametrize(
    ("schema", "own"),
    [
        *dict.fromkeys(("sys", "INFORMATION_SCHEMA", "pg_toast", "db_ddladmin"), True).items(),
        *dict.fromkeys(("system_jobs", "db_jobs", "guests", "pgboss", "HangFire"), False).items(),
    ],
)
def test_only_the_servers_own_schemas_are_passed_over(schema, own):
    assert bool(OWN_SCHEMAS.fullmatch(schema)) == own


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "x.db").write_text("this is a text, and no database\n" * 99)
    with (
        pytest.raises(DatabaseError, match="not a database"),
        database(f"sqlite:///{tmp_path}/x.db"),
    ):
        pass


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("mysql+pymysql://h/n", True),
        ("sqlite:///x.db", True),
        ("jobs.csv", False),
        ("a b://c", False),
        ("mmc:arrival=1", False),
    ],
)
def test_an_address_is_told_from_a_file(text, yes):
    assert is_url(text) == yes
