"""Writing out the journal of a transaction that was alone, when another one comes."""

from __future__ import annotations

from typing import Any

from jobsim.sim.database.alone import Walked
from jobsim.sim.database.index import Row, Tree
from jobsim.sim.database.locks import GAP, NEXT_KEY, RECORD, SUPREMUM, Key, LockManager
from jobsim.sim.database.plan import Interval
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import Session


class Scribe:
    """Turns journals into queued and implicit locks; nobody else has any, so all are granted."""

    def __init__(self, manager: LockManager, stores: list[Store], *, gaps: bool) -> None:
        self.manager = manager
        self.stores = stores
        self.gaps = gaps

    def write_out(self, session: Session) -> None:
        """Queue what the journal and the undo list say."""
        for entry in session.journal:
            table, store = entry[0], self.stores[entry[0]]
            walked = entry[1] if len(entry) == 2 else _first_of_run(store, *entry[1:])
            tree = store.primary if walked.number < 0 else store.indexes[walked.number]
            if self.gaps:
                self._span(session, tree, walked)
            else:
                self._records(session, table, tree, walked)
            for id_ in walked.rows:
                self._hold(session, store.primary, (id_,), RECORD)
        session.journal.clear()
        self._imply(session)

    def _span(self, session: Session, tree: Tree, walked: Walked) -> None:
        interval, stop = walked.interval, walked.stop
        for key, _ in tree.walk(interval.low, interval.low_open):
            if stop is not None and key > stop:
                return
            if stop is None and interval.passed(key):
                self._hold(session, tree, key, GAP)
                return
            self._hold(session, tree, key, _kind(walked, interval, key))
        if stop is None:
            self._hold(session, tree, SUPREMUM, NEXT_KEY)

    def _records(self, session: Session, table: int, tree: Tree, walked: Walked) -> None:
        before: dict[int, Row | None] = {}
        for number, id_, old in session.undo:
            if number == table:
                before.setdefault(id_, old)
        for id_ in walked.seen:
            row = before[id_] if id_ in before else self.stores[table].get(id_)
            if row is not None:
                self._hold(session, tree, tree.shape.key(row), RECORD)

    def _hold(self, session: Session, tree: Tree, key: Key, kind: int) -> None:
        if key == SUPREMUM or tree.state(key) is not None:
            self.manager.acquire(session, tree.space, key, kind)

    def _imply(self, session: Session) -> None:
        """Every record that the changes touched is locked by having been changed."""
        later: dict[tuple[int, int], Row | None] = {}
        for table, id_, old in reversed(session.undo):
            store = self.stores[table]
            if old is not None:
                self._hold(session, store.primary, (id_,), RECORD)
            self.manager.imply(session, store.primary.space, (id_,))
            new = later.get((table, id_), store.get(id_))
            later[table, id_] = old
            for tree, unmade, made in store.moves(old, new):
                for key in (unmade, made):
                    if key is not None and tree.state(key) is not None:
                        self.manager.imply(session, tree.space, key)


def _kind(walked: Walked, interval: Interval, key: Key) -> int:
    if walked.number < 0 and (interval.point or (key == interval.low and not interval.low_open)):
        return RECORD
    return NEXT_KEY


def _first_of_run(store: Store, number: int, prefix: Any, rank: float, id_: int) -> Walked:
    """What a claim of the first live entry of a run has walked."""
    shape = store.indexes[number].shape
    start = (prefix,) if shape.prefix_n == 1 else prefix
    interval = Interval(start, start, point=True)
    return Walked(number, interval, shape.join(prefix, rank, id_), (id_,), (id_,))
