"""What travels with the table comes back as it was, and damage is said clearly."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog.notes import Note
from jobsim.joblog.table import JobLog
from jobsim.joblog.travel import travelled, travelling

RIGHT = {"version": 1, "name": "a", "origin": None, "workers": None, "notes": []}


def log(**with_it) -> JobLog:
    return JobLog.of({"submit_s": [0], "run_s": [1]}, **({"name": "a"} | with_it))


def test_name_origin_zone_workers_and_notes_come_back():
    with_it = {
        "name": 'größer "und"\nmehr',
        "origin": datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
        "zone": "Europe/Berlin",
        "workers": 4,
        "notes": (Note("mended: this", 3), Note("dropped: that", 1)),
    }
    text = travelling(log(**with_it))
    assert "\n" not in text
    assert travelled(text, "a.csv") == with_it


def test_what_is_unknown_stays_unknown():
    assert travelled(travelling(log()), "a.csv") == {
        "name": "a",
        "origin": None,
        "zone": None,
        "workers": None,
        "notes": (),
    }


def test_an_origin_in_another_zone_becomes_utc():
    text = json.dumps(RIGHT | {"origin": "2026-07-01T02:00:00+02:00"})
    assert travelled(text, "a.csv")["origin"] == datetime(2026, 7, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        "[" * 100_000,
        json.dumps(RIGHT | {"origin": "yesterday"}),
        json.dumps(RIGHT | {"origin": "2026-01-01T00:00:00"}),
        json.dumps(RIGHT | {"origin": 5}),
        json.dumps(RIGHT | {"workers": float("inf")}),
        json.dumps(RIGHT | {"workers": "many"}),
        json.dumps(RIGHT | {"notes": [3]}),
        json.dumps(RIGHT | {"notes": [{"reason": "x"}]}),
    ],
)
def test_damage_is_named_with_its_line(text):
    with pytest.raises(LogError, match=r"a.csv:1: .* is damaged"):
        travelled(text, "a.csv")


def test_another_version_is_refused():
    with pytest.raises(LogError, match="a job log of version 2; version 1"):
        travelled(json.dumps(RIGHT | {"version": 2}), "a.csv")


@settings(max_examples=30)
@given(st.text())
def test_any_name_travels(name):
    assert travelled(travelling(log(name=name)), "a.csv")["name"] == name
