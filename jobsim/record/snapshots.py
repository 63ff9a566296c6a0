"""What happened to the rows of a table between one look and the next.

Rows that are over are forgotten once every row before them is over too, where keys are numbers:
the next look then begins behind them, and memory holds what is open, not what was ever there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jobsim.record.columns import RUNNING, WAITING, Columns, States

Row = Mapping[str, str]
"""The cells of a row as texts, by what they hold."""

MARGIN = 200
"""Keys are given out in order and committed out of order: so far back, late ones are looked for."""

OPEN = (WAITING, RUNNING)


@dataclass(frozen=True, slots=True)
class Transition:
    """What happened to a row: found, submit, claim, finish, release or vanish."""

    what: str
    state: str
    row: Row


class Snapshots:
    """Compares successive looks at one table."""

    def __init__(self, columns: Columns, states: States) -> None:
        self.columns = columns
        self.states = states
        self.open: dict[str, tuple[str, Row]] = {}
        self._over: set[str] = set()
        self._highest: int | None = None
        self._first = True

    @property
    def low(self) -> int | None:
        """The key to look from: all before it are over. None: look at all."""
        if self._first or self._highest is None:
            return None
        return min([self._highest - MARGIN, *(int(key) for key in self.open)])

    def compare(self, rows: list[Row], low: int | None) -> list[Transition]:
        """What a look shows that the one before did not.

        Parameters
        ----------
        low
            What `low` was; the look may have gone further back than that.
        """
        found = list(self._compared(rows, low))
        self._first = False
        self._forget(rows)
        return found

    def _compared(self, rows: list[Row], low: int | None) -> Iterator[Transition]:
        missing = dict(self.open)
        numbered = self._first or self._highest is not None
        for row in rows:
            key = row["id"]
            numbered = numbered and key.isdecimal()
            if numbered:
                self._highest = max(self._highest or 0, int(key))
            was, _ = missing.pop(key, ("", {}))
            now = self.states.of(row)
            known_over = key in self._over or (low is not None and numbered and int(key) < low)
            yield from self._steps("over" if known_over else was, now, row)
            self._keep(key, now, row)
        if not numbered:
            self._highest = None
        for key, (state, row) in missing.items():
            del self.open[key]
            yield Transition("vanish", state, row)

    def _steps(self, was: str, now: str, row: Row) -> Iterator[Transition]:
        if was == now or (was == "over" and now not in OPEN):
            return
        if not was and self._first:
            if now in OPEN:
                yield Transition("found", now, row)
            return
        if not was:
            yield Transition("submit", now, row)
        elif now == WAITING:
            yield Transition("release", now, row)
        if now == RUNNING:
            yield Transition("claim", now, row)
        elif now not in OPEN:
            yield Transition("finish", now, row)

    def _keep(self, key: str, now: str, row: Row) -> None:
        if now in OPEN:
            self.open[key] = now, row
            self._over.discard(key)
        else:
            self.open.pop(key, None)
            self._over.add(key)

    def _forget(self, rows: list[Row]) -> None:
        """Of what is over, remember only what the next look may show again."""
        low = self.low
        if low is None:
            self._over &= {row["id"] for row in rows}
        else:
            self._over = {key for key in self._over if int(key) >= low}
