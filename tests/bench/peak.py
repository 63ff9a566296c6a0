"""The most memory that this process had."""

from __future__ import annotations

import re
import resource
from pathlib import Path


def peak_mb() -> float:
    """The peak resident set in MB.

    The kernel's ``VmHWM`` begins anew with the program; ``ru_maxrss``, taken where there is no such
    file, also counts what the process had that started it.
    """
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    kb = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kb / 1024
