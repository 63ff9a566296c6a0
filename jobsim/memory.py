"""Memory given back to the system between the steps of a run with many jobs."""

from __future__ import annotations

import ctypes
from contextlib import suppress

MANY = 50_000
"""Jobs from which on a run takes memory worth giving back at once."""


def give_memory_back(jobs: int) -> None:
    """Give back the room that is free again, before more is taken for a run with so many jobs.

    The C library keeps room that was freed amid other things; glibc can be asked for it.
    """
    if jobs >= MANY:
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
