"""``jobsim record run --append FILE -- COMMAND``: run it, then add its line to the file.

Whatever goes wrong with the file is said on stderr, and is nothing to the command: its exit status
is the wrapper's.
"""

from __future__ import annotations

import os
import sys
import time

from jobsim.record.run import Command, Ran, release

TYPE_CHECKING = False  # typing would be loaded for nothing
if TYPE_CHECKING:
    from collections.abc import Sequence


def wrap(
    argv: Sequence[str], path: str, kind: str | None = None, submitted: str | None = None
) -> int:
    """Run a command and add a line on it to a job log; returns its exit status.

    Parameters
    ----------
    kind
        What the log shall call it; default: the command's name.
    submitted
        When it was due: seconds since 1970, or ISO 8601 (local time where it names no zone).
        Without it the start stands for the submission, and the log has no start.
    """
    command = Command(argv)
    from jobsim.record.append import CannotAppendError, append  # while the command runs

    ran = command.wait()
    try:
        due_s = None if submitted is None else _due_s(submitted, ran.start_s)
        if mended := append(path, _cells(ran, kind or _name(argv), due_s)):
            _warn(mended)
    except CannotAppendError as error:
        _warn(f"{error}; this run is not recorded")
    finally:
        release()
    return ran.status


def _name(argv: Sequence[str]) -> str:
    return argv[0].rpartition("/")[2] or argv[0]


def _cells(ran: Ran, kind: str, due_s: float | None) -> dict[str, str]:
    how = f"signal{ran.signal}" if ran.signal else f"exit{ran.status}"
    at = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(ran.start_s))
    return {
        "job_id": f"{at}-{os.getpid()}-{how}",
        "kind": kind,
        "submit_s": f"{ran.start_s if due_s is None else due_s:.6f}",
        "start_s": "" if due_s is None else f"{ran.start_s:.6f}",
        "run_s": f"{ran.run_s:.6f}",
        "outcome": "failed" if ran.status else "completed",
        "owner": _owner(),
        "memory_mb": f"{ran.memory_mb:.1f}",
        "attempts": "1",
    }


def _owner() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _due_s(text: str, start_s: float) -> float | None:
    """When the command was due, if it can be: a job is not started before."""
    try:
        due_s = _instant_s(text)
    except (ValueError, OverflowError, OSError):
        _warn(f"--submitted {text} is no instant, as 2026-12-01T03:00:00 is; taken as unknown")
        return None
    if due_s > start_s:
        _warn(f"--submitted {text} is after the start; taken as unknown")
        return None
    return due_s


def _instant_s(text: str) -> float:
    if text.replace(".", "", 1).isdecimal():
        return float(text)
    from datetime import datetime

    return datetime.fromisoformat(text).timestamp()


def _warn(text: str) -> None:
    print(f"jobsim: {text}", file=sys.stderr, flush=True)
