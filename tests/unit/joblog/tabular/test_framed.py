"""Tables as database clients draw them."""

import time

import pytest

from jobsim.joblog.tabular import read_csv
from jobsim.joblog.tabular.framed import is_framed, unframed

BOX = [
    "+----+---------------------+---------+",
    "| id | created_at          | status  |",
    "+----+---------------------+---------+",
    "|  1 | 2024-05-13 10:20:30 | done    |",
    "|  2 | 2024-05-13 10:21:30 | NULL    |",
    "+----+---------------------+---------+",
    "2 rows in set (0.00 sec)",
]
PSQL = [
    " id |     created_at      | status ",
    "----+---------------------+--------",
    "  1 | 2024-05-13 10:20:30 | done",
    "  2 | 2024-05-13 10:21:30 | ",
    "(2 rows)",
]
MARKDOWN = [
    "| id | created_at | status |",
    "|---:|:-----------|--------|",
    "| 1 | 2024-05-13 10:20:30 | done |",
    "| 2 | 2024-05-13 10:21:30 | |",
]


@pytest.mark.parametrize("drawn", [BOX, PSQL, MARKDOWN])
def test_drawn_tables_are_read_like_others(file, drawn):
    path = file("a.txt", *drawn)
    assert read_csv.looks_like(path.read_bytes())
    log = read_csv.read(path)
    assert log.jobs["job_id"].tolist() == [1, 2]
    assert log.jobs["submit_s"].tolist() == [0, 60]
    assert log.jobs["outcome"].tolist() == ["completed", "unknown"]


def test_each_row_stays_on_its_line():
    assert unframed("\n".join(BOX)).splitlines()[3] == "1|2024-05-13 10:20:30|done"


@pytest.mark.parametrize(
    "text", ["id,created_at\n1,2", "a|b\n1|2", "--- a\n+++ b\n", "", "----", "a | b\nc\n---"]
)
def test_other_texts_are_not_taken_for_drawn_ones(text):
    assert not is_framed(text)


def test_a_long_line_of_signs_takes_no_time():
    begun = time.monotonic()
    assert not is_framed("-" * 200_000 + "x")
    assert time.monotonic() - begun < 2
