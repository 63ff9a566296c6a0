"""Watches: is there a row that fits, and if not, when will there be one?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, nextafter
from typing import Any

from jobsim.effects import Ago, Compare, More, Now, Predicate, Select, all_of
from jobsim.sim.database.access import Access, choose, conjuncts
from jobsim.sim.database.expression import Compiler, Evaluate, Test
from jobsim.sim.database.keys import Row
from jobsim.sim.database.rows import Store
from jobsim.sim.database.visiting import visit


class Watch:
    """Rows of one table that fit a predicate, now or later.

    It looks when asked, through the index that serves the predicate best.

    Attributes
    ----------
    until_s
        Only a row that fits before this instant is told of; -inf while nobody wants to know.
    on_change
        Called after a row that could make the predicate hold was inserted, changed or rolled back,
        with the instant from which on it fits, -inf where it fits at any.
    """

    def __init__(
        self,
        store: Store,
        predicate: Predicate,
        params: Sequence[Any],
        still_seen: Callable[[], Iterator[Row]],
    ) -> None:
        self.on_change: Callable[[float], None] | None = None
        self.until_s = -inf
        self._store = store
        self._still_seen = still_seen
        self._params = params
        names = [str(n) for n in range(len(params))]
        effect = Select("watch", store.table, ("id",), predicate)
        compiler = Compiler(store.table, effect.params or names)
        self._cases = [_Case(compiler, store, case) for case in conjuncts(predicate)]
        self.first_s = self._cases[0].first_s if len(self._cases) == 1 else self._first_s

    @property
    def version(self) -> int:
        """Grows whenever a row of the table changes."""
        return self._store.version

    def see(self, row: Row) -> None:
        """A row has a new version."""
        if self.on_change is not None:
            fits_s = self.first_s(row, self._params)
            if fits_s < self.until_s:
                self.on_change(fits_s)

    def holds(self, now_s: float) -> bool:
        """Whether some row fits now: its newest version, or one that others still read."""
        return self.next_s(now_s) <= now_s

    def _first_s(self, row: Row, params: Sequence[Any]) -> float:
        """The first instant at which a row fits; inf for never, -inf for always."""
        return min(case.first_s(row, params) for case in self._cases)

    def next_s(self, now_s: float) -> float:
        """The first instant from now on at which a row fits if nothing changes; inf for never."""
        soonest = inf
        for case in self._cases:
            for first_s in case.instants(self._store, self._params, now_s):
                if first_s <= now_s:
                    return now_s
                soonest = min(soonest, first_s)
        if any(self.first_s(row, self._params) <= now_s for row in self._still_seen()):
            return now_s
        return soonest


class _Case:
    """One alternative of the predicate: what lasts, and what depends on the time."""

    def __init__(self, compiler: Compiler, store: Store, case: tuple[Compare, ...]) -> None:
        timed = [compare for compare in case if _is_timed(compare)]
        rest = all_of(*(compare for compare in case if not _is_timed(compare)))
        self.lasting: Test = compiler.test(rest)
        self.windows = [_Window(compiler, compare) for compare in timed]
        quick = _first_s(compiler, rest, timed)
        self.first_s: Callable[[Row, Sequence[Any]], float] = quick or self._first_s
        """The first instant at which a row fits; inf for never, -inf for always."""
        select = Select("watch", store.table, ("id",), rest)
        self.path: Access = choose(compiler, store, select)

    def instants(self, store: Store, params: Sequence[Any], now_s: float) -> Iterator[float]:
        """For each row that may fit, from when on."""
        for row in self._rows(store, params):
            if self.lasting(row, params, now_s):
                first_s, last_s = self.window(row, params)
                if max(first_s, now_s) <= last_s:
                    yield max(first_s, now_s)

    def _first_s(self, row: Row, params: Sequence[Any]) -> float:
        """As `first_s`, for any case."""
        if not self.lasting(row, params, 0.0):
            return inf
        first_s, last_s = self.window(row, params)
        return first_s if first_s <= last_s else inf

    def window(self, row: Row, params: Sequence[Any]) -> tuple[float, float]:
        """First and last instant at which a row fits; the last is before the first when never."""
        first_s, last_s = -inf, inf
        for window in self.windows:
            begin_s, end_s = window.of(row, params)
            first_s, last_s = max(first_s, begin_s), min(last_s, end_s)
        return first_s, last_s

    def _rows(self, store: Store, params: Sequence[Any]) -> Iterator[Row]:
        tree = store.primary if self.path.number < 0 else store.indexes[self.path.number]
        for interval in self.path.intervals(params, 0.0):
            for row, _ in visit(store, tree, interval):
                if row is not None:
                    yield row


class _Window:
    """When a comparison of a column with the clock holds, for a row."""

    def __init__(self, compiler: Compiler, compare: Compare) -> None:
        self.place = compiler.place(compare.column)
        self.operator = compare.operator
        self.ago: Evaluate = compiler.evaluate(compare.value)

    def of(self, row: Row, params: Sequence[Any]) -> tuple[float, float]:
        """First and last instant; an empty window when never."""
        value = row[self.place]
        if value is None:
            return inf, -inf
        instant_s = value - self.ago(row, params, 0.0)
        if self.operator == "<=":
            return instant_s, inf
        if self.operator == "<":
            return nextafter(instant_s, inf), inf
        if self.operator == ">=":
            return -inf, instant_s
        if self.operator == ">":
            return -inf, nextafter(instant_s, -inf)
        return instant_s, instant_s


def _first_s(
    compiler: Compiler, rest: Predicate, timed: Sequence[Compare]
) -> Callable[[Row, Sequence[Any]], float] | None:
    """`_Case.first_s` as one expression, since it is asked at nearly every change of a row.

    None where it is not as simple as for a status, or for a status and an age.
    """
    lasting, first_s = compiler.condition(rest), "-inf"
    if timed:
        place = compiler.place(timed[0].column)
        if len(timed) > 1 or timed[0].operator != "<=":
            return None
        lasting += f" and row[{place}] is not None"
        first_s = f"row[{place}] - {compiler.value(timed[0].value)}"
    space = {"inf": inf, "now_s": 0.0}
    made: Callable[[Row, Sequence[Any]], float] = eval(
        f"lambda row, args: {first_s} if {lasting} else inf", space
    )
    return made


def _is_timed(compare: Compare) -> bool:
    return isinstance(compare.value, Now | Ago) and not isinstance(compare.value, More)
