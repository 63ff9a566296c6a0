"""Keys of index records, and how a row's columns make them.

A key is a flat tuple: the index's columns, then the row's id. The clustered index has the id alone.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Final, TypeAlias

from jobsim.effects import Column, Table

Key: TypeAlias = "tuple[Any, ...]"
"""A whole key, or a beginning of one."""
Row: TypeAlias = "tuple[Any, ...]"

SUPREMUM: Final[Key] = ("supremum",)
"""The pseudo-record after the last one of an index; compare it with nothing."""
LOWEST_ID: Final = -(2**63)
HIGHEST_ID: Final = 2**63 - 1


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


def _encoded(place: int, column: Column) -> str:
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
