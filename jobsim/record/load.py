"""What a watch cost the server that it watched."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jobsim.words import counted


@dataclass
class Load:
    """Looks, statements and rows so far, and the time that they took.

    Attributes
    ----------
    statement_s
        From sending each statement to having its last row, as seen from here: what the server
        spent on it is less. ``last_s`` and ``longest_s`` are those of single statements; the
        longest is mostly the first, which reads the whole table.
    wall_s
        How long the watch has lasted.
    examined
        Rows that the server looked at for it, by its own count; None where it does not say.
    """

    looks: int = 0
    statements: int = 0
    rows: int = 0
    statement_s: float = 0.0
    last_s: float = 0.0
    longest_s: float = 0.0
    wall_s: float = 0.0
    examined: int | None = None

    @property
    def share(self) -> float:
        """Of the time of one session on the server."""
        return self.statement_s / self.wall_s if self.wall_s else 0.0

    @contextmanager
    def statement(self) -> Iterator[None]:
        """Count one statement."""
        began_s = time.monotonic()
        try:
            yield
        finally:
            self.last_s = time.monotonic() - began_s
            self.statements += 1
            self.statement_s += self.last_s
            self.longest_s = max(self.longest_s, self.last_s)

    def __str__(self) -> str:
        examined = "" if self.examined is None else f" ({self.examined:,} examined by the server)"
        return (
            f"{counted(self.statements, 'statement')} in {counted(self.looks, 'look')},"
            f" {counted(self.rows, 'row')} read"
            f"{examined}, {self.statement_s:.3g} s of statements in {self.wall_s:.0f} s"
            f" ({self.share:.2%} of one session), the longest {self.longest_s * 1000:.3g} ms"
        )
