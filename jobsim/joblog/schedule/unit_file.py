"""systemd unit files: one, or several with a heading each as ``systemctl cat`` prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jobsim.joblog.faultlist import FaultList, shown

HEADING = re.compile(r"# (?:/\S*/)?([^/\s]+\.(?:timer|service))(?:\.d/[^/]+\.conf)?")
SECTION = re.compile(r"\[([^\[\]]+)\]")
CAT = "systemctl cat '*.timer' prints the name of each above it, as # /etc/systemd/system/x.timer"
SETTING = re.compile(r"([A-Za-z][A-Za-z0-9]*)\s*=\s*(.*)")


@dataclass(frozen=True, slots=True)
class Setting:
    """One line ``key=value`` of a unit."""

    unit: str
    section: str
    key: str
    value: str
    line: int


def settings(text: str, unit: str, faults: FaultList) -> Iterator[Setting]:
    """The settings of a text, in order; `unit` is the one it is of until a heading says another.

    A drop-in (``x.timer.d/override.conf``) belongs to the unit that it changes.
    """
    section, sections = "", [""]
    for number, line in _joined(text):
        if line.startswith(("#", ";")):
            if heading := HEADING.fullmatch(line):
                unit, section, sections = heading[1], "", [""]
        elif match := SECTION.fullmatch(line):
            section = match[1]
            sections.append(section)
            if section == "Timer" and "Unit" in _since_first_timer(sections):
                faults.add("a second timer begins here, without a name", CAT, number)
        elif (match := SETTING.fullmatch(line)) and section:
            yield Setting(unit, section, match[1], match[2].strip(), number)
        elif line:
            right = "[Section], Key=value or a comment, as systemctl cat prints them"
            faults.add(f"{shown(line)} is no line of a unit file", right, number)


def _since_first_timer(sections: list[str]) -> list[str]:
    return sections[sections.index("Timer") :]


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Each line and its number, a line that ends in a backslash joined with the next."""
    begun: list[str] = []
    first = 1
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if begun and line.startswith(("#", ";")):
            continue
        first = first if begun else number
        begun.append(line.removesuffix("\\"))
        if not line.endswith("\\") or line.startswith(("#", ";")):
            yield first, " ".join(begun).strip()
            begun = []
    if begun:
        yield first, " ".join(begun).strip()
