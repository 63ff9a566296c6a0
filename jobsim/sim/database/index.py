"""An ordered index: entries sorted by key, each of them live or delete-marked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from itertools import islice
from typing import Any

from jobsim.effects import Table
from jobsim.sim.database.keys import SUPREMUM, Key, KeyShape
from jobsim.sim.database.locks import LockSpace
from jobsim.sim.database.runs import LIVE, Run


class Tree:
    """One index of one table, with the lock queues of its records.

    Parameters
    ----------
    table
        The table.
    columns
        Names of the index's columns without the trailing id; none for the clustered index.
    unique
        No two live entries agree in all columns (unless one is NULL).
    """

    def __init__(self, table: Table, columns: tuple[str, ...], unique: bool = False) -> None:
        self.shape = KeyShape(table, columns)
        self.name = ",".join((*columns, "id")) if columns else "PRIMARY"
        self.unique = unique
        self.runs: dict[Any, Run] = {}
        self.prefixes: list[Any] = []
        """Of the runs, in order."""
        self.space = LockSpace(self.name)
        self.fixed = self.shape.prefix_n == 0
        if self.fixed:
            self.run(())

    def run(self, prefix: Any) -> Run:
        """The run with these leading columns; made when there is none."""
        run = self.runs.get(prefix)
        if run is None:
            run = self.runs[prefix] = Run(prefix)
            insort(self.prefixes, prefix)
        return run

    def add(self, key: Key) -> bool:
        """Insert a live entry, or revive the same delete-marked one; then True."""
        prefix, rank, id_ = self.shape.split(key)
        return self.run(prefix).append(rank, id_)

    def mark(self, key: Key) -> None:
        prefix, rank, id_ = self.shape.split(key)
        self.runs[prefix].mark(rank, id_)

    def remove(self, key: Key) -> None:
        prefix, rank, id_ = self.shape.split(key)
        self.runs[prefix].remove(rank, id_)

    def state(self, key: Key) -> int | None:
        """None: no such entry; 0: live; 1: delete-marked."""
        prefix, rank, id_ = self.shape.split(key)
        run = self.runs.get(prefix)
        return None if run is None else run.state(rank, id_)

    def walk(self, low: Key, after: bool = False) -> Iterator[tuple[Key, int]]:
        """Entries from a key (or a beginning of one, or a bound after one) on: key, delete mark.

        ``after`` leaves out what begins with ``low``. The index must not change meanwhile.
        """
        low, after = self.shape.whole(low, after)
        number, inside = self._start(low, after)
        for prefix in self.prefixes[number:]:
            run = self.runs[prefix]
            place = run.locate(*self.shape.place(low, after)) if inside else (0, 0)
            inside = False
            yield from self._entries(run, *place)

    def _start(self, low: Key, after: bool) -> tuple[int, bool]:
        """Number of the first run to walk, and whether the walk begins inside it."""
        count, search = self.shape.prefix_n, bisect_right if after else bisect_left
        if len(low) > count:
            prefix = self.shape.prefix(low)
            number = bisect_left(self.prefixes, prefix)
            return number, number < len(self.prefixes) and self.prefixes[number] == prefix
        if not low:
            return 0, False
        if count == 1:
            return search(self.prefixes, low[0]), False
        return search(self.prefixes, low, key=lambda prefix: prefix[: len(low)]), False

    def _entries(self, run: Run, chunk_no: int, position: int) -> Iterator[tuple[Key, int]]:
        join, prefix = self.shape.join, run.prefix
        for chunk in run.chunks[chunk_no:]:
            for entry in islice(chunk, position, None):
                yield join(prefix, entry[0], entry[1]), len(entry) - LIVE
            position = 0

    def dead_stretch(self, low: Key, after: bool) -> tuple[Key, Key, int] | None:
        """The delete-marked entries at the beginning of a walk, up to the end of their run.

        First and last key and number; None when the walk begins with a live entry or at the end.
        """
        number, inside = self._start(low, after)
        if number == len(self.prefixes):
            return None
        run = self.runs[self.prefixes[number]]
        found = run.stretch(*(run.locate(*self.shape.place(low, after)) if inside else (0, 0)))
        if found is None:
            return None
        first, last, count = found
        join, prefix = self.shape.join, run.prefix
        return join(prefix, first[0], first[1]), join(prefix, last[0], last[1]), count

    def between(self, first: Key, end: Key) -> Iterator[Key]:
        """The keys from one on and before another, or a bound."""
        for key, _ in self.walk(first):
            if key >= end:
                return
            yield key

    def successor(self, key: Key) -> Key:
        """The first key above this one; the supremum after the last."""
        for found, _ in self.walk(key, after=True):
            return found
        return SUPREMUM

    def tidy(self) -> None:
        """Forget runs without entries."""
        for prefix in [p for p, run in self.runs.items() if not len(run.chunks[0])]:
            self.forget(prefix)

    def forget(self, prefix: Any) -> None:
        """Remove a run, which has no entries; the clustered index keeps its only one."""
        if not self.fixed:
            del self.runs[prefix]
            del self.prefixes[bisect_left(self.prefixes, prefix)]
