"""The lines of a crontab, and whether they have a column of users."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from jobsim.joblog.faultlist import FaultList, shown
from jobsim.joblog.schedule.names import printable

RIGHT = "minute hour day-of-month month day-of-week command, as */15 2 * * mon-fri /bin/x"

SETTING = re.compile(r"""(["']?)([A-Za-z_]\w*)\1\s*=\s*(.*)""")
SETTINGS = {"CRON_TZ": "cron_tz", "TZ": "tz", "RANDOM_DELAY": "random_delay"}

USER = re.compile(r"[A-Za-z_][\w.-]*\$?(?:[:/][\w.-]+){0,2}")
"""FreeBSD may have a group and a login class behind it."""

USER_COLUMN = re.compile(
    r"^#.*\b(?:dow|wday)\W+(?:user(?:-?name)?|who)\b", re.IGNORECASE | re.MULTILINE
)
SYSTEM_USERS = frozenset({"root", "www-data", "nobody", "daemon", "apache", "nginx", "munin"})
SPOOL_FOLDERS = frozenset({"crontabs", "tabs"})


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment lines above an entry say to cron itself."""

    cron_tz: str = ""
    tz: str = ""
    random_delay: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as it is written: when, and the rest, which may begin with a user."""

    number: int
    when: str
    rest: str
    settings: Settings

    @property
    def at_boot(self) -> bool:
        """Whether it fires when the machine starts."""
        return self.when.lower() == "@reboot"

    @property
    def random(self) -> bool:
        """Whether cron draws its time when it reads the file."""
        return "~" in self.when


def entry_lines(text: str, faults: FaultList) -> Iterator[Line]:
    """The entries, each with the settings above it."""
    settings = Settings()
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if match := SETTING.fullmatch(line):
            settings = _set(settings, match[2], match[3].strip("\"' "))
            continue
        # SUSE's and cronie's mark for a job that is not to be logged.
        line = line.removeprefix("-")
        times = 1 if line.startswith("@") else 5
        parts = line.split(None, times)
        if len(parts) == times + 1 and parts[-1].startswith("*"):
            faults.add(f"{shown(line)} has more than five time fields", RIGHT, number)
        elif len(parts) == times + 1:
            yield Line(number, " ".join(parts[:-1]), parts[-1], settings)
        else:
            faults.add(f"{shown(line)} is no line of a crontab", RIGHT, number)


def has_users(path: Path, text: str, lines: list[Line]) -> tuple[bool, str]:
    """Whether there is a column of users, and how that was told."""
    if path.parent.name == "cron.d" or str(path) == "/etc/crontab":
        return True, "the sixth word is the user, by where the file lies"
    if spool_owner(path):
        return False, "a user's crontab, by where the file lies"
    if USER_COLUMN.search(text):
        return True, "the sixth word is the user, by the comment that names the columns"
    words = [line.rest.split(None, 1) for line in lines]
    firsts = {word[0] for word in words if len(word) == 2 and USER.fullmatch(word[0])}
    if all(len(word) == 2 and word[0] in firsts for word in words) and firsts & SYSTEM_USERS:
        return True, "the sixth word is the user, as it may be on every line (or: user-crontab)"
    return False, "a user's crontab, without a column of users (or: system-crontab)"


def spool_owner(path: Path) -> str | None:
    """Whose spool file it is."""
    above = path.parent
    spooled = above.name in SPOOL_FOLDERS or (above.name, above.parent.name) == ("cron", "spool")
    return printable(path.name) if spooled else None


def user_and_command(line: Line, with_users: bool, faults: FaultList) -> tuple[str | None, str]:
    """The user, where there is one, and the command, which ends at the first bare percent sign."""
    user, rest = None, line.rest
    if with_users:
        user, *more = rest.split(None, 1)
        rest = more[0] if more else ""
        if not USER.fullmatch(user) or not rest:
            faults.add(f"{shown(line.rest)} has no user before the command", RIGHT, line.number)
    command = re.split(r"(?<!\\)%", rest, maxsplit=1)[0].replace("\\%", "%")
    return user, command.strip() or rest


def _set(settings: Settings, name: str, value: str) -> Settings:
    return replace(settings, **{SETTINGS[name]: value}) if name in SETTINGS else settings
