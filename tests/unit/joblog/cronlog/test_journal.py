"""Lines of the journal as JSON."""

from __future__ import annotations

import json

import pytest

from jobsim.joblog.cronlog.journal import parse_json
from jobsim.joblog.cronlog.syslog import Line, Stamp

ENTRY = {
    "__REALTIME_TIMESTAMP": "1709290801000200",
    "_HOSTNAME": "web1",
    "SYSLOG_IDENTIFIER": "CRON",
    "SYSLOG_PID": "8",
    "_PID": "9",
    "MESSAGE": "x",
}


def parsed(**fields):
    return parse_json(json.dumps({**ENTRY, **fields}))


def test_an_entry_is_a_line():
    assert parsed() == Line(Stamp("utc", 1709290801.0002), "web1", "cron", 8, "x")


def test_what_an_entry_does_not_say_is_left_open():
    entry = {"__REALTIME_TIMESTAMP": "1709290801000200", "_COMM": "crond", "MESSAGE": None}
    assert parse_json(json.dumps(entry)) == Line(Stamp("utc", 1709290801.0002), "", "crond", -1, "")


def test_a_message_that_is_no_utf_8_comes_as_bytes():
    assert parsed(MESSAGE=[120, 255]).message == "x\ufffd"
    assert parsed(MESSAGE=[120, 256]).message == ""


@pytest.mark.parametrize("stamp", ["", "now", "9" * 30, 1709290801000200])
def test_an_object_without_the_journals_stamp_is_no_line(stamp):
    assert parsed(__REALTIME_TIMESTAMP=stamp) is None


@pytest.mark.parametrize("text", ["[1]", "7", '"{"', "[" * 100_000])
def test_what_is_no_object_is_no_line(text):
    assert parse_json(text) is None


def test_what_is_no_json_is_said():
    with pytest.raises(ValueError, match="delimiter"):
        parse_json('{"a"')
