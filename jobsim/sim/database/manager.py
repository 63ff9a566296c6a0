"""The lock manager: grants, queues, releases, and finds deadlocks; `locks` says by which rules."""

from __future__ import annotations

from jobsim.sim.database.keys import SUPREMUM, Key
from jobsim.sim.database.locks import (
    GAP,
    INTENT,
    NEXT_KEY,
    RECORD,
    SHARED,
    Had,
    Holder,
    Lock,
    LockSpace,
    covered,
    first_conflict,
)


class LockManager:
    """Grants, queues and releases; finds deadlocks.

    Attributes
    ----------
    granted
        Holders whose wait has ended since somebody last cleared the list.
    """

    def __init__(self) -> None:
        self.granted: list[Holder] = []
        self._turned: list[Holder] = []

    @staticmethod
    def is_changed(holder: Holder, space: LockSpace, key: Key) -> bool:
        """Whether somebody else has changed the record and not ended yet."""
        return space.implicit.get(key, holder) is not holder

    def is_taken(self, holder: Holder, space: LockSpace, key: Key, kind: int) -> bool:
        """Whether this request would have to wait."""
        if space.implicit:
            self._make_explicit(holder, space, key)
        requests = space.requests(key)
        if not requests or key == SUPREMUM:
            return False
        kind = self._missing(holder, space, key, kind)
        return bool(kind) and first_conflict(requests, holder, kind) is not None

    def acquire(
        self, holder: Holder, space: LockSpace, key: Key, kind: int, wait: bool = True
    ) -> Had:
        """Ask for a lock; without ``wait`` the answer may be that it is taken."""
        if space.implicit:
            self._make_explicit(holder, space, key)
        requests = space.requests(key)
        if requests or space.implicit:
            kind = self._missing(holder, space, key, kind)
            if not kind:
                return Had.HELD
            other = None if key == SUPREMUM else first_conflict(requests, holder, kind)
            if other is not None:
                if not wait:
                    return Had.TAKEN
                self._enqueue(holder, space, key, kind, other)
                return Had.WAIT
        self._grant(holder, space, key, kind)
        return Had.NEW

    @staticmethod
    def _missing(holder: Holder, space: LockSpace, key: Key, kind: int) -> int:
        """What a holder has yet to ask for; 0 when it has all of it."""
        queue = space.requests(key)
        record = kind & ~GAP
        if kind & GAP and kind & RECORD:
            if covered(queue, holder, record):
                kind &= ~RECORD
        elif kind & RECORD and space.implicit.get(key) is holder:
            return 0
        return 0 if covered(queue, holder, kind) else kind

    def acquire_span(self, holder: Holder, space: LockSpace, first: Key, end: Key) -> None:
        """Take next-key locks on a whole stretch of records in which nobody has anything."""
        space.spans.take(self._structure(holder, space, NEXT_KEY), first, end)

    def touch(self, holder: Holder, space: LockSpace) -> None:
        """Record locks were had and given back: their structure stays, though empty."""
        self._structure(holder, space, RECORD)

    def intend(self, holder: Holder, space: LockSpace, key: Key, kind: int) -> bool:
        """Ask without leaving a lock behind unless it waits: to insert or to modify."""
        if space.implicit and kind != INTENT:
            self._make_explicit(holder, space, key)
        queue = space.requests(key)
        if not queue or covered(queue, holder, kind):
            return True
        other = first_conflict(queue, holder, kind)
        if other is None:
            return True
        self._enqueue(holder, space, key, kind, other)
        return False

    def imply(self, holder: Holder, space: LockSpace, key: Key) -> None:
        """The holder has changed this record."""
        if key not in space.implicit:
            space.implicit[key] = holder
            holder._implied[space, key] = None

    def unlock(self, holder: Holder, space: LockSpace, key: Key, kind: int) -> None:
        """Give one granted lock back before the end."""
        lock = holder._granted[space, kind]
        del lock.keys[key]
        self._leave(lock, key)

    def cancel(self, holder: Holder) -> None:
        """End a wait without its lock."""
        lock = holder.wait
        if lock is None:
            return
        holder.wait = holder.waits_on = None
        holder.locks.remove(lock)
        self._leave(lock, next(iter(lock.keys)))

    def release(self, holder: Holder) -> None:
        """Free everything, the newest first."""
        self.forget_implied(holder)
        self.cancel(holder)
        locks, holder.locks, holder._granted, holder.empties = holder.locks, [], {}, 0
        for lock in reversed(locks):
            for first, end in lock.space.spans.release(lock) if len(lock.space.spans) else ():
                for key in lock.space.marked(first, end):
                    self._regrant(lock.space, key)
            for key in lock.keys:
                self._leave(lock, key)

    def forget_implied(self, holder: Holder) -> None:
        """Nothing is changed by this holder any more."""
        for space, key in holder._implied:
            del space.implicit[key]
        holder._implied.clear()

    def moved(self, space: LockSpace, key: Key) -> None:
        """A record was rewritten in another size: its waiters' locks went away and came back.

        Each of the two moves leaves an empty structure behind.
        """
        for lock in space.queues.get(key, ()):
            if lock.waiting:
                lock.owner.empties += 2

    def inherit_insert(self, space: LockSpace, new: Key, successor: Key) -> None:
        """A record came into a gap: gap locks on it go on before it."""
        for lock in space.requests(successor)[:]:
            if lock.kind & GAP:
                self._add_gap(lock, space, new)

    def inherit_removal(self, space: LockSpace, gone: Key, successor: Key) -> None:
        """A record left: its locks become gap locks of its successor, its waiters look again."""
        owner = space.implicit.pop(gone, None)
        if owner is not None:
            del owner._implied[space, gone]
        requests = space.requests(gone)
        space.queues.pop(gone, None)
        for lock in requests:
            if not lock.kind & INTENT and lock.owner.leaves_gaps:
                self._add_gap(lock, space, successor)
            if lock.waiting:
                lock.owner.locks.remove(lock)
                lock.owner.empties += 1
                self._end_wait(lock)
            else:
                lock.keys.pop(gone, None)

    def inherit_span(self, lock: Lock, successor: Key) -> None:
        """The last record of a span left."""
        self._add_gap(lock, lock.space, successor)

    def _add_gap(self, lock: Lock, space: LockSpace, key: Key) -> None:
        kind = (NEXT_KEY if key == SUPREMUM else GAP) | (lock.kind & SHARED)
        if not covered(space.requests(key), lock.owner, kind):
            self._grant(lock.owner, space, key, kind)

    def _grant(self, holder: Holder, space: LockSpace, key: Key, kind: int) -> None:
        lock = self._structure(holder, space, kind)
        lock.keys[key] = None
        space.queues.setdefault(key, []).append(lock)

    @staticmethod
    def _structure(holder: Holder, space: LockSpace, kind: int) -> Lock:
        """The holder's structure of granted locks of one kind on one index."""
        lock = holder._granted.get((space, kind))
        if lock is None:
            lock = holder._granted[space, kind] = Lock(holder, space, kind, waiting=False)
            holder.locks.append(lock)
        return lock

    def _enqueue(
        self, holder: Holder, space: LockSpace, key: Key, kind: int, other: Holder
    ) -> None:
        lock = Lock(holder, space, kind, waiting=True)
        lock.keys[key] = None
        holder.locks.append(lock)
        holder.wait, holder.waits_on = lock, other
        space.queues.setdefault(key, []).append(lock)

    def _make_explicit(self, holder: Holder, space: LockSpace, key: Key) -> None:
        owner = space.implicit.get(key)
        if owner is None or owner is holder:
            return
        if not covered(space.requests(key), owner, RECORD):
            self._grant(owner, space, key, RECORD)

    def _leave(self, lock: Lock, key: Key) -> None:
        """One lock leaves a queue: grant whom nothing before holds up, turn the others' edges."""
        queue = lock.space.queues[key]
        if len(queue) == 1:
            del lock.space.queues[key]
            return
        queue.remove(lock)
        self._regrant(lock.space, key)

    def _regrant(self, space: LockSpace, key: Key) -> None:
        requests = space.requests(key)
        for place, waiting in enumerate(requests):
            if waiting.waiting:
                other = first_conflict(requests[:place], waiting.owner, waiting.kind)
                if other is None:
                    waiting.owner._granted.setdefault((waiting.space, waiting.kind), waiting)
                    self._end_wait(waiting)
                elif other is not waiting.owner.waits_on:
                    waiting.owner.waits_on = other
                    self._turned.append(waiting.owner)

    def _end_wait(self, lock: Lock) -> None:
        lock.waiting = False
        holder = lock.owner
        holder.wait = holder.waits_on = None
        self.granted.append(holder)

    def next_victim(self, requester: Holder | None = None) -> Holder | None:
        """Whom to roll back for a deadlock that the requester's, or a turned, edge has closed."""
        if requester is not None and (victim := _victim(requester)) is not None:
            return victim
        while self._turned:
            if (victim := _victim(self._turned.pop(0))) is not None:
                return victim
        return None


def _victim(start: Holder) -> Holder | None:
    cycle: list[Holder] = []
    holder = start.waits_on
    while holder is not None and holder not in cycle:
        cycle.append(holder)
        holder = holder.waits_on
    if holder is None:
        return None
    cycle = cycle[cycle.index(holder) :]
    lightest = min(member.weight for member in cycle)
    if start in cycle and start.weight == lightest:
        return start
    return next(member for member in cycle if member.weight == lightest)
