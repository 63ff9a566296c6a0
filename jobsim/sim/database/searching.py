"""Finding the rows of a statement under locks: an index walk that may stop at any record."""

from __future__ import annotations

from typing import Any

from jobsim.effects import ChangedSinceRead, Select
from jobsim.sim.database.access import Interval
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import SUPREMUM, Key, Row
from jobsim.sim.database.locking import Locker
from jobsim.sim.database.locks import GAP, NEXT_KEY, RECORD, Had
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import BLOCKED, Blocked, Session, Work
from jobsim.sim.database.snapshot import Snapshots
from jobsim.sim.database.sweeping import Sweeper
from jobsim.sim.database.writing import Writer


class Searcher:
    """Runs selects with locks, updates and deletes.

    Parameters
    ----------
    locker, stores, writer, snapshots
        The engine's parts.
    strict
        Refuse rows that were changed since the transaction's snapshot.
    """

    def __init__(
        self,
        locker: Locker,
        stores: list[Store],
        writer: Writer,
        snapshots: Snapshots,
        *,
        strict: bool,
    ) -> None:
        self.locker = locker
        self.sweeper = Sweeper(locker)
        self.manager = locker.manager
        self.stores = stores
        self.writer = writer
        self.snapshots = snapshots
        self.gaps = locker.gaps
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
                had = self.sweeper.pass_dead(session, work, tree, low, after, interval)
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

    def _close(self, session: Session, tree: Tree, key: Key) -> None:
        """Under REPEATABLE READ the gap after the last record of an interval is locked too."""
        if self.gaps:
            self.manager.acquire(session, tree.space, key, NEXT_KEY if key == SUPREMUM else GAP)

    def _overshoot(self, session: Session, work: Work, tree: Tree, key: Key, dead: bool) -> Had:
        """The first live record beyond a range: it is locked before it is seen to be beyond."""
        had = self.locker.lock(session, work, tree, key, self.locker.kind(work, key))
        primary = self.stores[work.plan.table].primary
        if tree is primary:
            self.locker.drop(session, tree, key, had)
        elif had in (Had.NEW, Had.HELD) and work.plan.index_test is None:
            had = self.locker.lock(session, work, primary, (key[-1],), RECORD)
        return had

    def _visit(self, session: Session, work: Work, tree: Tree, key: Key, dead: bool) -> Had:
        """Lock a record and take its row if that fits."""
        store, test = self.stores[work.plan.table], work.plan.index_test
        kind = self.locker.kind(work, key)
        if dead:
            return self.locker.lock_dead(session, work, tree, key)
        if self._may_pass(session, work, tree, key, kind):
            return Had.TAKEN
        had = self.locker.lock(session, work, tree, key, kind)
        if had is Had.WAIT or had is Had.TAKEN:
            return had
        if tree is store.primary:
            if not self._take(session, work, store, key[-1]) and not _is_constant(work):
                self.locker.drop(session, tree, key, had)
        elif test is None or test(tree.shape.row(key), work.args, work.now_s):
            had = self.locker.lock(session, work, store.primary, (key[-1],), RECORD)
            if had is Had.NEW or had is Had.HELD:
                self._take(session, work, store, key[-1])
        return had

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
