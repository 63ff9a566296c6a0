"""Counting how often a step was come to: by one process, or by many together."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path


class Tally:
    """Counts of one process."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def next(self, what: int) -> int:
        """Count once more: the how-manieth time this is, from 1."""
        self._counts[what] += 1
        return self._counts[what]


class SharedTally(Tally):
    """Counts of several processes together, which may be killed at any moment.

    Each counts by appending one byte to a file; where the byte came to lie is the count.
    """

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__()
        self._folder = folder
        self._name = name

    def next(self, what: int) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        file = os.open(self._folder / f"{self._name}-{what}.count", flags, 0o600)
        try:
            os.write(file, b".")
            return os.lseek(file, 0, os.SEEK_CUR)
        finally:
            os.close(file)
