"""An ordered index: entries sorted by key, each of them live or delete-marked.

A key is a flat tuple: the index's columns, then the row's id. The clustered index has the id alone.
Entries whose leading columns agree form a *run*; within a run an entry is a pair of numbers, its
rank (the last column, or the id) and its id. At rest they are kept in arrays: 17 bytes an entry.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Set
from itertools import islice
from math import inf
from typing import Any, Final, TypeAlias

from jobsim.effects import Table
from jobsim.sim.database.keys import SUPREMUM, Key
from jobsim.sim.database.locks import LockSpace

Row: TypeAlias = "tuple[Any, ...]"
Entry: TypeAlias = "tuple[float, int] | tuple[float, int, int]"

CHUNK: Final = 512
LIVE: Final = 2
DEAD: Final = 3
"""Lengths of a live and of a delete-marked entry."""
LOWEST_ID: Final = -(2**63)
HIGHEST_ID: Final = 2**63 - 1
LIVE_MASK: Final = bytes([1, 0, 1]) + bytes(253)
"""Turns delete marks into a selector of what stays; 2 is a mark that a sweep must respect."""


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
        self._packed: tuple[array[float], array[int], bytearray] | None = None
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

    def pack(self) -> None:
        """Keep the entries in arrays, which take a tenth of the memory."""
        ranks, ids, *_ = zip(*self.entries, strict=False)
        sizes = bytearray(map(len, self.entries))
        self._packed, self.entries, self.first = (array("d", ranks), array("q", ids), sizes), [], 0

    def cut(self, size: int) -> Chunk:
        """Move what is beyond this size into a new chunk."""
        upper = Chunk(self.entries[size:])
        del self.entries[size:]
        self.first = min(self.first, size)
        return upper

    def pieces(self) -> Iterator[Chunk]:
        """The same entries in chunks of the usual size, packed but for the last."""
        count = len(self.entries)
        for start in range(0, count, CHUNK):
            piece = Chunk(self.entries[start : start + CHUNK])
            if start + CHUNK < count:
                piece.pack()
            yield piece


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
        number = 0
        if len(chunks) > 1:
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
        self._measure()
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
        if before > len(needed):
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
        if not self.fixed:
            for prefix in [p for p, run in self.runs.items() if not len(run.chunks[0])]:
                del self.runs[prefix]
                del self.prefixes[bisect_left(self.prefixes, prefix)]


class KeyShape:
    """How a row's columns make its key in one index.

    The leading columns up to the last text (but at least all but the last column) select the run.
    """

    def __init__(self, table: Table, columns: tuple[str, ...]) -> None:
        names = [column.name for column in table.columns]
        self.columns = columns
        self.width = len(names)
        self.places = tuple(names.index(name) for name in columns)
        kinds = [table.columns[place] for place in self.places]
        self.nullable = [place for place in self.places if table.columns[place].nullable]
        texts = [n for n, column in enumerate(kinds) if column.kind == "text"]
        self.prefix_n = max([len(columns) - 1, *(n + 1 for n in texts)]) if columns else 0
        self.ranked = len(columns) > self.prefix_n
        parts = [_encoded(place, kinds[n]) for n, place in enumerate(self.places)]
        self.prefix_source = _prefix_source(parts[: self.prefix_n])
        self.rank_source = parts[-1] if self.ranked else "row[0]"
        self.key_source = f"({', '.join([*parts, 'row[0]'])},)"
        self.key: Callable[[Row], Key] = eval(f"lambda row: {self.key_source}")
        self.entry: Callable[[Row], tuple[Any, float]] = eval(
            f"lambda row: ({self.prefix_source}, {self.rank_source})"
        )
        """Prefix and rank of a row."""

    def __deepcopy__(self, memo: dict[int, Any]) -> KeyShape:
        return self

    def prefix(self, key: Key) -> Any:
        """What selects the run."""
        return key[0] if self.prefix_n == 1 else key[: self.prefix_n]

    def split(self, key: Key) -> tuple[Any, float, int]:
        """Prefix, rank and id of a whole key."""
        return self.prefix(key), key[-2] if self.ranked else key[-1], key[-1]

    def join(self, prefix: Any, rank: float, id_: int) -> Key:
        """The key of an entry."""
        if self.prefix_n == 1:
            return (prefix, rank, id_) if self.ranked else (prefix, id_)
        return (*prefix, rank, id_) if self.ranked else (*prefix, id_)

    def row(self, key: Key) -> Row:
        """A row as far as the index knows it; None elsewhere."""
        cells: list[Any] = [None] * self.width
        cells[0] = key[-1]
        for place, part in zip(self.places, key, strict=False):
            cells[place] = part
        for place in self.nullable:
            part = cells[place]
            cells[place] = None if part in (-inf, "") else "" if part == "\0" else part
        return tuple(cells)

    def whole(self, low: Key, after: bool) -> tuple[Key, bool]:
        """A bound just after a key as that key, to be left out."""
        return (low, after) if len(low) <= len(self.places) + 1 else (low[:-1], True)

    def place(self, low: Key, after: bool) -> tuple[float, int]:
        """Rank and id at which a walk from ``low``, longer than the prefix, begins in its run."""
        rank = low[self.prefix_n]
        if not self.ranked:
            return rank, rank + after
        if len(low) == self.prefix_n + 2:
            return rank, low[-1] + after
        return rank, HIGHEST_ID if after else LOWEST_ID


def _encoded(place: int, column: Any) -> str:
    """Source of a column's part of a key: NULL sorts first."""
    if not column.nullable and column.kind != "text":
        return f"row[{place}]"
    if column.kind != "text":
        return f"(float('-inf') if row[{place}] is None else row[{place}])"
    if column.nullable:
        return f"('' if row[{place}] is None else row[{place}] or '\\0')"
    return f"row[{place}]"


def _prefix_source(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({''.join(part + ',' for part in parts)})"
