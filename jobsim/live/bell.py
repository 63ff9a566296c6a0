"""Waking idle workers when a row comes to fit what they look for."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass

from jobsim.effects import Compare, Predicate, Table, Update
from jobsim.effects.predicate import comparisons


@dataclass(frozen=True)
class Bells:
    """One bell a worker, which any process of the run can ring.

    Attributes
    ----------
    table, until
        The rows that the workers look for.
    ends
        Both ends of each worker's pipe.
    """

    table: Table
    until: Predicate
    ends: dict[int, tuple[int, int]]

    @classmethod
    def hang(cls, table: Table, until: Predicate, workers: int) -> Bells:
        """Make a bell for each worker; the processes forked afterwards have them too."""
        ends = {worker: os.pipe() for worker in range(workers)}
        for pair in ends.values():
            for end in pair:
                os.set_blocking(end, False)
        return cls(table, until, ends)

    def ring(self) -> None:
        """Wake everybody who waits, as a server's NOTIFY does."""
        for _, end in self.ends.values():
            with suppress(BlockingIOError):  # full of earlier rings: it will wake anyhow
                os.write(end, b"!")

    def wake(self, worker: int) -> int:
        """What becomes readable when the worker's bell rings."""
        return self.ends[worker][0]

    def silence(self, worker: int) -> None:
        """Forget the rings so far: a look that begins now sees what they told of."""
        with suppress(BlockingIOError):
            os.read(self.wake(worker), 1 << 16)

    def rings_for(self, update: Update) -> bool:
        """Whether such an update may make a row fit."""
        if update.table.name != self.table.name:
            return False
        changes = dict(update.changes)
        touched = [c for c in comparisons(self.until) if c.column in changes]
        return bool(touched) and all(_may_hold(c, changes[c.column]) for c in touched)

    def close(self) -> None:
        for pair in self.ends.values():
            for end in pair:
                os.close(end)


def _may_hold(compare: Compare, value: object) -> bool:
    if compare.operator == "is null":
        return value is None
    both_constant = isinstance(value, str) and isinstance(compare.value, str)
    return compare.operator != "=" or not both_constant or value == compare.value
