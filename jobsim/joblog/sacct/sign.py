"""Whether a file is what sacct prints."""

from __future__ import annotations

import re

from jobsim.joblog.files import HEAD_BYTES
from jobsim.joblog.sacct.fields import (
    FIELDS,
    INSTANT,
    JOB_ID,
    NO_INSTANT,
    STATE,
)
from jobsim.joblog.sacct.ruled import RULER

SAMPLE = 50

AFTER_NAME = re.compile(r"[A-Za-z]+([^\w\s]+|\t)")
AFTER_INSTANT = re.compile(rf"{INSTANT}([^\w\s.:+-]|\t)")
"""What ``--delimiter`` is may be any text; it follows the first name of a header, and instants.

Of what follows an instant the first sign is taken, since the cell behind it may be empty.
"""

JSON_SIGNS = (re.compile(rb'"jobs"\s*:\s*\['), re.compile(rb'"(?:submission|job_state)"\s*:'))


def looks_like(head: bytes) -> bool:
    """Whether a file that begins like this is sacct's, with a header or without, or as JSON."""
    lines = first_lines(head)
    return is_json(head) or (
        bool(lines)
        and (
            header_delimiter(lines[0]) is not None
            or is_fixed(lines)
            or row_delimiter(lines) is not None
        )
    )


def is_json(head: bytes) -> bool:
    """Whether a file that begins like this has Slurm's jobs as JSON."""
    return head.lstrip().startswith(b"{") and all(sign.search(head) for sign in JSON_SIGNS)


def first_lines(head: bytes) -> list[str]:
    """Some lines that are not blank, without one that the end of `head` may have cut off."""
    head = head[:HEAD_BYTES]
    whole = head[: head.rfind(b"\n")] if head.count(b"\n") > 1 else head
    texts = whole.decode(errors="replace").splitlines()
    return [line for line in texts if line.strip()][:SAMPLE]


def header_delimiter(line: str) -> str | None:
    """What parts the fields, if this is a header of sacct's; else None."""
    found = AFTER_NAME.match(line.strip())
    if found is None or not _are_fields(line.strip("\r\n").split(found[1]), found[1] == "|"):
        return None
    return found[1]


def is_fixed(lines: list[str]) -> bool:
    """Whether these are columns of fixed width below a header."""
    names = lines[0].split()
    ruled = len(lines) > 1 and RULER.fullmatch(lines[1].encode()) is not None
    return "\t" not in lines[0] and _are_fields(names, ruled)


def row_delimiter(lines: list[str]) -> str | None:
    """What parts the cells, if most lines are jobs of sacct's and the first is no header."""
    found = next((match[1] for match in map(AFTER_INSTANT.search, lines) if match), "|")
    are_jobs = [_is_job(line.split(found)) for line in lines]
    sure = sum(are_jobs) > 0.8 * len(lines) and (found == "|" or are_jobs[0])
    return found if sure else None


def _are_fields(names: list[str], plain: bool) -> bool:
    """Whether these are names of fields of sacct's.

    Unless something else says so (`plain`) the job's id must be among them, written as sacct does,
    since any table may have columns ``User,Start,End,State``.
    """
    known = FIELDS.intersection(name.strip().lower() for name in names)
    sure = plain or bool({"JobID", "JobIDRaw"} & set(names))
    return sure and len(known) >= 3 and len(known) > len(names) / 2


def _is_job(cells: list[str]) -> bool:
    """Whether these have a job's id, a state and two instants or more."""
    instants = [cell for cell in cells if re.fullmatch(f"{INSTANT}|{NO_INSTANT}", cell)]
    return (
        len(cells) >= 5
        and sum(map(bool, instants)) >= 2
        and any(re.fullmatch(INSTANT, cell) for cell in instants)
        and any(re.fullmatch(JOB_ID, cell) for cell in cells)
        and any(re.fullmatch(STATE, cell) for cell in cells)
    )
