"""One connection as the server sees it: its transaction, its locks, its statement at work."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, TypeAlias

from jobsim.sim.database.access import Interval
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import Key, Row
from jobsim.sim.database.locks import Holder
from jobsim.sim.database.plan import Plan

Undo: TypeAlias = "tuple[int, int, Row | None]"
"""A changed row: number of the table, id, and the version before (None: there was no row)."""

Move: TypeAlias = "tuple[Tree, Key | None, Key | None]"
"""An index entry to delete-mark, and one to insert."""


class Blocked(Enum):
    """Not a reply: the statement waits for a lock."""

    BLOCKED = "blocked"


BLOCKED: Final = Blocked.BLOCKED


class Work:
    """A statement at work, as plain data: where it stands and what it has found.

    Attributes
    ----------
    savepoint
        Length of the undo list when it began.
    intervals, interval_no, at, again, ended
        What to walk, which part now, the last key seen, whether that key is to be seen again, and
        whether the part is at its end.
    found
        Ids (of rows to change) or rows (to reply), in order.
    written
        How many of ``found`` have been changed.
    moves, move_no, marked, done
        The row being changed: what its indexes need, which need is next, whether its old entry is
        marked, and what has been done.
    """

    __slots__ = (
        "again", "args", "at", "done", "ended", "found", "interval_no", "intervals", "limit",
        "marked", "matched", "move_no", "moves", "now_s", "plan", "row", "savepoint", "searched",
        "written",
    )  # fmt: skip

    def __init__(self, plan: Plan, args: Sequence[Any], now_s: float, savepoint: int) -> None:
        self.plan = plan
        self.args = args
        self.now_s = now_s
        self.savepoint = savepoint
        self.intervals: list[Interval] = []
        self.interval_no = 0
        self.at: Key | None = None
        self.again = False
        self.ended = False
        self.limit: int | None = None
        self.searched = False
        self.found: list[Any] = []
        self.matched = 0
        self.written = 0
        self.moves: list[Move] | None = None
        self.move_no = 0
        self.marked = False
        self.done: list[tuple[Tree, str, Key]] = []
        self.row: Row | None = None


class Session(Holder):
    """A connection.

    Attributes
    ----------
    begun
        An explicit transaction is open.
    undo
        What the transaction has changed, in order.
    journal
        The locks of a transaction that is alone, in short form.
    view
        Number of the last commit that its snapshot sees; None without a snapshot.
    examined, walked_dead, changed
        Of the last statement: index records read, delete-marked ones among those walked over,
        rows changed.
    """

    __slots__ = (
        "begun", "changed", "examined", "journal", "revived", "undo", "view", "walked_dead",
        "work",
    )  # fmt: skip

    def __init__(self, number: int, leaves_gaps: bool) -> None:
        super().__init__(number, leaves_gaps)
        self.begun = False
        self.undo: list[Undo] = []
        self.revived: list[tuple[Tree, Key]] = []
        self.journal: list[Any] = []
        self.view: int | None = None
        self.work: Work | None = None
        self.examined = 0
        self.walked_dead = 0
        self.changed = 0

    def __repr__(self) -> str:
        return f"<session {self.number}{' waiting' if self.wait else ''}>"

    @property
    def changes(self) -> int:
        return len(self.undo)
