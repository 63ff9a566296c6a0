"""Tables as the policies see them: names, kinds of columns, indexes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["integer", "text", "instant"]
"""``instant`` is float seconds since the run began, a DATETIME(6) on a live server."""

WIDEST = 255
"""Letters of a text that every server takes, in an index too."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``width`` is that of a text."""

    name: str
    kind: Kind
    nullable: bool = False
    default: str | int | None = None
    width: int = 32


@dataclass(frozen=True, slots=True)
class Index:
    """A secondary index, in the order of its columns (the primary key is always appended)."""

    columns: tuple[str, ...]
    unique: bool = False


@dataclass(frozen=True)
class Table:
    """A table with an integer primary key ``id``; ``id_assigned`` means that inserts omit it."""

    name: str
    columns: tuple[Column, ...]
    indexes: tuple[Index, ...] = ()
    id_assigned: bool = False

    def kind(self, column: str) -> Kind:
        """What a column holds."""
        return next(c.kind for c in self.columns if c.name == column)

    def indexed(self, *indexes: Index) -> Table:
        """The same table with these secondary indexes."""
        return replace(self, indexes=indexes)
