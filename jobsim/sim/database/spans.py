"""Stretches of an index that one transaction each has locked as a whole."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Generic, TypeAlias, TypeVar

from jobsim.sim.database.keys import Key

Owner = TypeVar("Owner")
Piece: TypeAlias = "tuple[Key, Key, Owner | None]"


def just_after(key: Key) -> Key:
    """A bound above this key and below every other key above it."""
    return (*key, 0)


class Spans(Generic[Owner]):
    """Disjoint half-open stretches of keys in order, each with an owner."""

    __slots__ = ("_ends", "_firsts", "_owners")

    def __init__(self) -> None:
        self._firsts: list[Key] = []
        self._ends: list[Key] = []
        self._owners: list[Owner] = []

    def __len__(self) -> int:
        return len(self._owners)

    def __iter__(self) -> Iterator[tuple[Key, Key, Owner]]:
        return zip(self._firsts, self._ends, self._owners, strict=True)

    def at(self, key: Key) -> Owner | None:
        """The owner of the stretch that a key is in."""
        at = bisect_right(self._firsts, key) - 1
        return self._owners[at] if at >= 0 and key < self._ends[at] else None

    def pieces(self, first: Key, end: Key) -> list[Piece[Owner]]:
        """A stretch cut into owned and free pieces, in order."""
        found: list[Piece[Owner]] = []
        at = max(0, bisect_right(self._firsts, first) - 1)
        while first < end:
            if at == len(self._owners) or self._firsts[at] >= end:
                found.append((first, end, None))
                break
            if self._ends[at] > first:
                if first < self._firsts[at]:
                    found.append((first, self._firsts[at], None))
                    first = self._firsts[at]
                stop = min(end, self._ends[at])
                found.append((first, stop, self._owners[at]))
                first = stop
            at += 1
        return found

    def take(self, owner: Owner, first: Key, end: Key) -> None:
        """Give a free stretch to an owner; it grows together with the owner's next to it."""
        at = bisect_left(self._firsts, first)
        if at < len(self._owners) and self._firsts[at] == end and self._owners[at] is owner:
            end = self._ends[at]
            self._delete(at)
        if at and self._ends[at - 1] == first and self._owners[at - 1] is owner:
            self._ends[at - 1] = end
            return
        self._firsts.insert(at, first)
        self._ends.insert(at, end)
        self._owners.insert(at, owner)

    def release(self, owner: Owner) -> list[tuple[Key, Key]]:
        """Free all of an owner's stretches; what they were."""
        mine = [at for at, other in enumerate(self._owners) if other is owner]
        freed = [(self._firsts[at], self._ends[at]) for at in mine]
        for at in reversed(mine):
            self._delete(at)
        return freed

    def _delete(self, at: int) -> None:
        del self._firsts[at], self._ends[at], self._owners[at]
