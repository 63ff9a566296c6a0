"""What somebody meets who tries an own log for the first time: help, or one line that helps."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jobsim.joblog import read_log
from tests.unit.cli.conftest import Jobsim, unclocked

ODD = "Nr;Angelegt am;Dauer;Zustand\n1;30.03.2025 01:30:00;1,5;gut\n2;30.03.2025 03:30:00;2,5;aus\n"
SAYS = ("--map", "submit=Angelegt am,run=Dauer,outcome=Zustand,id=Nr")
MEANS = ("--unit", "submit=%d.%m.%Y %H:%M:%S", "--status", "gut=completed,aus=failed")
ARRIVALS = "id,created_at\n1,2025-05-01T10:00:00Z\n2,2025-05-01T10:00:20Z\n"
CRONTAB = "*/15 * * * * php /srv/x.php >> /dev/null\n30 2 * * * /usr/bin/report\n@daily backup\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    texts = {"odd.csv": ODD, "arrivals.csv": ARRIVALS, "crontab": CRONTAB, "prose.txt": "Dear all,"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "empty.csv").touch()
    (tmp_path / "bytes.dat").write_bytes(bytes(range(256)) * 4)
    with closing(sqlite3.connect(tmp_path / "app.db")) as database, database:
        database.execute("create table items (entered text, picked text, done text)")
        database.execute(
            "insert into items values ('2025-06-01 08:00:00', '2025-06-01 08:00:04',"
            " '2025-06-01 08:00:09')"
        )


def test_odd_names_decimal_commas_and_a_clock_set_forward_are_read(
    jobsim: Jobsim, tmp_path: Path
) -> None:
    said = (*SAYS, *MEANS, "--zone", "Europe/Berlin")
    assert jobsim("log", "convert", "odd.csv", *said, "-o", "own.csv").returncode == 0
    jobs = read_log(tmp_path / "own.csv").jobs
    assert jobs["submit_s"].tolist() == [0, 3600]
    assert jobs["run_s"].tolist() == [1.5, 2.5]
    assert jobs["outcome"].tolist() == ["completed", "failed"]


@pytest.mark.parametrize(
    "said",
    [
        ("--table", "items", "--map", "submit=entered,start=picked,end=done"),
        ("--query", "select entered submit, picked start, done as 'end' from items"),
    ],
)
def test_a_table_of_a_database_is_read_by_name_or_by_query(
    jobsim: Jobsim, tmp_path: Path, said: tuple[str, ...]
) -> None:
    assert jobsim("log", "convert", "sqlite:///app.db", *said, "-o", "own.csv").returncode == 0
    assert read_log(tmp_path / "own.csv").jobs["run_s"].tolist() == [5]


@pytest.mark.parametrize(
    ("said", "status", "helps"),
    [
        (("odd.csv",), 2, "--map 'submit=Angelegt am'"),
        (("odd.csv", "--map", "submit=when"), 2, "one of Nr, Angelegt am, Dauer, Zustand"),
        (("odd.csv", "--map", "submitted=Nr"), 2, "did you mean submit?"),
        (("odd.csv", "--map", "submit"), 2, "pairs as a=b,c=d"),
        (("odd.csv", "--zone", "Europe/Berln"), 2, "an IANA name, as Europe/Berlin"),
        (("odd.csv", "--format", "cvs"), 2, "did you mean csv?"),
        (("odd.csv", "--from", "2026-01-01"), 2, "--map, --status, --unit, --zone"),
        (("odd.csv", "--mapping", "prose.txt"), 2, "this is no TOML"),
        (("crontab",), 2, "--from 2026-01-01 --for 30d"),
        (("app.db",), 2, "say its URL: sqlite:///app.db"),
        (("sqlite:///app.db",), 2, "--mapping FILE"),
        (("sqlite:///app.db", "--table", "item"), 2, "did you mean items?"),
        (("sqlite:///app.db", "--format", "swf"), 2, "--table or --query"),
        (("sqlite:///app.db", "--query", "delete from items"), 3, "readonly"),
        (("sqlite:///none.db",), 3, "there is no such file"),
        (("none.csv",), 2, "no file, sample or drawn load 'none.csv'"),
        (("empty.csv",), 2, "the file is empty"),
        (("bytes.dat",), 2, "is binary"),
        (("prose.txt",), 2, "say which with --format"),
        ((".",), 2, "is a folder"),
    ],
)
def test_what_is_wrong_is_answered_in_one_line_that_says_what_is_right(
    jobsim: Jobsim, said: tuple[str, ...], status: int, helps: str
) -> None:
    done = jobsim("log", "describe", *said)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith("jobsim: ")
    assert done.stderr.count("\n") == 1
    assert helps in done.stderr


def test_arrivals_alone_are_replayed_once_a_run_time_is_stated(jobsim: Jobsim) -> None:
    refused = jobsim("simulate", "arrivals.csv")
    assert refused.returncode == 2
    assert "--assume-run 30s" in refused.stderr
    assert jobsim("simulate", "arrivals.csv", "--assume-run", "30s").returncode == 0


def test_a_crontab_is_replayed_by_its_plan(jobsim: Jobsim, tmp_path: Path) -> None:
    plan = ("--from", "2026-01-01", "--for", "1d", "-o", "plan.csv")
    assert jobsim("log", "convert", "crontab", *plan).returncode == 0
    assert len(read_log(tmp_path / "plan.csv")) == 96 + 1 + 1
    replay = ("--lease", "process-watcher", "--assume-run", "5m", "--json")
    done = jobsim("simulate", "plan.csv", *replay)
    assert done.returncode == 0
    at_once = jobsim("simulate", "crontab", *plan[:4], *replay)
    assert unclocked(at_once.stdout) == unclocked(done.stdout)
