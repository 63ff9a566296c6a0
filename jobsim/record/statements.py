"""The statements that a server's process list shows, look by look, as a job log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from jobsim.joblog import JobLog
from jobsim.joblog.notes import Notes
from jobsim.joblog.statement_kind import StatementKinds

SAME_S = 1.5
"""Where statements have no id and ages are whole seconds, starts this close are of one."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement under way; ``query`` is the server's own number of it, 0 where it has none."""

    session: int
    query: int
    user: str
    start_s: float
    last_s: float
    text: str


class Statements:
    """Joins what successive looks show of each statement.

    Attributes
    ----------
    over
        The statements that were no longer there, in the order in which they went.
    """

    def __init__(self) -> None:
        self.over: list[Statement] = []
        self._open: dict[tuple[int, int], Statement] = {}

    def see(self, shown: Iterable[Statement]) -> None:
        """Take a look: everything that is at work now."""
        now = {(one.session, one.query): one for one in shown}
        for key, before in self._open.items():
            after = now.get(key)
            if after is not None and _same(before, after):
                now[key] = replace(after, start_s=before.start_s)
            else:
                self.over.append(before)
        self._open = now

    def all(self) -> Iterator[tuple[Statement, bool]]:
        """Each statement that was seen, and whether it was over."""
        yield from ((one, True) for one in self.over)
        yield from ((one, False) for one in self._open.values())


def _same(before: Statement, after: Statement) -> bool:
    if before.query:
        return True
    return before.text == after.text and abs(before.start_s - after.start_s) <= SAME_S


def log_of(seen: Statements, *, name: str, source: str, every_s: float, more: str) -> JobLog:
    """The job log: a row a statement, submitted and run from its start until it was last seen.

    The text of a statement is not kept: its kind is its verb and its tables.
    """
    kinds, notes = StatementKinds(), Notes()
    shown = sorted(seen.all(), key=lambda pair: pair[0].start_s)
    rows = [one for one, _ in shown]
    notes.add(
        f"marked: recorded by looking every {every_s:g} s: a run time is that until the statement"
        " was last seen, too short by less than that; what is shorter is mostly not here",
        len(rows),
    )
    notes.add("marked: how a statement ended is not known, nor whether it was killed", len(rows))
    notes.add(
        "marked: under way when the watch ended, run time unknown",
        sum(not over for _, over in shown),
    )
    notes.add(f"marked: the watch cost the server {more}", len(rows))
    return JobLog.of(
        {
            "kind": [kinds.of(one.text) for one in rows],
            "submit_s": [one.start_s for one in rows],
            "start_s": [one.start_s for one in rows],
            "run_s": [one.last_s - one.start_s if over else None for one, over in shown],
            "owner": [one.user.strip() or None for one in rows],
        },
        name=name,
        source=source,
        origin=datetime(1970, 1, 1, tzinfo=UTC),
        notes=notes.taken,
    ).from_zero()
