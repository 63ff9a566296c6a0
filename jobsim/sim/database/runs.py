"""Runs: the entries of an index that agree in all leading columns, in order.

Within a run an entry is a pair of numbers, its rank (the index's last column, or the id) and its
id, and a third when it is delete-marked. Entries at rest are packed into arrays: 17 bytes each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from itertools import islice
from math import inf
from typing import Any, Final, TypeAlias

Entry: TypeAlias = "tuple[float, int] | tuple[float, int, int]"

CHUNK: Final = 512
LIVE: Final = 2
DEAD: Final = 3
"""Lengths of a live and of a delete-marked entry."""

ALL_LIVE: Final = bytes([LIVE]) * CHUNK
"""The lengths of a whole chunk's entries, as nearly always."""


class Chunk:
    """Neighbouring entries of a run.

    Attributes
    ----------
    entries
        ``(rank, id)``, and ``(rank, id, 1)`` when delete-marked; empty while packed.
    first
        No entry before this position is live.
    cold
        The rows of the entries, packed (clustered index only).
    """

    __slots__ = ("_packed", "cold", "entries", "first")

    def __init__(self, entries: list[Entry] | None = None) -> None:
        self.entries: list[Entry] = [] if entries is None else entries
        self.first = 0
        self.cold: bytes | None = None
        self._packed: tuple[Sequence[float], Sequence[int], bytes] | None = None
        """Ranks, ids and lengths of the entries."""

    def __len__(self) -> int:
        return len(self.entries) if self._packed is None else len(self._packed[1])

    def __iter__(self) -> Iterator[Entry]:
        if self._packed is None:
            return iter(self.entries)
        return (
            (rank, id_) if size == LIVE else (rank, id_, 1)
            for rank, id_, size in zip(*self._packed, strict=True)
        )

    def last(self) -> Entry:
        if self._packed is None:
            return self.entries[-1]
        return self._packed[0][-1], self._packed[1][-1]

    @property
    def packed(self) -> bool:
        return self._packed is not None

    def has_dead(self) -> bool:
        """Whether some entry is delete-marked."""
        if self._packed is None:
            return DEAD in map(len, self.entries)
        return DEAD in self._packed[2]

    def open(self) -> list[Entry]:
        """The entries, unpacked for good."""
        if self._packed is not None:
            self.entries = list(self)
            self._packed = None
        return self.entries

    def drop_dead(self, needed: Set[tuple[float, int]]) -> None:
        """Remove delete-marked entries but those needed."""
        if not self.has_dead():
            return
        self.open()
        start = 0 if needed else self.first
        self.entries = [e for e in self.entries[start:] if len(e) == LIVE or e[:2] in needed]
        self.first = 0

    def drop_all_dead(self) -> None:
        """Remove every delete-marked entry of a chunk that is not packed."""
        self.entries = [e for e in self.entries[self.first :] if len(e) == LIVE]
        self.first = 0

    def pack(self) -> None:
        """Keep the entries in arrays, which take a tenth of the memory.

        Consecutive ids that are their own ranks, the clustered index's, take none.
        """
        ranks, ids, *_ = zip(*self.entries, strict=False)
        sizes = bytes(map(len, self.entries))
        sizes = ALL_LIVE if sizes == ALL_LIVE else sizes
        following = range(ids[0], ids[0] + len(ids))
        if ranks == ids == tuple(following):
            self._packed = following, following, sizes
        else:
            self._packed = array("d", ranks), array("q", ids), sizes
        self.entries, self.first = [], 0

    def cut(self, size: int) -> Chunk:
        """Move what is beyond this size into a new chunk."""
        upper = Chunk(self.entries[size:])
        del self.entries[size:]
        self.first = min(self.first, size)
        return upper

    def pieces(self) -> Iterator[Chunk]:
        """The same entries in packed chunks of the usual size; the last is larger, and open.

        Entries come nearly in order: the few that come late must not open a packed chunk again.
        """
        start = 0
        while len(self.entries) - start >= 2 * CHUNK:
            piece = Chunk(self.entries[start : start + CHUNK])
            piece.pack()
            yield piece
            start += CHUNK
        yield Chunk(self.entries[start:])


def _last(chunk: Chunk) -> tuple[float, int]:
    return chunk.last()[:2]


class Run:
    """The entries that agree in all leading columns, in order.

    Attributes
    ----------
    chunks
        Never empty; only a sole chunk may have no entries. The last one may grow beyond ``CHUNK``
        until `settle`.
    deads
        How many entries are delete-marked.
    head
        No chunk before this one has a live entry.
    top
        No rank is higher. The last chunk is never packed.
    """

    __slots__ = ("chunks", "deads", "head", "prefix", "top")

    def __init__(self, prefix: Any) -> None:
        self.prefix = prefix
        self.chunks = [Chunk()]
        self.deads = 0
        self.head = 0
        self.top = -inf

    def locate(self, rank: float, id_: int) -> tuple[int, int]:
        """Number of the chunk and position in it of the first entry not below this one."""
        chunks = self.chunks
        number = len(chunks) - 1
        tail = chunks[-1].entries
        if number and not (tail and tail[0] < (rank, id_)):
            number = min(bisect_left(chunks, (rank, id_), key=_last), len(chunks) - 1)
        return number, bisect_left(chunks[number].open(), (rank, id_))

    def find(self, rank: float, id_: int) -> tuple[Chunk, int]:
        """The entry's place. KeyError when there is none."""
        number, at = self.locate(rank, id_)
        chunk = self.chunks[number]
        if at == len(chunk.entries) or chunk.entries[at][:2] != (rank, id_):
            raise KeyError((self.prefix, rank, id_))
        return chunk, at

    def state(self, rank: float, id_: int) -> int | None:
        """None: no such entry; 0: live; 1: delete-marked."""
        try:
            chunk, at = self.find(rank, id_)
        except KeyError:
            return None
        return len(chunk.entries[at]) - LIVE

    def add(self, rank: float, id_: int) -> bool:
        """Insert a live entry, or revive the same delete-marked one; then True."""
        number, at = self.locate(rank, id_)
        chunk = self.chunks[number]
        self.head = min(self.head, number)
        chunk.first = min(chunk.first, at)
        entries = chunk.entries
        if at < len(entries) and entries[at][:2] == (rank, id_):
            self.deads -= len(entries[at]) - LIVE
            entries[at] = (rank, id_)
            return True
        entries.insert(at, (rank, id_))
        if len(entries) > 2 * CHUNK and number < len(self.chunks) - 1:
            self.chunks.insert(number + 1, chunk.cut(CHUNK))
        self.top = max(self.top, rank)
        return False

    def append(self, rank: float, id_: int) -> bool:
        """As `add`; quick when it is the highest."""
        if self.top < rank:
            self.top = rank
            self.chunks[-1].entries.append((rank, id_))
            return False
        tail = self.chunks[-1].entries
        if self.top == rank and tail and tail[-1] < (rank, id_):
            tail.append((rank, id_))
            return False
        return self.add(rank, id_)

    def mark(self, rank: float, id_: int) -> None:
        """Delete-mark a live entry."""
        chunk, at = self.find(rank, id_)
        chunk.entries[at] = (rank, id_, 1)
        self.deads += 1

    def remove(self, rank: float, id_: int) -> None:
        number, at = self.locate(rank, id_)
        chunk = self.chunks[number]
        self.deads -= len(chunk.entries[at]) - LIVE
        del chunk.entries[at]
        chunk.first -= at < chunk.first
        if not chunk.entries and len(self.chunks) > 1:
            del self.chunks[number]
            self.head -= number < self.head or self.head == len(self.chunks)
        self._measure()

    def first_live(self) -> tuple[Chunk, int] | None:
        """The place of the first live entry."""
        while True:
            chunk = self.chunks[self.head]
            entries = chunk.open()
            at = chunk.first
            while at < len(entries) and len(entries[at]) == DEAD:
                at += 1
            chunk.first = at
            if at < len(entries):
                return chunk, at
            if self.head == len(self.chunks) - 1:
                return None
            self.head += 1

    def stretch(self, number: int, begin: int) -> tuple[Entry, Entry, int] | None:
        """Delete-marked entries from a place (chunk, position) to the first live one.

        First, last and number.
        """
        count, first, last = 0, None, None
        for chunk in self.chunks[number:]:
            entries = chunk.open()
            at = max(begin, chunk.first)
            while at < len(entries) and len(entries[at]) == DEAD:
                at += 1
            if at > begin:
                count += at - begin
                first, last = first or entries[begin], entries[at - 1]
            if at < len(entries):
                break
            begin = 0
        return None if first is None or last is None else (first, last, count)

    def from_first_live(self) -> Iterator[Entry]:
        """Entries from the first live one on."""
        if self.first_live() is not None:
            at = self.chunks[self.head].first
            for number in range(self.head, len(self.chunks)):
                yield from islice(self.chunks[number], at, None)
                at = 0

    def skipped(self) -> int:
        """How many delete-marked entries stand before the first live one, as last seen."""
        return self.chunks[self.head].first + sum(map(len, self.chunks[: self.head]))

    def __len__(self) -> int:
        return sum(map(len, self.chunks))

    def settle(self, needed: Set[tuple[float, int]]) -> int:
        """Remove delete-marked entries but those needed; pack what has come to rest.

        Returns the number removed.
        """
        before = self.deads
        if len(self.chunks) == 1 and before and not needed:
            self.chunks[0].drop_all_dead()
            self.deads = 0
        elif before > len(needed):
            for chunk in self.chunks:
                chunk.drop_dead(needed)
            self.chunks = [chunk for chunk in self.chunks if len(chunk)] or [Chunk()]
            self.head = 0
            self.deads = len(needed)
        if len(self.chunks[-1].entries) > 2 * CHUNK:
            self.chunks += self.chunks.pop().pieces()
        self._measure()
        return before - self.deads

    def _measure(self) -> None:
        tail = self.chunks[-1]
        self.top = tail.last()[0] if len(tail) else -inf
        tail.open()
