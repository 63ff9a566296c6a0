"""Start commands for a worker, one at a time, and measure each of them.

    python launcher.py

Reads a JSON list of words a line, runs it, and writes a JSON object a line: ``status`` (negative:
the signal that ended it), ``memory_mb`` (peak resident, by the kernel) and ``cpu_s``. It is a small
process of its own because the kernel counts, as a command's peak, also that of the process which it
was forked from: no peak is below that of this one, about 9 MB. Standard library only, and ends with
its standard input.
"""

import ctypes
import json
import os
import signal
import sys

RSS_UNIT = 1 if sys.platform == "darwin" else 1024
PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Have the kernel end this process with its parent, where it is Linux."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run(argv: list[str]) -> dict[str, float]:
    """Run one command to its end."""
    pid = os.fork()
    if not pid:
        die_with_parent()
        become(argv)
    _, status, used = os.wait4(pid, 0)
    return {
        "status": os.waitstatus_to_exitcode(status),
        "memory_mb": used.ru_maxrss * RSS_UNIT / 2**20,
        "cpu_s": used.ru_utime + used.ru_stime,
    }


def become(argv: list[str]) -> None:
    """Be that command from now on; 127 where there is none, as in a shell."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    try:
        os.execvp(argv[0], argv)
    except OSError:
        os._exit(127)


if __name__ == "__main__":
    die_with_parent()
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
