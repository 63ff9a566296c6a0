"""Row locks as InnoDB keeps them: queues of lock requests, one queue a record of an index.

Theory of operation
-------------------
An index is an ordered list of records with a pseudo-record, the *supremum*, after the last. A lock
is on a record and covers the record (RECORD), the gap just before it (GAP) or both (NEXT_KEY); on
the supremum there is only a gap, whatever the lock is called. Whoever wants to insert into a gap
asks the record after it with INTENT. Locks are exclusive unless they have the flag SHARED.

Who waits for whom:

- RECORD and NEXT_KEY wait for another transaction's RECORD or NEXT_KEY, unless both are shared;
- INTENT waits for another transaction's GAP or NEXT_KEY;
- GAP waits for nothing, and nothing waits for INTENT.

A request is compared with *every* request of others in the record's queue, with the waiting ones
too: queues are first come, first served, and an insert waits for a next-key lock that is itself
only waited for. A request is granted when nothing before it in its queue conflicts any more. Who
holds a record and asks for NEXT_KEY gets the GAP alone, and so passes by those who wait for it.

What a transaction inserted, changed or delete-marked it has locked *implicitly*: no request is in
the queue. Whoever meets such a record first makes the owner's lock explicit, and then queues.

A waiting transaction *waits on* one other: the owner of the first conflicting request before its
own. Following these edges from where one was added or turned finds every cycle. Of a cycle's
transactions that with the fewest changes plus lock structures is the victim; the one whose edge
closed the cycle if it is among the equals.

A lock *structure* is all granted locks of one transaction, kind and index, or one wait: InnoDB has
one a page, which is the same for small tables.

Long stretches of delete-marked records are the rule in a queue's index. Where nobody has anything
in such a stretch its locks are taken all at once, as one *span* instead of a request in each queue.

Records come and go under their locks. A record inserted into a locked gap inherits the gap lock; a
record that is removed leaves its locks, as gap locks, to its successor, and those who waited for it
look again.

Ref: storage/innobase/lock/lock0lock.cc of MariaDB 10.11, from 10.6 on with one wait edge.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from jobsim.sim.database.keys import SUPREMUM, Key
from jobsim.sim.database.spans import Spans

RECORD: Final = 1
GAP: Final = 2
NEXT_KEY: Final = RECORD | GAP
INTENT: Final = 4
SHARED: Final = 8

KINDS: Final = {RECORD: "record", GAP: "gap", NEXT_KEY: "next-key", INTENT: "insert-intention"}


class Had(Enum):
    """What became of asking for a lock: newly had, had before, not to be had, waited for."""

    NEW = "new"
    HELD = "held"
    TAKEN = "taken"
    WAIT = "wait"


class Lock:
    """A lock structure: granted locks of one kind, or one request that waits."""

    __slots__ = ("keys", "kind", "owner", "space", "waiting")

    def __init__(self, owner: Holder, space: LockSpace, kind: int, waiting: bool) -> None:
        self.owner = owner
        self.space = space
        self.kind = kind
        self.waiting = waiting
        self.keys: dict[Key, None] = {}


class LockSpace:
    """The queues of one index.

    Attributes
    ----------
    queues
        Requests by record, in the order in which they came.
    implicit
        Who has changed a record and not ended yet.
    spans
        Granted next-key locks on all records of a stretch, which stand before all in the queues.
    """

    __slots__ = ("implicit", "name", "queues", "spans")

    def __init__(self, name: str) -> None:
        self.name = name
        self.queues: dict[Key, list[Lock]] = {}
        self.implicit: dict[Key, Holder] = {}
        self.spans: Spans[Lock] = Spans()

    def requests(self, key: Key) -> list[Lock]:
        """All requests for a record, in order."""
        queue = self.queues.get(key, [])
        if len(self.spans) and key != SUPREMUM and (lock := self.spans.at(key)) is not None:
            return [lock, *queue]
        return queue

    def marked(self, first: Key, end: Key) -> list[Key]:
        """Records of a stretch that somebody has a single request for or has changed, in order."""
        keys = {*self.queues, *self.implicit}
        return sorted(key for key in keys if key != SUPREMUM and first <= key < end)


class Holder:
    """A transaction as the lock manager sees it.

    Attributes
    ----------
    number
        Who it is.
    locks
        Its lock structures, oldest first.
    wait
        The request that it waits with.
    waits_on
        Owner of the first request before its own that conflicts.
    empties
        Lock structures that cover nothing any more.
    leaves_gaps
        Its locks on a record that is removed go on as gap locks (not under READ COMMITTED).
    """

    __slots__ = (
        "_granted", "_implied", "empties", "leaves_gaps", "locks", "number", "wait", "waits_on",
    )  # fmt: skip

    def __init__(self, number: int, leaves_gaps: bool = True) -> None:
        self.number = number
        self.leaves_gaps = leaves_gaps
        self.empties = 0
        self.locks: list[Lock] = []
        self._granted: dict[tuple[LockSpace, int], Lock] = {}
        self._implied: dict[tuple[LockSpace, Key], None] = {}
        self.wait: Lock | None = None
        self.waits_on: Holder | None = None

    @property
    def changes(self) -> int:
        """Rows inserted, changed and deleted: what a rollback costs."""
        raise NotImplementedError

    @property
    def weight(self) -> int:
        """What makes a transaction too dear to be a victim; one structure is the table's lock."""
        return self.changes + len(self.locks) + self.empties + 1


def conflicts(kind: int, other: int) -> bool:
    """Whether a request must wait for another transaction's, granted or waiting."""
    if kind & INTENT:
        return bool(other & GAP)
    return bool(kind & other & RECORD) and not kind & other & SHARED


def covered(queue: list[Lock], holder: Holder, kind: int) -> bool:
    """Whether the holder already has at least this lock on the record."""
    part, shared = kind & NEXT_KEY, kind & SHARED
    return bool(part) and any(
        lock.owner is holder
        and not lock.waiting
        and lock.kind & part == part
        and not lock.kind & INTENT
        and (shared or not lock.kind & SHARED)
        for lock in queue
    )


def first_conflict(queue: list[Lock], holder: Holder, kind: int) -> Holder | None:
    for lock in queue:
        if lock.owner is not holder and conflicts(kind, lock.kind):
            return lock.owner
    return None
