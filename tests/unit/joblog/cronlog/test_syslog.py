"""The heads of syslog lines, in every shape that they come in."""

from __future__ import annotations

from datetime import UTC, datetime
from time import monotonic

import pytest

from jobsim.joblog.cronlog.syslog import Line, Stamp, parse


def utc_s(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


NOVEMBER = Stamp("yearless", utc_s("2000-11-09T12:01:01"))


@pytest.mark.parametrize(
    ("text", "stamp", "host", "program", "pid"),
    [
        ("Nov  9 12:01:01 web1 CRON[123]: x", NOVEMBER, "web1", "cron", 123),
        ("\t  Nov  9 12:01:01 web1 CRON[123]: x", NOVEMBER, "web1", "cron", 123),
        ("Nov 9 12:01:01 web1 crond: x", NOVEMBER, "web1", "crond", -1),
        ("<78>Nov  9 12:01:01 web1 CRON[123]: x", NOVEMBER, "web1", "cron", 123),
        ("Nov  9 12:01:01 web1 /usr/sbin/cron[9]: x", NOVEMBER, "web1", "cron", 9),
        ("Nov  9 12:01:01 web1 crond(pam_unix)[9]: x", NOVEMBER, "web1", "crond", 9),
        ("Nov  9 12:01:01 web1.example CROND[9]: x", NOVEMBER, "web1.example", "crond", 9),
        (
            "- 1131566461 2005.11.09 dn1 Nov 9 12:01:01 dn1/dn1 crond[9]: x",
            Stamp("utc", 1131566461),
            "dn1",
            "crond",
            9,
        ),
        (
            "2024-03-01T12:01:01.250+01:00 web1 CRON[9]: x",
            Stamp("utc", utc_s("2024-03-01T11:01:01.25")),
            "web1",
            "cron",
            9,
        ),
        (
            "2024-03-01T12:01:01+0100 web1 CRON[9]: x",
            Stamp("utc", utc_s("2024-03-01T11:01:01")),
            "web1",
            "cron",
            9,
        ),
        (
            "<78>1 2024-03-01T12:01:01.003Z web1 CRON 9 - - x",
            Stamp("utc", utc_s("2024-03-01T12:01:01.003")),
            "web1",
            "cron",
            9,
        ),
        (
            '<78>1 2024-03-01T12:01:01Z - cron - ID1 [a@1 b="c"] x',
            Stamp("utc", utc_s("2024-03-01T12:01:01")),
            "",
            "cron",
            -1,
        ),
        (
            "Fri 2024-03-01 12:01:01 UTC web1 CRON[9]: x",
            Stamp("utc", utc_s("2024-03-01T12:01:01")),
            "web1",
            "cron",
            9,
        ),
        (
            "Fri 2024-03-01 12:01:01 CET web1 CRON[9]: x",
            Stamp("local", utc_s("2024-03-01T12:01:01")),
            "web1",
            "cron",
            9,
        ),
        (
            "Fri Mar  1 12:01:01 2024 cron.info crond[9]: x",
            Stamp("local", utc_s("2024-03-01T12:01:01")),
            "",
            "crond",
            9,
        ),
        ("1709294461.250000 web1 CRON[9]: x", Stamp("utc", 1709294461.25), "web1", "cron", 9),
        (
            "2024-03-01T12:01:01.000000001Z crond: x",
            Stamp("utc", utc_s("2024-03-01T12:01:01")),
            "",
            "crond",
            -1,
        ),
        ("Feb 29 12:01:01 a b[1]: x", Stamp("yearless", utc_s("2000-02-29T12:01:01")), "a", "b", 1),
    ],
)
def test_every_shape_of_a_head_is_understood(text, stamp, host, program, pid):
    assert parse(text) == Line(stamp, host, program, pid, "x")


@pytest.mark.parametrize(
    "text",
    ["", "x", "Nov  9 12:01:01", "Nov  9 12:01:01 host", "host CRON[1]: (root) CMD (x)", "1,2,3"],
)
def test_what_does_not_begin_so_is_no_syslog_line(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    "text", ["Nov 31 12:01:01 a b: x", "Nov  9 25:01:01 a b: x", "2024-02-30T12:00:00Z a b: x"]
)
def test_a_date_that_no_calendar_has_is_said(text):
    with pytest.raises(ValueError, match=r"day|hour|month"):
        parse(text)


@pytest.mark.parametrize(
    "text", ["<78>" * 20_000, "Nov  9 12:01:01 " + "a" * 90_000, "Nov  9 12:01:01 a b 1 - ["]
)
def test_hostile_lines_take_no_longer(text):
    begin = monotonic()
    parse(text + "[" * 50_000)
    assert monotonic() - begin < 0.5
