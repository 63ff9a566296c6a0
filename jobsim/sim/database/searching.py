"""Finding the rows of a statement under locks: an index walk that may stop at any record."""

from __future__ import annotations

from typing import Any

from jobsim.effects import ChangedSinceRead, LockTimeout, Select
from jobsim.sim.database.index import Row, Tree
from jobsim.sim.database.keys import SUPREMUM, Key
from jobsim.sim.database.locks import GAP, NEXT_KEY, RECORD, Had, LockManager
from jobsim.sim.database.plan import Interval
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import BLOCKED, Blocked, Session, Work
from jobsim.sim.database.snapshot import Snapshots
from jobsim.sim.database.spans import just_after
from jobsim.sim.database.writing import Writer


class Searcher:
    """Runs selects with locks, updates and deletes.

    Parameters
    ----------
    manager, stores, writer, snapshots
        The engine's parts.
    gaps
        Lock gaps too (REPEATABLE READ), or records only (READ COMMITTED).
    strict
        Refuse rows that were changed since the transaction's snapshot.
    """

    def __init__(
        self,
        manager: LockManager,
        stores: list[Store],
        writer: Writer,
        snapshots: Snapshots,
        *,
        gaps: bool,
        strict: bool,
    ) -> None:
        self.manager = manager
        self.stores = stores
        self.writer = writer
        self.snapshots = snapshots
        self.gaps = gaps
        self.strict = strict

    def go_on(self, session: Session, work: Work) -> Any:
        """Work until the reply or a wait."""
        if not work.searched:
            if self._search(session, work) is BLOCKED:
                return BLOCKED
            work.searched = True
            self._sort(work)
        return self._reply(session, work)

    def _search(self, session: Session, work: Work) -> Blocked | None:
        if work.moves is not None and not self._write(session, work, None):
            return BLOCKED
        while work.interval_no < len(work.intervals) and not _is_full(work):
            interval = work.intervals[work.interval_no]
            if not work.ended and not self._walk(session, work, interval):
                return BLOCKED
            work.interval_no += 1
            work.at, work.ended = None, False
        return None

    def _sort(self, work: Work) -> None:
        plan = work.plan
        if plan.sort_key is not None:
            work.found.sort(key=plan.sort_key)
            if work.limit is not None:
                del work.found[work.limit :]
            work.matched = len(work.found)

    def _reply(self, session: Session, work: Work) -> Any:
        plan = work.plan
        if plan.project is not None:
            return [plan.project(row) for row in work.found]
        while work.written < len(work.found):
            if not self._write(session, work, work.found[work.written]):
                return BLOCKED
            work.written += 1
        return work.matched

    def _walk(self, session: Session, work: Work, interval: Interval) -> bool:
        """Visit the records of one interval; False when one must be waited for."""
        tree = self._tree(work)
        while True:
            low, after = (
                (interval.low, interval.low_open) if work.at is None else (work.at, not work.again)
            )
            if not work.again:
                had = self._pass_dead(session, work, tree, low, after, interval)
                if had is Had.WAIT:
                    return False
                if had is not None and work.at is not None:
                    low, after = work.at, True
            state = self._visit_from(session, work, tree, low, after, interval)
            if state is not None:
                return state

    def _visit_from(
        self, session: Session, work: Work, tree: Tree, low: Key, after: bool, interval: Interval
    ) -> bool | None:
        """Visit records one by one: to the end of the interval (True), to a wait (False).

        None after a delete-marked record: there may be more, to be passed at once.
        """
        path = work.plan.path
        assert path is not None
        for key, mark in tree.walk(low, after):
            dead, beyond = mark == 1, interval.passed(key)
            if beyond and interval.point:
                self._close(session, tree, key)
                return True
            session.examined += 1
            session.walked_dead += dead
            visit = self._visit if dead or not beyond else self._overshoot
            had = visit(session, work, tree, key, dead)
            work.at, work.again = key, had is Had.WAIT
            if had is Had.WAIT:
                return False
            at_end = path.unique and (path.number < 0 or not dead)
            work.ended = (at_end or (beyond and not dead)) and had is not Had.TAKEN
            if work.moves is not None and not self._write(session, work, None):
                return False
            if work.ended or _is_full(work):
                return True
            if dead:
                return None
        self._close(session, tree, SUPREMUM)
        return True

    def _pass_dead(
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
        if self.gaps and self._kind(work, first) != NEXT_KEY:
            return True
        if work.plan.on_locked != "fail":
            return False
        return bool(len(tree.space.spans) or tree.space.marked(first, just_after(last)))

    def _sweep(self, session: Session, work: Work, tree: Tree, first: Key, end: Key) -> Key | None:
        """Lock all records of a stretch, all delete-marked; the one that must be waited for."""
        space = tree.space
        marked = space.marked(first, end)
        if not self.gaps:
            for key in marked:
                if self._visit(session, work, tree, key, dead=True) is Had.WAIT:
                    return key
            return None
        for start, stop, lock in space.spans.pieces(first, end):
            waits = None
            if lock is None:
                inside = [key for key in marked if start <= key < stop]
                waits = self._sweep_free(session, work, tree, start, stop, inside)
            elif lock.owner is not session and work.plan.on_locked != "skip":
                key = next(tree.between(start, stop))
                waits = key if self._lock(session, work, tree, key, NEXT_KEY) is Had.WAIT else None
            if waits is not None:
                return waits
        return None

    def _sweep_free(
        self, session: Session, work: Work, tree: Tree, start: Key, stop: Key, marked: list[Key]
    ) -> Key | None:
        """The same for a piece that is in nobody's span: between the marked records take spans."""
        for key in marked:
            self._sweep_unmarked(session, tree, start, key)
            if self._lock(session, work, tree, key, NEXT_KEY) is Had.WAIT:
                return key
            start = just_after(key)
        self._sweep_unmarked(session, tree, start, stop)
        return None

    def _sweep_unmarked(self, session: Session, tree: Tree, start: Key, stop: Key) -> None:
        if any(tree.between(start, stop)):
            self.manager.acquire_span(session, tree.space, start, stop)

    def _close(self, session: Session, tree: Tree, key: Key) -> None:
        """Under REPEATABLE READ the gap after the last record of an interval is locked too."""
        if self.gaps:
            self.manager.acquire(session, tree.space, key, NEXT_KEY if key == SUPREMUM else GAP)

    def _overshoot(self, session: Session, work: Work, tree: Tree, key: Key, dead: bool) -> Had:
        """The first live record beyond a range: it is locked before it is seen to be beyond."""
        had = self._lock(session, work, tree, key, self._kind(work, key))
        primary = self.stores[work.plan.table].primary
        if tree is primary:
            self._drop(session, tree, key, had)
        elif had in (Had.NEW, Had.HELD) and work.plan.index_test is None:
            had = self._lock(session, work, primary, (key[-1],), RECORD)
        return had

    def _visit(self, session: Session, work: Work, tree: Tree, key: Key, dead: bool) -> Had:
        """Lock a record and take its row if that fits."""
        store, test = self.stores[work.plan.table], work.plan.index_test
        kind = self._kind(work, key)
        if dead and not self.gaps and not self.manager.is_changed(session, tree.space, key):
            return Had.HELD
        if self._may_pass(session, work, tree, key, kind):
            return Had.TAKEN
        had = self._lock(session, work, tree, key, kind)
        if had is Had.WAIT or had is Had.TAKEN or dead:
            return had
        if tree is store.primary:
            if not self._take(session, work, store, key[-1]) and not _is_constant(work):
                self._drop(session, tree, key, had)
        elif test is None or test(tree.shape.row(key), work.args, work.now_s):
            had = self._lock(session, work, store.primary, (key[-1],), RECORD)
            if had is Had.NEW or had is Had.HELD:
                self._take(session, work, store, key[-1])
        return had

    def _drop(self, session: Session, tree: Tree, key: Key, had: Had) -> None:
        """READ COMMITTED gives a lock back that was had without waiting, for a row of no use."""
        if had is Had.NEW and not self.gaps:
            self.manager.unlock(session, tree.space, key, RECORD)

    def _take(self, session: Session, work: Work, store: Store, id_: int) -> bool:
        """Whether the row fits; then it is found."""
        row = store.get(id_)
        plan = work.plan
        assert row is not None
        assert plan.test is not None
        if self.strict:
            self._refuse_changed(session, store, id_)
        if not plan.test(row, work.args, work.now_s):
            return False
        work.matched += 1
        if plan.project is not None or plan.collects:
            work.found.append(row)
        else:
            self._begin_write(session, work, row)
        return True

    def _refuse_changed(self, session: Session, store: Store, id_: int) -> None:
        if session.view is not None and self.snapshots.changed_since(session, store, id_):
            raise ChangedSinceRead(f"{store.table.name} {id_}")

    def _write(self, session: Session, work: Work, row: Row | None) -> bool:
        """Change a row, or go on changing the one begun; False when it must wait."""
        if work.moves is None and row is not None:
            self._begin_write(session, work, row)
        return work.moves is None or self.writer.finish(session, work)

    def _begin_write(self, session: Session, work: Work, row: Row) -> None:
        plan = work.plan
        new = None if plan.change is None else plan.change(row, work.args, work.now_s)
        if new != row:
            self.writer.begin_change(session, work, row, new)

    def _tree(self, work: Work) -> Tree:
        path = work.plan.path
        assert path is not None
        store = self.stores[work.plan.table]
        return store.primary if path.number < 0 else store.indexes[path.number]

    def _kind(self, work: Work, key: Key) -> int:
        path = work.plan.path
        assert path is not None
        if not self.gaps or (path.unique and path.number < 0):
            return RECORD
        interval = work.intervals[work.interval_no]
        first = path.number < 0 and key == interval.low and not interval.low_open
        return RECORD if first else NEXT_KEY

    def _may_pass(self, session: Session, work: Work, tree: Tree, key: Key, kind: int) -> bool:
        """READ COMMITTED's semi-consistent read of an update that scans the clustered index.

        A locked row whose committed version does not fit is passed by without waiting.
        """
        plan, path = work.plan, work.plan.path
        assert path is not None
        if self.gaps or path.number >= 0 or path.unique or plan.sort_key is not None:
            return False
        if isinstance(plan.effect, Select):
            return False
        if work.again or not self.manager.is_taken(session, tree.space, key, kind):
            return False
        row = self.snapshots.committed(session, self.stores[plan.table], plan.table, key[-1])
        assert plan.test is not None
        return row is None or not plan.test(row, work.args, work.now_s)

    def _lock(self, session: Session, work: Work, tree: Tree, key: Key, kind: int) -> Had:
        how = work.plan.on_locked
        had = self.manager.acquire(session, tree.space, key, kind, wait=how == "wait")
        if had is Had.TAKEN and how == "fail":
            raise LockTimeout(f"{tree.name} {key} is locked")
        return had


def _is_full(work: Work) -> bool:
    """Whether the limit ends the walk; where rows are to be sorted it does not."""
    if work.limit is None or work.plan.sort_key is not None:
        return False
    return work.matched >= work.limit


def _is_constant(work: Work) -> bool:
    """Whether the server takes the row for a constant: a select by a whole primary key."""
    path = work.plan.path
    assert path is not None
    return work.plan.project is not None and path.unique and len(work.intervals) == 1
