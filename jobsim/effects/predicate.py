"""Which rows: predicates that a policy owns and hands to a driver.

A driver turns a predicate into SQL, or into a test over modelled rows; it never makes one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Operator = Literal["=", "<", "<=", ">", ">=", "in", "is null"]


@dataclass(frozen=True, slots=True)
class Param:
    """A value that comes with each asking; arguments are in the order of first appearance."""

    name: str


@dataclass(frozen=True, slots=True)
class Now:
    """The database's clock when the statement starts, as a server's ``NOW()``."""


NOW = Now()


@dataclass(frozen=True, slots=True)
class Ago:
    """The database's clock less a number of seconds."""

    seconds_s: float


@dataclass(frozen=True, slots=True)
class More:
    """A column's own value plus a number, as in ``attempts = attempts + 1``."""

    column: str
    by: int = 1


Value: TypeAlias = str | int | float | Param | Now | Ago | More | None


@dataclass(frozen=True, slots=True)
class Compare:
    """One column against one value."""

    column: str
    operator: Operator
    value: Value


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Predicate, ...]


Predicate: TypeAlias = Compare | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class column:  # noqa: N801 - reads as a word of a sentence
    """A column, to be compared: ``column("status").equals("pending")``."""

    name: str

    def equals(self, value: Value) -> Compare:
        return Compare(self.name, "=", value)

    def less_than(self, value: Value) -> Compare:
        return Compare(self.name, "<", value)

    def at_most(self, value: Value) -> Compare:
        return Compare(self.name, "<=", value)

    def more_than(self, value: Value) -> Compare:
        return Compare(self.name, ">", value)

    def at_least(self, value: Value) -> Compare:
        return Compare(self.name, ">=", value)

    def is_in(self, values: Param) -> Compare:
        """The parameter's argument is a list of values."""
        return Compare(self.name, "in", values)

    def is_null(self) -> Compare:
        return Compare(self.name, "is null", None)


def all_of(*parts: Predicate) -> AllOf:
    """Every one of these holds."""
    return AllOf(parts)


def any_of(*parts: Predicate) -> AnyOf:
    """At least one of these holds."""
    return AnyOf(parts)


def comparisons(predicate: Predicate | None) -> tuple[Compare, ...]:
    """Every comparison in a predicate, in the order in which it is written."""
    if predicate is None:
        return ()
    if isinstance(predicate, Compare):
        return (predicate,)
    return tuple(found for part in predicate.parts for found in comparisons(part))
