"""Whether a file is what sacct prints."""

from __future__ import annotations

import re

from jobsim.joblog.sacct.fields import (
    FIELDS,
    INSTANT,
    JOB_ID,
    NO_INSTANT,
    STATE,
)

DELIMITERS = "|\t,;^~"
"""What ``--delimiter`` is likely to be; the first is sacct's own."""

RULED = re.compile(r"-{3,}(?: +-{2,})+\s*")
"""The line below the header of columns of fixed width, which sacct prints without ``-P``."""

SAMPLE = 50


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is sacct's, with a header or without."""
    lines = first_lines(head)
    return bool(lines) and (
        header_delimiter(lines[0]) is not None or is_ruled(lines) or are_jobs(lines)
    )


def first_lines(head: bytes) -> list[str]:
    """Some lines that are not blank, without one that the end of `head` may have cut off."""
    whole = head[: head.rfind(b"\n")] if head.count(b"\n") > 1 else head
    texts = whole[: 64 * 1024].decode(errors="replace").splitlines()
    return [line for line in texts if line.strip()][:SAMPLE]


def header_delimiter(line: str) -> str | None:
    """What parts the fields, if this is a header of sacct's; else None.

    With another delimiter than sacct's own the header must name the job's id as sacct does, since
    any table may have columns ``User,Start,End,State``.
    """
    for delimiter in DELIMITERS:
        names = [name.strip().lower() for name in line.strip("\r\n").split(delimiter)]
        known = FIELDS.intersection(names)
        told_apart = delimiter == "|" or bool({"JobID", "JobIDRaw"} & set(line.split(delimiter)))
        if told_apart and len(known) >= 3 and len(known) > len(names) / 2:
            return delimiter
    return None


def is_ruled(lines: list[str]) -> bool:
    """Whether these are columns of fixed width, ruled off below a header."""
    names = {name.lower() for name in lines[0].split()}
    return len(lines) > 1 and len(names & FIELDS) >= 2 and RULED.fullmatch(lines[1]) is not None


def are_jobs(lines: list[str]) -> bool:
    """Whether most lines have a job's id, a state and two instants or more, parted by ``|``."""
    return sum(map(_is_job, lines)) > 0.8 * len(lines)


def _is_job(line: str) -> bool:
    cells = line.split("|")
    instants = [cell for cell in cells if re.fullmatch(f"{INSTANT}|{NO_INSTANT}", cell)]
    return (
        len(cells) >= 5
        and sum(map(bool, instants)) >= 2
        and any(re.fullmatch(INSTANT, cell) for cell in instants)
        and any(re.fullmatch(JOB_ID, cell) for cell in cells)
        and any(re.fullmatch(STATE, cell) for cell in cells)
    )
