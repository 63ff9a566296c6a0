"""The head of a syslog line: when it was written, on which host, by which process.

Known stamps: the classical one (RFC 3164: no year, no zone; with a year behind it as logread
prints it), ISO ones as rsyslog, journalctl and RFC 5424 write them, and seconds since 1970, by
themselves (journalctl -o short-unix) or in front of a classical line. A priority in angle brackets
may come first, and the host may be missing (the log of a container).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?"

PRIORITY = re.compile(r"[ \t]*(?:<\d{1,3}>(?:1 )?)?")
SECONDS = re.compile(r"\S+ (?P<t_s>\d{9,10}) \d{4}\.\d\d\.\d\d (?P<node>\S+) ")
CLASSICAL = re.compile(
    rf"{WEEKDAY}(?P<month>{'|'.join(MONTHS)}) +(?P<day>\d\d?)"
    r" (?P<clock>\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?: (?P<year>\d{4}))? "
)
ISO = re.compile(
    rf"{WEEKDAY}(?P<clock>\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?)"
    r"(?:(?P<offset>Z|[+-]\d\d:?\d\d)| (?P<zone>[A-Z]{3,5}))? "
)
UNIX = re.compile(r"(?P<t_s>\d{9,10}\.\d{1,9}) ")
PROCESS = re.compile(
    r"(?:(?:cron|daemon|auth|authpriv|user|local\d)\.[a-z]{3,7} |(?:-|(?P<host>\S+)) )?(?:"
    r"(?P<tag>[^\s:\[]+)(?:\[(?P<pid>\d{1,10})\])?: ?"
    r"|(?P<app>\S+) (?P<procid>\d{1,10}|-) \S+ (?:-|\[.*?\]) ?"
    r")"
)

EPOCH = datetime(1970, 1, 1)
LEAP_YEAR = 2000

Clock = Literal["utc", "local", "yearless"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a line was written.

    Attributes
    ----------
    clock
        ``utc``: `t_s` are seconds since 1970; ``local``: the same by a clock whose zone is not
        said; ``yearless``: by such a clock, and as if the year were `LEAP_YEAR`.
    """

    clock: Clock
    t_s: float


@dataclass(frozen=True, slots=True)
class Line:
    """A syslog line, as far as it was understood; `host` is empty and `pid` -1 if not said."""

    stamp: Stamp
    host: str
    program: str
    pid: int
    message: str


def parse(text: str) -> Line | None:
    """The line, or None if it does not begin as syslog does.

    Raises
    ------
    ValueError
        It has a date that no calendar has.
    """
    place = PRIORITY.match(text).end()  # type: ignore[union-attr]  # it matches nothing too
    seconds = SECONDS.match(text, place)
    place = seconds.end() if seconds else place
    match = CLASSICAL.match(text, place) or ISO.match(text, place) or UNIX.match(text, place)
    process = match and PROCESS.match(text, match.end())
    if not match or not process:
        return None
    return Line(
        _stamp(seconds or match),
        host=seconds["node"] if seconds else process["host"] or "",
        program=program_name(process["tag"] or process["app"]),
        pid=int(process["pid"] or (process["procid"] or "-").replace("-", "-1")),
        message=text[process.end() :].rstrip(),
    )


def program_name(tag: str) -> str:
    """The name of a program, without its folder and the module that logs for it."""
    return tag.rpartition("/")[2].partition("(")[0].lower()


def _stamp(match: re.Match[str]) -> Stamp:
    if match.re is CLASSICAL:
        return _classical(match)
    return _iso(match) if match.re is ISO else Stamp("utc", float(match["t_s"]))


def _classical(match: re.Match[str]) -> Stamp:
    year = int(match["year"] or LEAP_YEAR)
    hour, minute, second = map(int, match["clock"][:8].split(":"))
    month, day = MONTHS.index(match["month"]) + 1, int(match["day"])
    t_s = (datetime(year, month, day, hour, minute, second) - EPOCH).total_seconds()
    return Stamp("local" if match["year"] else "yearless", t_s + float("0" + match["clock"][8:]))


def _iso(match: re.Match[str]) -> Stamp:
    offset = match["offset"] or ("Z" if match["zone"] in ("UTC", "GMT") else "")
    instant = datetime.fromisoformat(match["clock"].replace(",", ".") + offset)
    if instant.tzinfo is None:
        return Stamp("local", (instant - EPOCH) / timedelta(seconds=1))
    return Stamp("utc", (instant - EPOCH.replace(tzinfo=UTC)) / timedelta(seconds=1))
