"""The rows of one table: newest versions, indexes, and old versions that a snapshot may need."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterator
from math import inf
from typing import Any, Final

from jobsim.effects import Table
from jobsim.errors import UsageError
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import Key, Row
from jobsim.sim.database.runs import LIVE, Chunk

NEVER: Final = -inf

HOT_ROWS: Final = 10_000
"""So many rows are kept as tuples, ready for use; more are packed, a chunk at a time."""


class Store:
    """One table's rows and indexes.

    Attributes
    ----------
    hot
        The newest version of each row by id, but for those that are packed into their chunk.
    primary, indexes
        The clustered index and the secondary ones.
    body, runs
        The only run of the clustered index, and those of the secondary ones by prefix.
    history
        By id, oldest first: ``(commit, version)``, the version that this commit replaced (None:
        there was no row). Kept only while a snapshot may need it.
    watches, version
        Who wants to know of changes, and how many changes there were.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = [column.name for column in table.columns]
        if not self.names or self.names[0] != "id":
            raise UsageError(f"table {table.name}: its first column must be the primary key id")
        self.hot: dict[int, Row] = {}
        self.primary = Tree(table, ())
        self.indexes = [Tree(table, _without_id(i.columns), i.unique) for i in table.indexes]
        self.trees = [self.primary, *self.indexes]
        self.body = self.primary.runs[()]
        self.runs = [tree.runs for tree in self.indexes]
        self.history: dict[int, list[tuple[int, Row | None]]] = {}
        self.watches: list[Any] = []
        self.version = 0
        self.next_id = 1

    def get(self, id_: int) -> Row | None:
        """The newest version of a row, committed or not; None when there is none."""
        row = self.hot.get(id_)
        return row if row is not None else self._thaw(id_)

    def _thaw(self, id_: int) -> Row | None:
        number, at = self.body.locate(float(id_), id_)
        chunk = self.body.chunks[number]
        if chunk.cold is None or at == len(chunk) or chunk.entries[at][1] != id_:
            return None
        self.warm(chunk)
        return self.hot[id_]

    def warm(self, chunk: Chunk) -> None:
        """Unpack a chunk's rows."""
        if chunk.cold is not None:
            self.hot.update((row[0], row) for row in _unpacked(chunk.cold))
            chunk.cold = None

    def cool(self) -> None:
        """Pack rows, the lowest ids first, when too many are unpacked."""
        if len(self.hot) <= HOT_ROWS:
            return
        pop = self.hot.pop
        for chunk in self.body.chunks[:-1]:
            if chunk.cold is None and not chunk.has_dead():
                chunk.cold = _packed([pop(entry[1]) for entry in chunk])
                if not chunk.packed:
                    chunk.pack()
                if len(self.hot) <= HOT_ROWS // 2:
                    break

    def put(self, row: Row) -> None:
        """Add a row to the clustered index."""
        id_ = row[0]
        number, _ = self.body.locate(float(id_), id_)
        self.warm(self.body.chunks[number])
        self.primary.add((id_,))
        self.hot[id_] = row
        self.next_id = max(self.next_id, id_ + 1)

    def __len__(self) -> int:
        return len(self.body) - self.body.deads

    def __iter__(self) -> Iterator[Row]:
        """The newest version of each row, in the order of ids."""
        for chunk in list(self.body.chunks):
            yield from self.rows_of(chunk)

    def rows_of(self, chunk: Chunk) -> list[Row]:
        """The rows of one chunk, without unpacking it for good."""
        if chunk.cold is not None:
            return _unpacked(chunk.cold)
        hot = self.hot
        return [hot[entry[1]] for entry in chunk if len(entry) == LIVE]

    def changed(self, row: Row | None) -> None:
        """Tell the watches that want to know that this is now a row's newest version."""
        self.version += 1
        if row is not None:
            for watch in self.watches:
                if watch.until_s > NEVER:
                    watch.see(row)

    def moves(
        self, old: Row | None, new: Row | None
    ) -> Iterator[tuple[Tree, Key | None, Key | None]]:
        """Secondary entries that a change of version makes and unmakes."""
        for tree in self.indexes:
            before = None if old is None else tree.shape.key(old)
            after = None if new is None else tree.shape.key(new)
            if before != after:
                yield tree, before, after


def _packed(rows: list[Row]) -> bytes:
    """Rows as few bytes, a column after the other: what is alike lies together."""
    return zlib.compress(marshal.dumps(list(zip(*rows, strict=True))), 1)


def _unpacked(packed: bytes) -> list[Row]:
    return list(zip(*marshal.loads(zlib.decompress(packed)), strict=True))


def _without_id(columns: tuple[str, ...]) -> tuple[str, ...]:
    return columns[:-1] if columns[-1:] == ("id",) else columns
