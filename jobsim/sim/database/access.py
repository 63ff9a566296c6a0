"""How a statement reaches its rows: which index, and which stretches of it.

The access is the one that serves the predicate and the order best: rows by primary key, else a
range of the index with most columns bound (one that is already in the wanted order first), else a
scan of the clustered index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from jobsim.effects import AnyOf, Compare, Delete, More, Predicate, Select, Update
from jobsim.sim.database.expression import Compiler, Evaluate
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import Key
from jobsim.sim.database.rows import Store

Conjunct: TypeAlias = "tuple[Compare, ...]"

MAX_CONJUNCTS = 16


@dataclass(frozen=True, slots=True)
class Interval:
    """A stretch of an index, as beginnings of keys.

    Attributes
    ----------
    low, high
        Where it begins and ends.
    low_open, high_open
        Whether it leaves out what begins with ``low``, ``high``.
    point
        It is all that begins with ``low``.
    """

    low: Key
    high: Key
    low_open: bool = False
    high_open: bool = False
    point: bool = False

    def passed(self, key: Key) -> bool:
        """Whether a key lies beyond the end."""
        start = key[: len(self.high)]
        return start >= self.high if self.high_open else start > self.high


WHOLE = Interval((), ())


class Bounds:
    """Makes the interval of one conjunct on one index."""

    def __init__(self, compiler: Compiler, tree: Tree, conjunct: Conjunct) -> None:
        self.equal: list[Callable[..., Any]] = []
        self.in_list: Evaluate | None = None
        self.low: tuple[Evaluate, bool] | None = None
        self.high: tuple[Evaluate, bool] | None = None
        self.on_null = False
        by_column: dict[str, list[Compare]] = {}
        for compare in conjunct:
            by_column.setdefault(compare.column, []).append(compare)
        for column in (*tree.shape.columns, "id"):
            compares = by_column.get(column, [])
            if not self._bind(compiler, column, compares):
                break

    def _bind(self, compiler: Compiler, column: str, compares: list[Compare]) -> bool:
        """Bind one more column; whether the next may be bound too."""
        nullable = compiler.table.columns[compiler.place(column)].nullable
        for compare in compares:
            if compare.operator in ("=", "is null") and not _of_row(compare):
                self.equal.append(compiler.evaluate(compare.value))
                return True
            if compare.operator == "in" and self.in_list is None and not self.equal:
                self.in_list = compiler.evaluate(compare.value)
                return False
        for compare in compares:
            if not _of_row(compare) and compare.operator in ("<", "<=", ">", ">="):
                bound = compiler.evaluate(compare.value), len(compare.operator) == 1
                if compare.operator[0] == "<":
                    self.high = bound
                else:
                    self.low = bound
        if self.high is not None and self.low is None and nullable:
            self.low = (lambda row, args, now_s: None), True
        return False

    @property
    def depth(self) -> int:
        """How many columns are bound; a range counts as half of one."""
        ranged = self.low is not None or self.high is not None
        return 2 * (len(self.equal) + (self.in_list is not None)) + ranged

    def intervals(self, args: Sequence[Any], now_s: float) -> list[Interval]:
        start = tuple(_key_part(value((), args, now_s)) for value in self.equal)
        if self.in_list is not None:
            values = sorted(set(self.in_list((), args, now_s)))
            return [Interval((v,), (v,), point=True) for v in values]
        if self.low is None and self.high is None:
            return [Interval(start, start, point=bool(start))]
        low, low_open = self._end(self.low, start, args, now_s)
        high, high_open = self._end(self.high, start, args, now_s)
        empty = len(low) == len(high) and (low > high or (low == high and (low_open or high_open)))
        return [] if empty else [Interval(low, high, low_open, high_open)]

    @staticmethod
    def _end(
        bound: tuple[Evaluate, bool] | None, start: Key, args: Sequence[Any], now_s: float
    ) -> tuple[Key, bool]:
        if bound is None:
            return start, False
        value, is_open = bound
        return (*start, _key_part(value((), args, now_s))), is_open


def _of_row(compare: Compare) -> bool:
    return isinstance(compare.value, More)


def _key_part(value: Any) -> Any:
    return float("-inf") if value is None else value


def conjuncts(predicate: Predicate | None) -> list[Conjunct]:
    """The predicate as a list of alternatives, each of comparisons that all hold."""
    if predicate is None:
        return [()]
    if isinstance(predicate, Compare):
        return [(predicate,)]
    if isinstance(predicate, AnyOf):
        return [found for part in predicate.parts for found in conjuncts(part)]
    found: list[Conjunct] = [()]
    for part in predicate.parts:
        found = [(*left, *right) for left in found for right in conjuncts(part)]
    return found if len(found) <= MAX_CONJUNCTS else [()]


class Access:
    """How rows are reached: intervals of one index, in its order.

    Attributes
    ----------
    number
        Of the index: -1 the clustered one, else its place among the secondary ones.
    bounds
        One an alternative; none for a whole scan.
    ordered
        Rows come in the wanted order.
    unique
        Each interval holds one row at most.
    """

    def __init__(
        self, compiler: Compiler, store: Store, number: int, effect: Select | Update | Delete
    ) -> None:
        self.number = number
        tree = store.primary if number < 0 else store.indexes[number]
        self.columns = (*tree.shape.columns, "id")
        alternatives = conjuncts(effect.where)
        self.bounds = [Bounds(compiler, tree, conjunct) for conjunct in alternatives]
        self.depth = min(bound.depth for bound in self.bounds)
        if self.depth == 0:
            self.bounds = []
        self.ordered = self._in_order(getattr(effect, "order", ()))
        wide = 1 if number < 0 else len(tree.shape.columns)
        self.unique = (
            bool(self.bounds)
            and all(
                len(b.equal) >= wide or (wide == 1 and b.in_list is not None) for b in self.bounds
            )
            and (number < 0 or tree.unique)
        )
        self.text = self._text(store.table.name)

    def _in_order(self, order: Sequence[str]) -> bool:
        if not order:
            return True
        if len(self.bounds) > 1:
            return False
        bound = self.bounds[0] if self.bounds else None
        if bound is not None and bound.in_list is not None:
            return tuple(order) == self.columns[: len(order)]
        fixed = set(self.columns[: len(bound.equal)]) if bound is not None else set()
        wanted = [column for column in order if column not in fixed]
        offered = [column for column in self.columns if column not in fixed]
        if "id" in fixed:
            return True
        if "id" in wanted:
            wanted = wanted[: wanted.index("id") + 1]
        return wanted == offered[: len(wanted)]

    def _text(self, table: str) -> str:
        if self.number < 0:
            kind = "primary key" if self.unique else "range" if self.bounds else "scan"
            return f"{kind} {table}" + ("(id)" if kind == "range" else "")
        return f"range {table}({','.join(self.columns)})"

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """The higher, the better."""
        return self.unique and self.number < 0, self.depth, self.ordered

    def intervals(self, args: Sequence[Any], now_s: float) -> list[Interval]:
        """What to walk, in order and without overlaps."""
        if not self.bounds:
            return [WHOLE]
        found = [i for bound in self.bounds for i in bound.intervals(args, now_s)]
        if len(self.bounds) == 1:
            return found
        found.sort(key=lambda interval: interval.low)
        merged: list[Interval] = []
        for interval in found:
            if merged and not merged[-1].passed(interval.low):
                last = merged[-1]
                longer = interval if last.high < interval.high else last
                if interval != last:
                    merged[-1] = Interval(last.low, longer.high, last.low_open, longer.high_open)
            else:
                merged.append(interval)
        return merged


def choose(compiler: Compiler, store: Store, effect: Select | Update | Delete) -> Access:
    """The access that serves predicate and order best."""
    candidates = [
        Access(compiler, store, number, effect) for number in range(-1, len(store.indexes))
    ]
    best = max(candidates, key=lambda access: access.rank)
    if best.depth == 0:
        limited = getattr(effect, "limit", None) is not None
        ordered = [a for a in candidates if a.ordered] if limited else []
        return ordered[0] if ordered else candidates[0]
    return best
