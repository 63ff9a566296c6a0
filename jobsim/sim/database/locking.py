"""Asking for the lock of one record in the manner of a statement."""

from __future__ import annotations

from jobsim.effects import LockTimeout
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import Key
from jobsim.sim.database.locks import NEXT_KEY, RECORD, Had
from jobsim.sim.database.manager import LockManager
from jobsim.sim.database.session import Session, Work


class Locker:
    """What isolation level and statement make of a lock request.

    Parameters
    ----------
    manager
        The lock manager.
    gaps
        Lock gaps too (REPEATABLE READ), or records only (READ COMMITTED).
    """

    def __init__(self, manager: LockManager, *, gaps: bool) -> None:
        self.manager = manager
        self.gaps = gaps

    def lock(self, session: Session, work: Work, tree: Tree, key: Key, kind: int) -> Had:
        """Ask for a lock in the statement's manner; LockTimeout when it must not wait."""
        how = work.plan.on_locked
        had = self.manager.acquire(session, tree.space, key, kind, wait=how == "wait")
        if had is Had.TAKEN and how == "fail":
            raise LockTimeout(f"{tree.name} {key} is locked")
        return had

    def lock_dead(self, session: Session, work: Work, tree: Tree, key: Key) -> Had:
        """The same at a delete-marked record.

        READ COMMITTED passes it by unlocked, unless its death is another's and uncommitted.
        """
        if not self.gaps and not self.manager.is_changed(session, tree.space, key):
            return Had.HELD
        return self.lock(session, work, tree, key, self.kind(work, key))

    def kind(self, work: Work, key: Key) -> int:
        """What a walk asks for at a record."""
        path = work.plan.path
        assert path is not None
        if not self.gaps or (path.unique and path.number < 0):
            return RECORD
        interval = work.intervals[work.interval_no]
        first = path.number < 0 and key == interval.low and not interval.low_open
        return RECORD if first else NEXT_KEY

    def drop(self, session: Session, tree: Tree, key: Key, had: Had) -> None:
        """READ COMMITTED gives a lock back that was had without waiting, for a row of no use."""
        if had is Had.NEW and not self.gaps:
            self.manager.unlock(session, tree.space, key, RECORD)
