"""Reading the firings of cron from syslog."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.cronlog.ends import Event, Firing, What, firings
from jobsim.joblog.cronlog.journal import parse_json
from jobsim.joblog.cronlog.syslog import Line, Stamp, parse
from jobsim.joblog.cronlog.years import in_year, instants_s
from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import log_name, read_text_bytes
from jobsim.joblog.localtime import Seconds
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schedule.names import printable, short_names
from jobsim.joblog.table import JobLog

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

PROGRAMS = frozenset({"cron", "crond", "anacron"})
COMMAND = re.compile(
    r"\((?P<user>[^)]+)\) (?P<what>CMD|CMDEND|END) \((?:\[(?P<job>\d{1,10})\] )?(?P<command>.*)"
)
BUSYBOX = re.compile(
    r"(?:FILE \S+ )?USER (?P<user>\S+) (?:pid|PID) +(?P<job>\d{1,10}) (?:cmd )?(?P<command>.+)"
)
ANACRON = re.compile(r"Job `(?P<job>[^']+)' (?P<what>started|terminated)(?P<how>.*)")
DATED = re.compile(r"(?:started on|Updated timestamp for job .* to) (?P<year>\d{4})-\d\d-\d\d")
FAULTY = re.compile("exit status|signal|abnormal")
SESSION = re.compile(
    r"(?:pam_unix\(crond?:session\): )?session (?P<what>opened|closed) for user (?P<user>[^\s(]+)"
)
FAILED = re.compile(
    r"\(CRON\) error \(grandchild #(?P<job>\d{1,10}) (?:failed with|terminated by)", re.IGNORECASE
)
SINCE_BOOT = re.compile(rb"^\[ *\d{1,9}\.\d{6}\] \S+ cron\S*: \(\S+\) CMD", re.I | re.M)
CUT_OFF = re.compile(rb"cron\S{0,20}?: \(\S{1,40}\) CMD \(", re.IGNORECASE)

RIGHT = "a syslog line, as Nov  9 12:01:01 host CRON[123]: (root) CMD (/bin/x)"
COMMANDS = f"{RIGHT} (they are in /var/log/syslog or cron; put auth.log, with the ends, behind)"
RECORD = "jobsim record run --append jobs.csv -- COMMAND"

ONLY_STARTS = f"marked: cron logged only starts, no run times (to get them: {RECORD})"
NO_END = "marked: no end is logged for it, no run time"
TOO_SHORT = (
    "mended: ended within the time step of the log's clock in which it started, run time left"
    " missing (so that those known are the longer ones)"
)


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is a syslog with jobs of cron in it."""
    lines = _lines(head, FaultList("head"))
    return bool(SINCE_BOOT.search(head)) or any(event is not None for _, event in lines)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Read the firings of cron from a syslog, plain or gzip; lines of other programs are left.

    A syslog is what a syslog daemon wrote or journalctl printed, also as JSON. A CMD line is a
    firing; so is the start of a job of anacron, which logs its end and how it ended. When another
    command ended only some logs tell: by cronie's CMDEND, Debian's END or its error about a
    grandchild, or by the session that was opened for the command and closed behind it
    (`jobsim.joblog.cronlog.ends`). Where that is not before the next tick of the log's clock,
    there is no run time. The years of lines without one are found by
    `jobsim.joblog.cronlog.years.instants_s`.

    ==============  ============================================================================
    column          made of
    ==============  ============================================================================
    ``kind``        the command, in short; the same command on several hosts is one kind;
                    of anacron, the name of the job
    ``submit_s``    the CMD line; when cron found it due is not logged
    ``run_s``       from the CMD line to the end, where one is logged
    ``outcome``     failed where cron or anacron logged that it did, completed where anacron
                    logged an end without a fault, else unknown
    ``owner``       the user, with the host behind it (``root@web1``) where the log has several
    ==============  ============================================================================

    Raises
    ------
    LogError
        No line of it is a command of cron, or such lines have times that are none.
    """
    file, notes, faults = str(path), Notes(), FaultList(str(path))
    data = read_text_bytes(path)
    if SINCE_BOOT.search(data):
        refuse(file, "its times count from the boot, not from a date", "journalctl -o short-iso")
    lines = list(_lines(data, faults))
    faults.raise_if_any()
    commands = np.array(
        [event is not None and event.what == "cmd" for _, event in lines], dtype=bool
    )
    if not commands.any():
        refuse(file, "no line of it is a command that cron started", f"{COMMANDS}; or {RECORD}")
    try:
        t_s = instants_s([stamp for stamp, _ in lines], reading, notes, commands)
    except ValueError as error:
        refuse(file, str(error), "say with --from when the log begins")
    events = [event._replace(t_s=at) for (_, event), at in zip(lines, t_s, strict=True) if event]
    fired = _once(firings(events), notes)
    log = JobLog.of(
        _columns(fired, notes),
        name=log_name(path),
        source=file,
        line_of=[each.started.line for each in fired].__getitem__,
        origin=EPOCH,
        notes=notes.taken,
    )
    return log.from_zero()


def _lines(data: bytes, faults: FaultList) -> Iterator[tuple[Stamp, Event | None]]:
    """The lines of cron that say anything of a command, their instants still open.

    Those in which anacron says the date are among them, with its year and without an event.
    """
    for number, raw in enumerate(io.BytesIO(data), start=1):
        if b"cron" not in raw and b"CRON" not in raw:
            continue
        text = raw.decode(errors="replace")
        try:
            line = parse_json(text) if text.startswith("{") else parse(text)
        except ValueError as error:
            faults.add(f"{shown(text[:40])}: {error}", RIGHT, number)
            continue
        if line is None:
            if CUT_OFF.search(raw):
                faults.add("a command of cron without a time and a host", RIGHT, number)
        elif line.program not in PROGRAMS:
            continue
        elif event := _event(line, number):
            yield line.stamp, event
        elif line.stamp.clock == "yearless" and (dated := DATED.search(line.message)):
            yield in_year(line.stamp, int(dated["year"])), None


def _event(line: Line, number: int) -> Event | None:
    blank = Event(math.nan, number, "cmd", line.host, line.pid)
    if match := COMMAND.match(line.message):
        what: What = "cmd" if match["what"] == "CMD" else "cmdend"
        # A line that was too long for syslog has lost its end.
        command = printable(match["command"].removesuffix(")"))
        job_pid = int(match["job"] or -1)
        return blank._replace(what=what, user=match["user"], command=command, job_pid=job_pid)
    if match := BUSYBOX.match(line.message):
        command, job_pid = printable(match["command"]), int(match["job"])
        return blank._replace(user=match["user"], command=command, job_pid=job_pid)
    if match := ANACRON.match(line.message):
        job = blank._replace(command=printable(match["job"]))
        if match["what"] == "started":
            return job
        outcome = "failed" if FAULTY.search(match["how"]) else "completed"
        return job._replace(what="cmdend", outcome=outcome)
    if match := FAILED.match(line.message):
        return blank._replace(what="failed", job_pid=int(match["job"]))
    if match := SESSION.match(line.message):
        what = "opened" if match["what"] == "opened" else "closed"
        return blank._replace(what=what, user=match["user"])
    return None


def _once(fired: list[Firing], notes: Notes) -> list[Firing]:
    """Each firing once: two lines alike, with the same pid, are one that was written twice."""
    first: dict[tuple[Any, ...], Firing] = {}
    for number, firing in enumerate(fired):
        pid = max(firing.started.pid, firing.started.job_pid)
        alike = firing.started._replace(line=number if pid < 0 else 0)
        first.setdefault(alike, firing)
    notes.add("dropped: the same line again", len(fired) - len(first))
    return list(first.values())


def _columns(fired: list[Firing], notes: Notes) -> dict[str, Any]:
    started = [firing.started for firing in fired]
    submit_s = np.array([event.t_s for event in started])
    name_of = short_names(event.command for event in started)
    notes.add("marked: submission times are not logged, starts stand for them", len(fired))
    return {
        "kind": pd.Series([name_of[event.command] for event in started], dtype="str"),
        "submit_s": submit_s,
        "run_s": _run_s(np.array([firing.end_s for firing in fired]) - submit_s, notes),
        "outcome": pd.Series([firing.outcome for firing in fired], dtype="str"),
        "owner": pd.Series(_owners(started, notes), dtype="str"),
    }


def _run_s(lasted_s: Seconds, notes: Notes) -> Seconds:
    unknown, too_short = np.isnan(lasted_s), lasted_s <= 0
    notes.add(ONLY_STARTS if unknown.all() else NO_END, unknown)
    notes.add(TOO_SHORT, too_short)
    return np.where(lasted_s > 0, np.round(lasted_s, 6), math.nan)


def _owners(started: list[Event], notes: Notes) -> list[str | None]:
    hosts = {event.host for event in started}
    if len(hosts) < 2:
        return [_owner(event.user) for event in started]
    notes.add(
        f"marked: from {len(hosts):,} hosts, the same command on each is one kind", len(started)
    )
    return [_owner(f"{event.user}@{event.host}".lstrip("@")) for event in started]


def _owner(text: str) -> str | None:
    """anacron names no user."""
    return printable(text) if text else None
