"""What an account must be allowed."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from jobsim.live.database import Database, busy_sessions, look_at
from jobsim.live.grants import grants
from jobsim.live.perform import perform
from jobsim.live.server import ThrowAwayServer
from tests.unit.live.made import attempts, killer_run, queue_run

pytestmark = pytest.mark.live

ACCOUNT = "'lowly'@'%%'"


@pytest.fixture(params=[2, 1], ids=["all", "without counting"])
def lowly(
    request: pytest.FixtureRequest,
    mariadb: ThrowAwayServer,
    connection: sa.Connection,
    database: Database,
) -> Iterator[Database]:
    """The same database, by an account that was given just the grants."""
    connection.exec_driver_sql(f"CREATE USER {ACCOUNT} IDENTIFIED BY 'pw'")
    for grant in grants(database, ACCOUNT)[: request.param]:
        connection.exec_driver_sql(grant)
    url = replace_account(database, mariadb.port)
    yield look_at(url)
    connection.exec_driver_sql(f"DROP USER {ACCOUNT}")


def replace_account(database: Database, port: int) -> sa.URL:
    return database.url.set(username="lowly", password="pw", host="127.0.0.1", port=port, query={})


def test_with_the_grants_a_run_can_be_made(lowly: Database) -> None:
    record = perform(queue_run("for-update", jobs=8, workers=2), lowly)
    assert sorted(attempts(record)["outcome"]) == ["completed"] * 8
    assert {"deadlocks", "lock_timeouts", "lock_waits"} <= set(record.recorder.counts)
    assert record.processor is not None
    assert record.processor.server_s is None


def test_whether_others_are_at_work_can_be_asked(lowly: Database) -> None:
    with lowly.connect() as connection:
        assert busy_sessions(connection) == []


@pytest.mark.parametrize("lowly", [2], indirect=True, ids=["all"])
def test_with_all_grants_a_killer_can_work(lowly: Database) -> None:
    record = perform(killer_run([2.0, 0.1], busy_s=0.3, interval_s=0.2), lowly)
    assert attempts(record).set_index("job")["outcome"].to_dict() == {1: "killed", 2: "completed"}
