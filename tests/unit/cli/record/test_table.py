"""jobsim record table."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from jobsim.joblog import read_log
from tests.unit.cli.conftest import JOBSIM, Jobsim

BOUND_S = 60


@pytest.fixture
def app(tmp_path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(tmp_path / "app.db", isolation_level=None)
    connection.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT)")
    return connection


def test_ctrl_c_writes_the_log_and_says_what_it_cost(
    app: sqlite3.Connection, tmp_path: Path
) -> None:
    words = "record table --database sqlite:///app.db --table jobs --every 20ms -o w.csv"
    watch = subprocess.Popen(
        [JOBSIM, *words.split()], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert watch.stderr is not None
    assert watch.stderr.readline().startswith("watching jobs of sqlite:///app.db every 0.02 s")
    assert "0 rows at the first look" in watch.stderr.readline()
    app.execute("INSERT INTO jobs (status) VALUES ('pending')")
    transitions = tmp_path / "w.transitions.csv"
    until_s = time.monotonic() + BOUND_S
    while "submit,waiting" not in transitions.read_text() and time.monotonic() < until_s:
        assert watch.poll() is None
    watch.send_signal(signal.SIGINT)
    out, err = watch.communicate(timeout=BOUND_S)
    assert (watch.returncode, out) == (130, "")
    assert "load on the server: " in err
    assert "1 job written to w.csv" in err
    assert len(read_log(tmp_path / "w.csv")) == 1


def test_a_watch_of_nothing_writes_no_log_and_exits_with_1(
    app: sqlite3.Connection, jobsim: Jobsim, tmp_path: Path
) -> None:
    words = "record table --database sqlite:///app.db --table jobs --every 20ms --for 0.1s -o w.csv"
    done = jobsim(*words.split())
    assert done.returncode == 1
    assert "no row came" in done.stderr
    assert not (tmp_path / "w.csv").exists()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("--table job", 2, "did you mean jobs"),
        ("--table jobs --map status=stat", 2, "did you mean status"),
        ("--table jobs --status done=complete", 2, "did you mean completed"),
        ("--table jobs --every nothing", 2, "is not a duration"),
        ("--table jobs --database sqlite:///none.db", 3, "no such file"),
        ("--table jobs -o none/w.csv", 2, "cannot be written"),
        ("--table jobs -o w.txt", 2, "a job log is written as .parquet, .csv"),
    ],
)
def test_what_cannot_be_watched_is_said(
    app: sqlite3.Connection, jobsim: Jobsim, words: str, status: int, said: str
) -> None:
    words = f"record table --database sqlite:///app.db --for 0s -o w.csv {words}"
    done = jobsim(*words.split())
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr
