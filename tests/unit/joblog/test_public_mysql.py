"""Public slow logs and process lists with all their quirks, where they are at hand.

They are no part of the project. Their folder is looked for at $JOBSIM_JOBLOGS, or beside the
checkout at ``shared/joblogs``.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobsim.errors import LogError
from jobsim.joblog import processlist, slowlog
from jobsim.joblog.files import HEAD_BYTES, read_bytes
from jobsim.joblog.reading import PLAIN, Reading

FOLDER = Path(os.environ.get("JOBSIM_JOBLOGS") or Path(__file__).parents[4] / "shared" / "joblogs")


def public(name):
    path = FOLDER / "mysql" / name
    if not path.exists():
        pytest.skip(f"no public log {name} in {FOLDER} (set JOBSIM_JOBLOGS)")
    return path


def slow(name, reading=PLAIN):
    return slowlog.read(public(f"pt-slowlogs/{name}"), reading)


def listed(number):
    return processlist.read(public(f"processlist-recset{number}.txt"))


def counts(log, kind):
    return {note.reason: note.count for note in log.notes if note.reason.startswith(kind)}


def test_a_production_log_of_mysql_5_7_has_its_known_span_and_run_times():
    log = slowlog.read(public("mysql57-production-slow.log"))
    assert len(log) == 47
    assert log.jobs["submit_s"].max() / 60 == pytest.approx(9.3, abs=0.05)
    assert log.jobs["run_s"].mean() == pytest.approx(1.11, abs=0.005)
    assert log.jobs["run_s"].median() == pytest.approx(1.09, abs=0.005)
    assert log.origin == datetime(2022, 7, 30, 18, 23, 16, 306_659, UTC)
    assert set(log.jobs["kind"]) == {"select lottery_number_table"}
    assert set(log.jobs["owner"]) == {"app_db"}


@pytest.mark.parametrize(
    ("name", "statements"),
    [
        ("mysql5.7.log", 2),
        ("slow-pt-243.txt", 2),
        ("slow002.txt", 8),
        ("slow006.txt", 6),
        ("slow034.txt", 9),
        ("slow035.txt", 2),
        ("slow038.txt", 9),
        ("slow054.txt", 8),
        ("slow059.txt", 3),
    ],
)
def test_no_statement_is_lost(name, statements):
    log = slow(name)
    assert len(log) == statements
    assert counts(log, "dropped") == {}


def test_days_that_cannot_be_read_are_refused():
    with pytest.raises(LogError, match="no statement has a time that can be read"):
        slow("slow022.txt")


def test_an_hour_of_one_digit_and_its_stamp_are_one_instant():
    assert slow("slow059.txt").origin.replace(microsecond=0) == datetime(
        2013, 11, 28, 1, 5, 30, tzinfo=UTC
    )


def test_local_times_take_the_users_zone():
    berlin = slow("slow006.txt", Reading(zone="Europe/Berlin"))
    assert (slow("slow006.txt").origin - berlin.origin).total_seconds() == 3600


def test_a_local_time_without_a_stamp_goes_with_the_stamps_beside_it():
    log = slow("slow002.txt")
    assert log.jobs["submit_s"].max() < 3
    assert log.origin.hour == 16
    assert "update db2.tuningdetail_N_N, db1.gonzo" in set(log.jobs["kind"])


@pytest.mark.parametrize(
    ("number", "statements", "asleep", "longest_s"),
    [("002", 2, 0, 5), ("003", 80, 23, 3), ("004", 50, 0, 29), ("010", 5, 1, 10), ("011", 5, 0, 6)],
)
def test_statements_at_work_are_the_jobs_of_a_list(number, statements, asleep, longest_s):
    log = listed(number)
    assert len(log) == statements
    assert log.jobs["run_s"].max() == longest_s
    assert (log.jobs["submit_s"] + log.jobs["run_s"]).nunique() == 1
    assert sum(n for reason, n in counts(log, "dropped").items() if "asleep" in reason) == asleep


@pytest.mark.parametrize("folder", ["swf", "slurm", "cluster", "dbqueue", "airflow", "ci", "cron"])
def test_logs_of_other_formats_are_not_claimed(folder):
    for path in sorted(public("").parent.joinpath(folder).iterdir()):
        head = read_bytes(path, HEAD_BYTES)
        assert not slowlog.looks_like(head)
        assert not processlist.looks_like(head)


def test_each_is_known_by_its_beginning():
    for path in public("").rglob("*.*"):
        if path.is_file():
            head = read_bytes(path, HEAD_BYTES)
            is_list = path.name.startswith("processlist")
            assert (slowlog.looks_like(head), processlist.looks_like(head)) == (
                not is_list,
                is_list,
            )
