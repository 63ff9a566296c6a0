"""Statements over the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jobsim.effects.base import Effect
from jobsim.effects.predicate import Param, Predicate, Value, comparisons
from jobsim.effects.table import Table

OnLocked = Literal["wait", "skip", "fail"]
"""What to do at a row that another transaction has locked."""


def _names(values: Sequence[Value | int | None]) -> list[str]:
    return [value.name for value in values if isinstance(value, Param)]


def _distinct(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True, eq=False)
class Select(Effect[list[tuple[Any, ...]]]):
    """Rows, as tuples of ``columns``; ``lock`` makes it a locking read (``FOR UPDATE``).

    Arguments: the parameters of ``where``, then of ``limit``.
    """

    label: str
    table: Table
    columns: tuple[str, ...]
    where: Predicate | None = None
    order: tuple[str, ...] = ()
    limit: int | Param | None = None
    lock: bool = False
    on_locked: OnLocked = "wait"

    @property
    def params(self) -> tuple[str, ...]:
        return _distinct(_names([c.value for c in comparisons(self.where)] + [self.limit]))


@dataclass(frozen=True, slots=True, eq=False)
class Update(Effect[int]):
    """Change rows; the reply is the number of rows matched.

    Arguments: the parameters of ``changes``, then of ``where``, then of ``limit``.
    """

    label: str
    table: Table
    changes: tuple[tuple[str, Value], ...]
    where: Predicate | None = None
    order: tuple[str, ...] = ()
    limit: int | Param | None = None

    @property
    def params(self) -> tuple[str, ...]:
        changed = [value for _, value in self.changes]
        return _distinct(
            _names([*changed, *(c.value for c in comparisons(self.where)), self.limit])
        )


@dataclass(frozen=True, slots=True, eq=False)
class Insert(Effect[int]):
    """Add rows; the one argument is a list of tuples of ``columns``.

    ``constants`` are columns that have the same value in each row. The reply is the number of rows
    added; :class:`DuplicateKey` where a unique key is taken.
    """

    label: str
    table: Table
    columns: tuple[str, ...]
    returning_id: bool = False
    constants: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Delete(Effect[int]):
    """Remove rows; the reply is their number. Arguments: the parameters of ``where``."""

    label: str
    table: Table
    where: Predicate | None = None

    @property
    def params(self) -> tuple[str, ...]:
        return _distinct(_names([c.value for c in comparisons(self.where)]))
