"""The text that is kept beside a log of the archive: its terms, and whom to acknowledge."""

from __future__ import annotations

import gzip
from itertools import takewhile
from pathlib import Path

from jobsim.joblog.archive import ARCHIVE_URL, ArchiveLog

HEADER_BYTES = 64 * 1024
"""Of a header no more is looked at."""

NO_HEADER = "(The file has none; the log's page says it.)\n"


def terms(log: ArchiveLog, path: Path, url: str, sha256: str) -> str:
    """The text of a log whose file is at `path` and came from `url`.

    Who recorded the log, who converted it and what to be careful with is in its own comment
    lines, which are taken as they are.
    """
    return f"""\
{log.stem}: a recorded log of jobs ({log.what})

Fetched from   {url}
Page           {log.page}
SHA-256        {sha256}

The log is the work of those who recorded, gave and converted it, and no part of jobsim. What it
may be used for, and whom to acknowledge, is said on its page and in its header below. Work that
uses it names the Parallel Workloads Archive ({ARCHIVE_URL})
as its source, and thanks those named here.

Its header:

{header(path) or NO_HEADER}"""


def header(path: Path) -> str:
    """The comment lines at the beginning of a packed SWF file."""
    with gzip.open(path) as file:
        lines = file.read(HEADER_BYTES).decode(errors="replace").splitlines()
    above = takewhile(lambda line: line.startswith(";") or not line.strip(), lines)
    return "".join(f"{line.rstrip()}\n" for line in above if line.strip())
