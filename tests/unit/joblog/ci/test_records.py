"""Pages, lists, lines and tables of records, whole or damaged."""

from __future__ import annotations

import json

import pytest

from jobsim.errors import LogError
from jobsim.joblog.ci.records import csv_names, keys, pick, records

ONE, TWO = {"id": 1}, {"id": 2}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([ONE, TWO]),
        json.dumps({"total_count": 2, "workflow_runs": [ONE, TWO]}),
        json.dumps({"count": 2, "value": [ONE, TWO]}),
        json.dumps({"jobs": [ONE]}) + json.dumps({"jobs": [TWO]}),
        json.dumps([{"jobs": [ONE]}, {"jobs": [TWO]}]),
        json.dumps([[ONE], [TWO]]),
        json.dumps([ONE]) + "\n" + json.dumps([TWO]),
        json.dumps(ONE) + "\n\n" + json.dumps(TWO, indent=2) + "\n",
    ],
)
def test_records_are_found_in_every_way_that_pages_are_put_together(text):
    assert records(text.encode(), "runs.json") == [ONE, TWO]


def test_lines_of_a_table_are_records_and_empty_cells_are_none():
    text = b'id,name\r\n1,"a, b"\r\n\r\n2,\r\n'
    assert records(text, "runs.csv") == [{"id": "1", "name": "a, b"}, {"id": "2", "name": None}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"id": 1},\n{"id": 2', r"runs:2: this is not JSON: .*; the whole export"),
        ('{"jobs": [{"id": 1}]}\n{"jobs', "runs:2: this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ('[{"id": 1}, 7]', "record 2 is '7'; an object a run"),
        ("[]", "no run in it"),
        ('{"jobs": []}', "no run in it"),
        ("id,name\n1,2,3\n4\n", "runs:2: 3 cells; 2 cells, as in the header\nruns:3: 1 cells"),
        ('id\n"1', "this is not CSV"),
        ("id\n", "no run in it"),
    ],
)
def test_damaged_text_is_refused_with_its_place(text, message):
    with pytest.raises(LogError, match=message):
        records(text.encode(), "runs")


def test_text_that_is_no_utf_8_is_refused():
    with pytest.raises(LogError, match="not UTF-8"):
        records(b'["\xff"]', "runs")


def test_members_within_members_are_picked():
    record = {"actor": {"login": "ann", "more": [1]}, "sender.name": "bob", "id": 0}
    assert pick(record, "actor.login") == "ann"
    assert pick(record, "sender.name") == "bob"
    assert pick(record, "id") == 0
    assert [pick(record, path) for path in ("actor", "actor.more", "id.x", "none.x", "y")] == [
        None
    ] * 5


def test_names_are_seen_in_text_that_is_cut_off():
    assert keys(b' [{"id": 1, "actor": {"login": "x", "na') == {"id", "actor", "login"}
    assert keys(b'id,"name": 1') == frozenset()
    assert csv_names(b'id,"name", state\r\n"x": 1') == {"id", "name", "state"}
