"""An ordered index: entries sorted by key, each of them live or delete-marked.

A key is a flat tuple: the index's columns, then the row's id. The clustered index has the id alone.
Entries whose leading columns agree form a *run*; within a run an entry is a pair of numbers, its
rank (the last column, or the id) and its id, kept in arrays: a million entries take 17 bytes each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from itertools import compress
from typing import Any, Final, TypeAlias

from jobsim.effects import Table
from jobsim.sim.database.locks import SUPREMUM, Key, LockSpace

Row: TypeAlias = "tuple[Any, ...]"

CHUNK: Final = 512
LOWEST_ID: Final = -(2**63)
HIGHEST_ID: Final = 2**63 - 1
LIVE_MASK: Final = bytes([1, 0, 1]) + bytes(253)
"""Turns delete marks into a selector of what stays; 2 is a mark that a sweep must respect."""


class Chunk:
    """Up to ``CHUNK`` neighbouring entries of a run, column by column."""

    __slots__ = ("cold", "dead", "first", "ids", "ranks")

    def __init__(self) -> None:
        self.ranks = array("d")
        self.ids = array("q")
        self.dead = bytearray()
        self.first = 0
        """No entry before this position is live."""
        self.cold: bytes | None = None
        """The rows of the entries, packed (clustered index only)."""

    def last(self) -> tuple[float, int]:
        return self.ranks[-1], self.ids[-1]

    def position(self, rank: float, id_: int) -> int:
        """Where the entry is, or would be."""
        ranks = self.ranks
        low = bisect_left(ranks, rank)
        if low == len(ranks) or ranks[low] != rank:
            return low
        return bisect_left(self.ids, id_, low, bisect_right(ranks, rank, low))

    def insert(self, at: int, rank: float, id_: int, dead: int) -> None:
        self.ranks.insert(at, rank)
        self.ids.insert(at, id_)
        self.dead.insert(at, dead)
        if at < self.first:
            self.first = at

    def remove(self, at: int) -> None:
        del self.ranks[at], self.ids[at], self.dead[at]
        if at < self.first:
            self.first -= 1

    def split(self) -> Chunk:
        """Move the upper half into a new chunk."""
        upper, half = Chunk(), len(self.ids) // 2
        upper.ranks, upper.ids, upper.dead = self.ranks[half:], self.ids[half:], self.dead[half:]
        del self.ranks[half:], self.ids[half:], self.dead[half:]
        self.first = min(self.first, half)
        return upper

    def keep(self, stays: bytes | bytearray) -> None:
        """Drop every entry whose selector byte is 0."""
        self.ranks = array("d", compress(self.ranks, stays))
        self.ids = array("q", compress(self.ids, stays))
        self.dead = bytearray(compress(self.dead, stays))
        self.first = 0


class Run:
    """The entries that agree in all leading columns, in order."""

    __slots__ = ("chunks", "deads", "prefix")

    def __init__(self, prefix: Any) -> None:
        self.prefix = prefix
        self.chunks = [Chunk()]
        """Never empty; only a sole chunk may have no entries."""
        self.deads = 0
        """How many entries are delete-marked."""

    def locate(self, rank: float, id_: int) -> tuple[int, int]:
        """Number of the chunk and position in it of the first entry not below this one."""
        chunks = self.chunks
        number = 0
        if len(chunks) > 1:
            number = bisect_left(chunks, (rank, id_), key=Chunk.last)
            if number == len(chunks):
                return number - 1, len(chunks[-1].ids)
        return number, chunks[number].position(rank, id_)

    def find(self, rank: float, id_: int) -> tuple[Chunk, int]:
        """The entry's place. KeyError when there is none."""
        number, at = self.locate(rank, id_)
        chunk = self.chunks[number]
        if at == len(chunk.ids) or chunk.ids[at] != id_ or chunk.ranks[at] != rank:
            raise KeyError((self.prefix, rank, id_))
        return chunk, at

    def add(self, rank: float, id_: int, dead: int = 0) -> bool:
        """Insert an entry, or revive the same delete-marked one (then True)."""
        number, at = self.locate(rank, id_)
        chunk = self.chunks[number]
        if at < len(chunk.ids) and chunk.ids[at] == id_ and chunk.ranks[at] == rank:
            self.deads += (dead == 1) - (chunk.dead[at] == 1)
            chunk.dead[at] = dead
            if at < chunk.first:
                chunk.first = at
            return True
        self.deads += dead == 1
        if len(chunk.ids) >= CHUNK:
            chunk = self._room(number, at)
            at = chunk.position(rank, id_)
        chunk.insert(at, rank, id_, dead)
        return False

    def _room(self, number: int, at: int) -> Chunk:
        """A chunk for a new entry: a fresh one after the end, else one half of the full one."""
        chunk = self.chunks[number]
        if at == CHUNK and number == len(self.chunks) - 1:
            self.chunks.append(Chunk())
            return self.chunks[-1]
        self.chunks.insert(number + 1, chunk.split())
        return chunk if at <= len(chunk.ids) else self.chunks[number + 1]

    def mark(self, rank: float, id_: int) -> None:
        """Delete-mark an entry."""
        chunk, at = self.find(rank, id_)
        self.deads += 1 - chunk.dead[at]
        chunk.dead[at] = 1

    def remove(self, rank: float, id_: int) -> None:
        number, at = self.locate(rank, id_)
        chunk = self.chunks[number]
        self.deads -= chunk.dead[at]
        chunk.remove(at)
        if not chunk.ids and len(self.chunks) > 1:
            del self.chunks[number]

    def __len__(self) -> int:
        return sum(len(chunk.ids) for chunk in self.chunks)

    def sweep(self) -> int:
        """Remove every delete-marked entry; their number."""
        swept = self.deads
        if not swept:
            return 0
        for chunk in self.chunks:
            if 1 in chunk.dead:
                chunk.keep(chunk.dead.translate(LIVE_MASK))
        self.chunks = [chunk for chunk in self.chunks if chunk.ids] or [Chunk()]
        self.deads = 0
        return swept


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

    def add(self, key: Key, dead: int = 0) -> bool:
        """Insert an entry, or revive (re-mark) the one that is there; then True."""
        prefix, rank, id_ = self.shape.split(key)
        return self.run(prefix).add(rank, id_, dead)

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
        if run is None:
            return None
        try:
            chunk, at = run.find(rank, id_)
        except KeyError:
            return None
        return chunk.dead[at]

    def walk(self, low: Key, after: bool = False) -> Iterator[tuple[Key, int]]:
        """Entries from a key (or a beginning of one) on: key and delete mark.

        ``after`` leaves out what begins with ``low``. The index must not change meanwhile.
        """
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
        for number in range(chunk_no, len(run.chunks)):
            chunk = run.chunks[number]
            ranks, ids, dead = chunk.ranks, chunk.ids, chunk.dead
            for at in range(position, len(ids)):
                yield join(prefix, ranks[at], ids[at]), dead[at]
            position = 0

    def successor(self, key: Key) -> Key:
        """The first key above this one; the supremum after the last."""
        for found, _ in self.walk(key, after=True):
            return found
        return SUPREMUM

    def tidy(self) -> None:
        """Forget runs without entries."""
        if not self.fixed:
            for prefix in [p for p, run in self.runs.items() if not len(run)]:
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
        texts = [n for n, column in enumerate(kinds) if column.kind == "text"]
        self.prefix_n = max([len(columns) - 1, *(n + 1 for n in texts)]) if columns else 0
        self.ranked = len(columns) > self.prefix_n
        parts = [_encoded(place, kinds[n]) for n, place in enumerate(self.places)]
        self.prefix_source = _prefix_source(parts[: self.prefix_n])
        self.rank_source = parts[-1] if self.ranked else "row[0]"
        self.key_source = f"({', '.join([*parts, 'row[0]'])},)"
        self.key: Callable[[Row], Key] = eval(f"lambda row: {self.key_source}")

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
            cells[place] = None if part in (float("-inf"), "") else part
        return tuple(cells)

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
