"""Add one line to a job log that several crons write at once.

The file is jobsim's own CSV. Whoever adds a line holds a lock on it, and adds it with one write;
a file that was cut off in its last line, by a full disk or a power cut, is mended first.
"""

from __future__ import annotations

import fcntl
import os
import time

TYPE_CHECKING = False  # typing would be loaded for nothing
if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = "# jobsim job log "
ORIGIN = "1970-01-01T00:00:00+00:00"
COLUMNS = (
    "job_id",
    "kind",
    "submit_s",
    "start_s",
    "run_s",
    "outcome",
    "owner",
    "memory_mb",
    "attempts",
)
HEADER = ",".join(COLUMNS)

LOCK_S = 10.0
"""Nobody holds the lock for longer than a write takes; whoever does is not waited for."""
ASK_AGAIN_S = 0.005
LONGEST_LINE = 1 << 16


class CannotAppendError(Exception):
    """The line was not added, and why; the file is as it was."""


def append(path: str, cells: Mapping[str, str]) -> str:
    """Add a job to the file, which is begun if there is none.

    Parameters
    ----------
    cells
        By the name of their column; what is not given is left empty.

    Returns
    -------
    str
        What had to be mended, for people; mostly empty.

    Raises
    ------
    CannotAppendError
        The file cannot be written, or was not begun by `append`.
    """
    line = ",".join(_quoted(cells.get(name, "")) for name in COLUMNS) + "\n"
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            _lock(file, path)
            return _add(file, path, line)
        finally:
            os.close(file)
    except OSError as error:
        raise CannotAppendError(f"{path}: cannot be written: {error.strerror}") from None


def _quoted(cell: str) -> str:
    """A cell as CSV; what is not printable text would not be read again."""
    text = "".join(c if c.isprintable() and not "\ud800" <= c <= "\udfff" else "?" for c in cell)
    text = text.strip()
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in '",') else text


def _lock(file: int, path: str) -> None:
    until_s = time.monotonic() + LOCK_S
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until_s:
                raise CannotAppendError(
                    f"{path}: somebody has locked it for {LOCK_S:g} s"
                ) from None
            time.sleep(ASK_AGAIN_S)


def _add(file: int, path: str, line: str) -> str:
    size = os.fstat(file).st_size
    begun, said = _begun(file, path) if size else (False, "")
    if begun:
        gap, said = _mend(file, size)
        line = gap + line
    else:
        os.ftruncate(file, 0)
        line = _beginning(path) + line
    size, data = os.fstat(file).st_size, line.encode()
    if os.write(file, data) != len(data):
        os.ftruncate(file, size)
        raise CannotAppendError(f"{path}: no room for one line more")
    return said and f"{path}: {said}"


def _begun(file: int, path: str) -> tuple[bool, str]:
    """Whether it has the two lines that we begin with; CannotAppendError if it has others."""
    head = os.pread(file, LONGEST_LINE, 0).decode(errors="replace")
    mark, *after = head.split("\n", 2)
    if len(after) < 2 and f"{head}\n".startswith((MARK, f"{MARK[: len(head)]}\n")):
        return False, "its first lines were cut off, and are written anew"
    if not mark.startswith(MARK) or ORIGIN not in mark or after[:1] != [HEADER]:
        raise CannotAppendError(
            f"{path}: was not begun by jobsim record run --append; name a file that does not exist"
        )
    return True, ""


def _mend(file: int, size: int) -> tuple[str, str]:
    """What must stand before a new line; a last line that was cut off is dropped, and said."""
    last = os.pread(file, LONGEST_LINE, max(0, size - LONGEST_LINE)).rpartition(b"\n")[2]
    if not last:
        return "", ""
    cells = last.decode(errors="replace").rsplit(",", len(COLUMNS) - 1)
    if len(cells) == len(COLUMNS) and all(cells):
        return "\n", "its last line had no end, and has one now"
    os.ftruncate(file, size - len(last))
    return "", f"its last line was cut off ({last[:60]!r}), and is dropped"


def _beginning(path: str) -> str:
    import json  # slow to load, and needed once in the life of a file

    name = path.rpartition("/")[2].removesuffix(".csv") or "recorded"
    about = {"version": 1, "name": name, "origin": ORIGIN, "workers": None, "notes": []}
    return f"{MARK}{json.dumps(about)}\n{HEADER}\n"
