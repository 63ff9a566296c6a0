"""Reading crontabs: a user's, or the system's with its column of users."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

from jobsim.errors import LogError, UsageError
from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import HEAD_BYTES, looks_binary, read_text_bytes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schedule.cron_lines import (
    RIGHT,
    Line,
    Settings,
    entry_lines,
    has_users,
    spool_owner,
    user_and_command,
)
from jobsim.joblog.schedule.cron_time import REAL_TIME, RULE, CronTime
from jobsim.joblog.schedule.foreign import foreign
from jobsim.joblog.schedule.names import printable, short_names
from jobsim.joblog.schedule.plan import Entry, Plan
from jobsim.joblog.table import JobLog

COMMAND = re.compile(r"""[\w./~$"'\[({@:!-]*[A-Za-z]""")


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is a crontab.

    Every line has to be one of a crontab's, and one at least to have a star or a shortcut, so
    that no table of numbers is taken for one. What another system's schedule is too is taken, to
    be refused by its name.
    """
    if looks_binary(head):
        return False
    if foreign(head):
        return True
    text = head.decode(errors="replace")
    # The last line of a long head may be cut off; of a file that had a BOM, the head is shorter.
    whole = text[: text.rfind("\n") + 1] if len(head) >= HEAD_BYTES - 3 else text
    faults = FaultList("")
    lines = list(entry_lines(whole, faults))
    try:
        faults.raise_if_any()
    except LogError:
        return False
    starred = any("*" in line.when or line.when.startswith("@") for line in lines)
    return starred and all(_is_entry(line) for line in lines)


def read(path: Path, reading: Reading = PLAIN) -> JobLog:
    """The firing plan of a crontab; whether it has a column of users is found out.

    It has one if the file is ``/etc/crontab`` or lies in ``cron.d``, if a comment names the
    column, or if the sixth word of every line may be a user and one of them is a system's.

    ============  ==============================================================================
    column        made of
    ============  ==============================================================================
    ``submit_s``  the instant at which the entry fires, from `reading`'s begin on
    ``kind``      the command, shortened
    ``owner``     the user of the line, or the one whose spool file it is
    ============  ==============================================================================

    Raises
    ------
    LogError
        Lines are wrong, or the user has not said for which period.
    """
    return _read(path, reading, None)


def read_user(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Like `read`, of a user's crontab."""
    return _read(path, reading, False)


def read_system(path: Path, reading: Reading = PLAIN) -> JobLog:
    """Like `read`, of a crontab with a column of users."""
    return _read(path, reading, True)


def _read(path: Path, reading: Reading, with_users: bool | None) -> JobLog:
    if other := foreign(read_text_bytes(path)):
        refuse(str(path), f"this is {other[0]}; it is no crontab", other[1])
    plan = Plan(path, reading)
    text = plan.text()
    lines = list(entry_lines(text, plan.faults))
    told: tuple[str, ...] = ()
    if with_users is None:
        with_users, how = has_users(path, text, lines)
        told = (f"guessed: {how}",)
    jobs = [user_and_command(line, with_users, plan.faults) for line in lines]
    name_of = short_names(command for _, command in jobs)
    for line, (user, command) in zip(lines, jobs, strict=True):
        _add(plan, line, name_of[command], user or spool_owner(path), told)
    return plan.log()


def _is_entry(line: Line) -> bool:
    """Whether it surely is one: fields that cron takes, and a command that is no number."""
    if not COMMAND.match(line.rest):
        return False
    try:
        return line.at_boot or line.random or bool(CronTime.of(line.when))
    except ValueError:
        return False


def _add(plan: Plan, line: Line, kind: str, owner: str | None, told: tuple[str, ...]) -> None:
    try:
        when, zone = _when(line), _cron_zone(line.settings)
    except (ValueError, UsageError) as error:
        plan.faults.add(f"{shown(line.when)}: {error}", RIGHT, line.number)
        return
    if when is None:
        plan.notes.add(_why_none(line), 1)
        return
    rule = REAL_TIME if zone else when.rule
    times = when.on(plan.period.days)
    fires_us = plan.by_clock(times, zone or plan.zone, rule, line.number)
    plan.add(Entry(kind, owner, fires_us, (*told, *_remarks(plan, line.settings, when))))


def _when(line: Line) -> CronTime | None:
    """When it fires, or None if it never does at an instant that can be told."""
    if line.at_boot or line.random:
        return None
    when = CronTime.of(line.when)
    return None if when.never_fires() else when


def _why_none(line: Line) -> str:
    if line.at_boot:
        return "dropped: an entry @reboot, as booting has no time of its own"
    if line.random:
        return "dropped: an entry whose time cron draws at random (~)"
    return "dropped: an entry for a day that no year has, as 30 February"


def _cron_zone(settings: Settings) -> ZoneInfo | None:
    try:
        return Reading(zone=settings.cron_tz or None).zone_info
    except UsageError:
        raise UsageError(f"CRON_TZ={shown(settings.cron_tz)} is no time zone") from None


def _remarks(plan: Plan, settings: Settings, when: CronTime) -> Iterator[str]:
    if settings.cron_tz:
        yield (
            f"marked: fired by the clock of CRON_TZ={printable(settings.cron_tz)}, as cronie does"
            " (Debian's cron ignores it); when it is set, by real time, as cronie makes no"
            " allowance there"
        )
    else:
        yield plan.fired_by(RULE)
    if settings.tz:
        yield "marked: TZ= goes to the commands only, cron does not schedule by it"
    if settings.random_delay:
        yield (
            f"marked: RANDOM_DELAY={printable(settings.random_delay)}: cronie starts each up to"
            " that many minutes later; not drawn here"
        )
    for extension in when.extensions:
        yield f"marked: {extension}: Debian's cron and cronie refuse the line"
