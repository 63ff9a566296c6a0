"""A list of commands as people write it: one a line, as for a shell."""

from __future__ import annotations

import shlex
from pathlib import Path

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import FaultList, refuse, shown
from jobsim.joblog.files import read_text_bytes
from jobsim.record.commands import Job
from jobsim.units import parse_duration_s

SHELL = "/bin/sh"


def read_commands(path: Path, kind: str | None = None) -> list[Job]:
    """The commands of a file, by when they are to be submitted.

    A line is a command for ``/bin/sh``. Blank lines and those that begin with ``#`` are passed
    over; ``@90s COMMAND`` is submitted 90 s after the beginning, any other at the beginning.

    Parameters
    ----------
    kind
        What the log calls them all; default: the name of each line's first command.

    Raises
    ------
    UsageError
        There is no such file.
    LogError
        Lists the lines that are no commands.
    """
    if not path.exists():
        raise UsageError(f"--file {path}: no such file")
    try:
        lines = read_text_bytes(path).decode().splitlines()
    except UnicodeDecodeError:
        refuse(str(path), "this is not UTF-8 text", "a command a line")
    faults = FaultList(str(path))
    jobs = [
        job
        for number, line in enumerate(lines, 1)
        if (text := line.strip()) and not text.startswith("#")
        for job in _job(text, kind, number, faults)
    ]
    faults.raise_if_any()
    if not jobs:
        refuse(str(path), "there is no command in it", "a command a line")
    return sorted(jobs, key=lambda job: job.submit_s)


def _job(text: str, kind: str | None, line: int, faults: FaultList) -> list[Job]:
    """The job of a line; none, and a fault, if it is no command."""
    submit_s = 0.0
    if text.startswith("@"):
        offset, _, text = text[1:].partition(" ")
        try:
            submit_s = parse_duration_s(offset)
        except UsageError as error:
            faults.add(str(error), "@90s COMMAND is submitted 90 s after the beginning", line)
            return []
    try:
        words = shlex.split(text, comments=True)
    except ValueError as error:
        faults.add(f"{shown(text)}: {error}", "a command as for a shell, quotes in pairs", line)
        return []
    if not words:
        faults.add("there is no command in it", "a command", line)
        return []
    return [Job((SHELL, "-c", text), submit_s, kind or _name(words))]


def _name(words: list[str]) -> str:
    """The name of the first command, behind what is set for it (``A=1 php x.php``)."""
    command = next((word for word in words if not _sets(word)), words[0])
    name = command.rpartition("/")[2].strip()
    return "".join(letter if letter.isprintable() else "?" for letter in name) or "command"


def _sets(word: str) -> bool:
    variable, sign, _ = word.partition("=")
    return bool(sign) and variable.isidentifier()
