"""Predicates and values as Python functions over a row, made once for each effect.

A predicate becomes the source of one expression, as a named tuple's constructor does: a test of a
row then costs one call. A comparison with NULL never holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from jobsim.effects import (
    Ago,
    AllOf,
    Compare,
    More,
    Now,
    Param,
    Predicate,
    Table,
    Value,
)
from jobsim.errors import UsageError
from jobsim.sim.database.keys import Row

Test: TypeAlias = Callable[[Row, Sequence[Any], float], bool]
"""Does this row fit, with these arguments, now (``now_s``)?"""

Evaluate: TypeAlias = Callable[[Row, Sequence[Any], float], Any]


class Compiler:
    """Makes functions for one table and one list of parameters."""

    def __init__(self, table: Table, params: Sequence[str]) -> None:
        self.table = table
        self.params = list(params)
        self.names = [column.name for column in table.columns]

    def place(self, column: str) -> int:
        """The column's position in a row."""
        if column not in self.names:
            known = ", ".join(self.names)
            raise UsageError(f"table {self.table.name} has no column {column!r}; it has {known}")
        return self.names.index(column)

    def test(self, predicate: Predicate | None) -> Test:
        source = "True" if predicate is None else self.condition(predicate)
        function: Test = eval(f"lambda row, args, now_s: {source}")
        return function

    def evaluate(self, value: Value) -> Evaluate:
        function: Evaluate = eval(f"lambda row, args, now_s: {self.value(value)}")
        return function

    def condition(self, predicate: Predicate) -> str:
        """Source of an expression that is true where the predicate holds."""
        if isinstance(predicate, Compare):
            return self._comparison(predicate)
        word = " and " if isinstance(predicate, AllOf) else " or "
        empty = str(isinstance(predicate, AllOf))
        return f"({word.join(map(self.condition, predicate.parts)) or empty})"

    def value(self, value: Value) -> str:
        """Source of an expression for a value; ``row`` is the row it is for."""
        if isinstance(value, Param):
            return f"args[{self.params.index(value.name)}]"
        if isinstance(value, Now):
            return "now_s"
        if isinstance(value, Ago):
            return f"(now_s - {value.seconds_s!r})"
        if isinstance(value, More):
            place = self.place(value.column)
            more = f"row[{place}] + {value.by!r}"
            nullable = self.table.columns[place].nullable
            return f"(None if row[{place}] is None else {more})" if nullable else f"({more})"
        return repr(value)

    def _comparison(self, compare: Compare) -> str:
        place = self.place(compare.column)
        cell, value = f"row[{place}]", compare.value
        if compare.operator == "is null":
            return f"({cell} is None)"
        if value is None:
            return "False"
        unknown = isinstance(value, Param) or (
            isinstance(value, More) and self.table.columns[self.place(value.column)].nullable
        )
        other = self.value(value)
        known = [f"{cell} is not None"] if self.table.columns[place].nullable else []
        if compare.operator == "in":
            return f"({' and '.join([*known, f'{cell} in {other}'])})"
        if unknown:
            known.append(f"{other} is not None")
        operator = "==" if compare.operator == "=" else compare.operator
        return f"({' and '.join([*known, f'{cell} {operator} {other}'])})"

    def projection(self, columns: Sequence[str]) -> Callable[[Row], tuple[Any, ...]]:
        """What a select replies for a row."""
        cells = "".join(f"row[{self.place(column)}]," for column in columns)
        function: Callable[[Row], tuple[Any, ...]] = eval(f"lambda row: ({cells})")
        return function

    def change(self, changes: Sequence[tuple[str, Value]]) -> Callable[..., Row]:
        """The next version of a row."""
        function: Callable[..., Row] = eval(f"lambda row, args, now_s: {self.next_row(changes)}")
        return function

    def next_row(self, changes: Sequence[tuple[str, Value]]) -> str:
        """Source of the next version of a row.

        Assignments are made from left to right, and a later one sees what an earlier one made.
        """
        cells = [f"row[{n}]" for n in range(len(self.names))]
        for column, value in changes:
            cells[self.place(column)] = self._assigned(value, cells)
        return f"({', '.join(cells)},)"

    def _assigned(self, value: Value, cells: list[str]) -> str:
        source = self.value(value)
        if isinstance(value, More):
            place = self.place(value.column)
            source = source.replace(f"row[{place}]", cells[place])
        return source
