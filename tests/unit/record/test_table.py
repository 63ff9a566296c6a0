"""Watching a table, with a database at the other end."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from jobsim.errors import DatabaseError, UsageError
from jobsim.live.server import ThrowAwayServer
from jobsim.record import looks
from jobsim.record.table import Recording, Watch, record_table, transitions_path
from jobsim.record.transitions import NothingSeenError, log_of

EVERY_S = 0.02
STEPS = (
    "INSERT INTO jobs (status) VALUES ('pending'), ('pending'), ('pending')",
    "UPDATE jobs SET status = 'processing' WHERE id IN (11, 12)",
    "UPDATE jobs SET status = 'done' WHERE id = 11",
    "UPDATE jobs SET status = 'failed' WHERE id = 12",
    "DELETE FROM jobs WHERE id = 13",
)
Do = Callable[[str], object]


class Acting:
    """Says nothing; acts on the table one step at a time, each when a look has seen the last."""

    def __init__(self, do: Do, path: Path, steps: tuple[str, ...] = STEPS) -> None:
        self.said: list[str] = []
        self.do, self.path, self.steps = do, path, steps
        self.thread = threading.Thread(target=self._act)
        self.failed: BaseException | None = None

    def __call__(self, text: str) -> None:
        self.said.append(text)
        if "at the first look" in text:
            self.thread.start()

    def _act(self) -> None:
        pause = threading.Event()
        try:
            for step in self.steps:
                before = self.path.stat().st_size
                self.do(step)
                for _ in range(1000):
                    if self.path.stat().st_size > before:
                        break
                    pause.wait(EVERY_S / 2)
        finally:
            os.kill(os.getpid(), signal.SIGINT)  # Ctrl-C


def watched(url: str, output: Path, do: Do, **more: object) -> tuple[Recording, Acting]:
    acting = Acting(do, transitions_path(output))
    watch = Watch(url, "jobs", every_s=EVERY_S, **more)  # type: ignore[arg-type]
    recording = record_table(watch, output, acting)
    acting.thread.join()
    return recording, acting


def check(recording: Recording) -> None:
    """The log is that of `STEPS`."""
    jobs = recording.log.jobs.set_index("job_id")
    assert recording.interrupted
    assert list(jobs.index) == [11, 12, 13]
    assert list(jobs["outcome"]) == ["completed", "failed", "unknown"]
    assert list(jobs["start_s"].notna()) == [True, True, False]
    assert (jobs.loc[[11, 12], "run_s"] > 0).all()
    assert recording.load.looks >= len(STEPS) + 1


TABLE = "CREATE TABLE jobs (id INTEGER PRIMARY KEY {}, status VARCHAR(20), payload TEXT)"
OLD = "INSERT INTO jobs (id, status) VALUES " + ", ".join(f"({n}, 'done')" for n in range(1, 11))


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(
        tmp_path / "app.db", isolation_level=None, check_same_thread=False, timeout=30
    )
    connection.execute(TABLE.format(""))
    connection.execute(OLD)
    yield connection
    connection.close()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'app.db'}"


def test_a_sqlite_table_is_recorded(sqlite: sqlite3.Connection, url: str, tmp_path: Path) -> None:
    recording, acting = watched(url, tmp_path / "w.csv", sqlite.execute)
    check(recording)
    assert acting.said[1] == "10 rows at the first look, 0 of them open"
    assert any("the watch cost the server" in note.reason for note in recording.log.notes)


def test_what_was_seen_is_on_disk_before_the_end(
    sqlite: sqlite3.Connection, url: str, tmp_path: Path
) -> None:
    recording, _ = watched(url, tmp_path / "w.csv", sqlite.execute)
    again = log_of(tmp_path / "w.transitions.csv")
    assert again.jobs.equals(recording.log.jobs)


def test_a_flag_says_what_the_user_says_it_says(
    sqlite: sqlite3.Connection, url: str, tmp_path: Path
) -> None:
    sqlite.execute("ALTER TABLE jobs ADD COLUMN taken INT DEFAULT 0")
    steps = ("INSERT INTO jobs (status) VALUES ('x')", "UPDATE jobs SET taken = 1 WHERE id = 11")
    acting = Acting(sqlite.execute, tmp_path / "w.transitions.csv", steps)
    watch = Watch(
        url, "jobs", EVERY_S, columns={"status": "taken"}, states={"0": "waiting", "1": "running"}
    )
    log = record_table(watch, tmp_path / "w.csv", acting).log
    acting.thread.join()
    assert (log.jobs["start_s"] > 0).all()
    assert not any("not known" in text for text in acting.said)


def test_more_rows_than_a_look_may_read_are_cut_and_said(
    sqlite: sqlite3.Connection, url: str, tmp_path: Path
) -> None:
    recording, acting = watched(url, tmp_path / "w.csv", sqlite.execute, most_rows=5)
    check(recording)
    assert any("more than 5 rows: only those with the highest id" in text for text in acting.said)
    assert any("older ones were not seen" in note.reason for note in recording.log.notes)


def test_for_ends_the_watch_and_nothing_seen_is_no_log(
    sqlite: sqlite3.Connection, url: str, tmp_path: Path
) -> None:
    with pytest.raises(NothingSeenError):
        record_table(Watch(url, "jobs", EVERY_S, for_s=0.1), tmp_path / "w.csv", lambda _: None)


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        ("job", {}, "no such table; did you mean jobs"),
        ("jobs", {"status": "stat"}, "did you mean status"),
    ],
)
def test_a_table_or_column_that_is_not_there_is_refused(
    sqlite: sqlite3.Connection, url: str, tmp_path: Path, table: str,
    columns: dict[str, str], message: str,
) -> None:  # fmt: skip
    with pytest.raises(UsageError, match=message):
        record_table(Watch(url, table, columns=columns), tmp_path / "w.csv", print)


def test_a_database_that_cannot_be_reached_is_said_without_its_password(tmp_path: Path) -> None:
    watch = Watch("mariadb://me:secret@127.0.0.1:1/db", "jobs")
    with pytest.raises(DatabaseError) as raised:
        record_table(watch, tmp_path / "w.csv", print)
    assert "secret" not in str(raised.value)
    assert "***" in str(raised.value)


def test_an_interval_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="--every"):
        Watch("sqlite:///x", "jobs", every_s=0)


def test_a_table_that_goes_away_for_long_ends_the_watch_with_what_was_seen(
    sqlite: sqlite3.Connection, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looks, "PATIENCE_S", 0.1)
    acting = Acting(sqlite.execute, tmp_path / "w.transitions.csv", STEPS[:1])

    def say(text: str) -> None:
        if "at the first look" in text:
            acting.do(STEPS[0])
        if "trying again" in text:
            acting.said.append(text)

    def gone(step: str) -> None:
        sqlite.execute(step)
        threading.Timer(0.3, sqlite.execute, ["DROP TABLE jobs"]).start()

    acting.do = gone
    recording = record_table(Watch(url, "jobs", EVERY_S, for_s=30.0), tmp_path / "w.csv", say)
    assert "no such table" in str(recording.lost)
    assert len(recording.log) == 3
    assert len(acting.said) == 1


@pytest.fixture
def shop(mariadb: ThrowAwayServer) -> Iterator[tuple[sa.Connection, str]]:
    """A database with a queue table, and the address of an account that may read it."""
    engine = sa.create_engine(mariadb.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in (
            "CREATE DATABASE shop",
            "USE shop",
            TABLE.format("AUTO_INCREMENT"),
            OLD,
            "CREATE USER 'reader'@'localhost' IDENTIFIED BY 'secret'",
            "GRANT SELECT ON shop.jobs TO 'reader'@'localhost'",
        ):
            connection.exec_driver_sql(statement)
        reader = sa.make_url(mariadb.url).set(
            username="reader",
            password="secret",
            database="shop",
        )
        try:
            yield connection, reader.render_as_string(hide_password=False)
        finally:
            connection.exec_driver_sql("DROP DATABASE shop")
            connection.exec_driver_sql("DROP USER 'reader'@'localhost'")


@pytest.mark.live
def test_a_mariadb_table_is_recorded_by_an_account_that_may_only_read_it(
    shop: tuple[sa.Connection, str], tmp_path: Path
) -> None:
    connection, url = shop
    recording, acting = watched(url, tmp_path / "w.csv", connection.exec_driver_sql)
    check(recording)
    assert recording.load.examined is not None
    assert recording.load.examined >= recording.load.rows
    assert "secret" not in " ".join(acting.said) + (tmp_path / "w.transitions.csv").read_text()


@pytest.mark.live
def test_no_snapshot_is_held_between_looks(shop: tuple[sa.Connection, str], tmp_path: Path) -> None:
    """A transaction that stays open keeps the server from clearing up old versions of rows."""
    connection, url = shop
    open_ = "SELECT COUNT(*) FROM information_schema.innodb_trx"
    seen: list[int] = []

    def do(step: str) -> None:
        connection.exec_driver_sql(step)
        seen.append(int(connection.exec_driver_sql(open_).scalar_one()))

    watched(url, tmp_path / "w.csv", do)
    assert seen.count(0) > 0
