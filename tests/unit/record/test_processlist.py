"""Watching a server's statements, with a server at the other end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from jobsim.errors import DatabaseError
from jobsim.live.server import ThrowAwayServer
from jobsim.record.processlist import ServerWatch, record_processlist
from jobsim.record.table import Recording
from jobsim.record.transitions import NothingSeenError

pytestmark = pytest.mark.live
SLOW = "SELECT SLEEP(0.4) FROM information_schema.schemata WHERE schema_name = 'jobsim'"


@pytest.fixture
def watcher(mariadb: ThrowAwayServer) -> Iterator[str]:
    """An account that may see all statements and nothing else."""
    engine = sa.create_engine(mariadb.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE USER 'eye'@'localhost' IDENTIFIED BY 'secret'")
        connection.exec_driver_sql("GRANT PROCESS ON *.* TO 'eye'@'localhost'")
        connection.exec_driver_sql("GRANT SELECT ON jobsim.* TO 'eye'@'localhost'")
        url = sa.make_url(mariadb.url).set(username="eye", password="secret")
        try:
            yield url.render_as_string(hide_password=False)
        finally:
            connection.exec_driver_sql("DROP USER 'eye'@'localhost'")


def watched(url: str, mariadb: ThrowAwayServer, output: Path) -> tuple[Recording, list[str]]:
    """A watch during which a slow statement runs."""
    said: list[str] = []

    def act() -> None:
        engine = sa.create_engine(mariadb.url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            connection.exec_driver_sql(SLOW)
            threading.Event().wait(0.3)  # a look that no longer shows it
        os.kill(os.getpid(), signal.SIGINT)

    acting = threading.Thread(target=act)

    def say(text: str) -> None:
        said.append(text)
        if text.startswith("watching"):
            acting.start()

    recording = record_processlist(ServerWatch(url, every_s=0.02), output, say)
    acting.join()
    return recording, said


def test_a_slow_statement_is_a_row_with_its_user_kind_and_time(
    watcher: str, mariadb: ThrowAwayServer, tmp_path: Path
) -> None:
    recording, said = watched(watcher, mariadb, tmp_path / "p.csv")
    jobs = recording.log.jobs
    (slow,) = jobs[jobs["kind"].astype(str).str.contains("schemata")].to_dict("records")
    assert slow["owner"] == "root"
    assert 0.2 < slow["run_s"] < 5
    assert slow["outcome"] == "unknown"
    assert recording.interrupted
    assert "secret" not in " ".join(said)
    assert len((tmp_path / "p.transitions.csv").read_text().splitlines()) >= 2


def test_an_account_that_may_not_see_others_is_told_what_it_lacks(
    watcher: str, mariadb: ThrowAwayServer, tmp_path: Path
) -> None:
    engine = sa.create_engine(mariadb.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("REVOKE PROCESS ON *.* FROM 'eye'@'localhost'")
    with pytest.raises(DatabaseError, match="GRANT PROCESS"):
        record_processlist(ServerWatch(watcher), tmp_path / "p.csv", lambda _: None)


def test_a_quiet_server_makes_no_log(watcher: str, tmp_path: Path) -> None:
    watch = ServerWatch(watcher, every_s=0.05, for_s=0.1)
    with pytest.raises(NothingSeenError, match="no statement was seen"):
        record_processlist(watch, tmp_path / "p.csv", lambda _: None)
