"""Clear up after a process that could not do it itself.

    python watchdog.py PARENT FOLDER

Reads on its standard input, a line each, the process id of the server that now belongs to PARENT
(0 for none). When the input ends, or PARENT is no longer its parent, it kills that server, removes
FOLDER and ends. So the server goes away with its owner also when the owner is killed with SIGKILL,
which no handler in the owner could see to. Standard library only: it starts in a few milliseconds
under ``python -I -S``.
"""

import os
import select
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

ORPHAN_CHECK_S = 0.5
CLEAR_UP_S = 5.0


def last_server(parent: int) -> int:
    """Return the process id that was named last before the parent went away."""
    said = b"0\n"
    # A forked child of the parent may hold the pipe open, so that its end never comes:
    # hence the look at who our parent is.
    while os.getppid() == parent:
        if select.select([0], [], [], ORPHAN_CHECK_S)[0]:
            more = os.read(0, 4096)
            if not more:
                break
            said += more
    return int(said.splitlines()[-1])


def clear_up(server: int, folder: Path) -> None:
    """Kill the server, then remove the folder; a dying server may still write into it."""
    if server:
        with suppress(ProcessLookupError):
            os.kill(server, signal.SIGKILL)
    until_s = time.monotonic() + CLEAR_UP_S
    while folder.exists() and time.monotonic() < until_s:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.01)


if __name__ == "__main__":
    clear_up(last_server(int(sys.argv[1])), Path(sys.argv[2]))
