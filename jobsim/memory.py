"""Memory given back to the system between the steps of a run with many jobs."""

from __future__ import annotations

import ctypes
from contextlib import suppress

MANY = 50_000
"""Jobs from which on a run takes memory worth giving back at once."""

APART_FROM = 1 << 20
"""So many bytes in one piece are asked of the system, and go back to it, by themselves."""

M_MMAP_THRESHOLD = -3
"""glibc's number of that setting, as its ``malloc.h`` has it."""


def give_memory_back(jobs: int) -> None:
    """Give back the room that is free again, before more is taken for a run with so many jobs.

    The C library keeps room that was freed amid other things; glibc can be asked for it. Left to
    itself it also learns to put ever larger arrays among small things, where those that grow leave
    holes: for a million jobs 50 MB of them.
    """
    if jobs >= MANY:
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(M_MMAP_THRESHOLD, APART_FROM)
            library.malloc_trim(0)
