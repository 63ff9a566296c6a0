"""Going over stretches of delete-marked records, which a queue's index is full of, at once."""

from __future__ import annotations

from jobsim.sim.database.access import Interval
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import Key
from jobsim.sim.database.locking import Locker
from jobsim.sim.database.locks import NEXT_KEY, Had
from jobsim.sim.database.session import Session, Work
from jobsim.sim.database.spans import just_after


class Sweeper:
    """Locks a stretch as its records one by one would be, and counts them."""

    def __init__(self, locker: Locker) -> None:
        self.locker = locker

    def pass_dead(
        self, session: Session, work: Work, tree: Tree, low: Key, after: bool, interval: Interval
    ) -> Had | None:
        """Go over the delete-marked records at the beginning of a walk all at once.

        None when there are none; else whether one of them must be waited for.
        """
        stretch = tree.dead_stretch(low, after)
        if stretch is None or tree.unique or interval.passed(stretch[1]):
            return None
        first, last, count = stretch
        if self._is_lone(work, tree, first, last):
            return None
        stopped = self._sweep(session, work, tree, first, just_after(last))
        if stopped is not None:
            count = sum(1 for _ in tree.between(first, just_after(stopped)))
        work.at, work.again = stopped or last, stopped is not None
        session.examined += count
        session.walked_dead += count
        return Had.HELD if stopped is None else Had.WAIT

    def _is_lone(self, work: Work, tree: Tree, first: Key, last: Key) -> bool:
        """Whether the records of a stretch must be looked at one by one."""
        if self.locker.gaps and self.locker.kind(work, first) != NEXT_KEY:
            return True
        if work.plan.on_locked != "fail":
            return False
        return bool(len(tree.space.spans) or tree.space.marked(first, just_after(last)))

    def _sweep(self, session: Session, work: Work, tree: Tree, first: Key, end: Key) -> Key | None:
        """Lock all records of a stretch, all delete-marked; the one that must be waited for."""
        space = tree.space
        marked = space.marked(first, end)
        if not self.locker.gaps:
            for key in marked:
                if self.locker.lock_dead(session, work, tree, key) is Had.WAIT:
                    return key
            return None
        for start, stop, lock in space.spans.pieces(first, end):
            waits = None
            if lock is None:
                inside = [key for key in marked if start <= key < stop]
                waits = self._sweep_free(session, work, tree, start, stop, inside)
            elif lock.owner is not session and work.plan.on_locked != "skip":
                key = next(tree.between(start, stop))
                waits = (
                    key
                    if self.locker.lock(session, work, tree, key, NEXT_KEY) is Had.WAIT
                    else None
                )
            if waits is not None:
                return waits
        return None

    def _sweep_free(
        self, session: Session, work: Work, tree: Tree, start: Key, stop: Key, marked: list[Key]
    ) -> Key | None:
        """The same for a piece that is in nobody's span: between the marked records take spans."""
        for key in marked:
            self._sweep_unmarked(session, tree, start, key)
            if self.locker.lock(session, work, tree, key, NEXT_KEY) is Had.WAIT:
                return key
            start = just_after(key)
        self._sweep_unmarked(session, tree, start, stop)
        return None

    def _sweep_unmarked(self, session: Session, tree: Tree, start: Key, stop: Key) -> None:
        if any(tree.between(start, stop)):
            self.locker.manager.acquire_span(session, tree.space, start, stop)
