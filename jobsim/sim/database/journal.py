"""Writing out the journal of a transaction that was alone, when another one comes."""

from __future__ import annotations

from typing import Any

from jobsim.sim.database.access import Interval
from jobsim.sim.database.alone import Walked
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import SUPREMUM, Key, Row
from jobsim.sim.database.locks import GAP, NEXT_KEY, RECORD
from jobsim.sim.database.manager import LockManager
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import Move, Session
from jobsim.sim.database.spans import just_after


class Scribe:
    """Turns journals into queued and implicit locks; nobody else has any, so all are granted."""

    def __init__(self, manager: LockManager, stores: list[Store], *, gaps: bool) -> None:
        self.manager = manager
        self.stores = stores
        self.gaps = gaps

    def write_out(self, session: Session) -> None:
        """Queue what the journal and the undo list say, in the order in which it happened."""
        moves = self._moves(session)
        made = {(tree, key) for _, row_moves in moves for tree, _, key in row_moves}
        made.difference_update(session.revived)
        done = 0
        for position, *entry in session.journal:
            self._changed(session, moves[done:position], made)
            done = position
            self._walked(session, entry, made)
        self._changed(session, moves[done:], made)
        session.journal.clear()

    def _moves(self, session: Session) -> list[tuple[bool, list[Move]]]:
        """For each change, whether there was a row before, and what it did to the indexes."""
        later: dict[tuple[int, int], Row | None] = {}
        found: list[tuple[bool, list[Move]]] = []
        for table, id_, old in reversed(session.undo):
            store = self.stores[table]
            new = later.get((table, id_), store.get(id_))
            later[table, id_] = old
            record = (store.primary, (id_,) if old else None, None if old else (id_,))
            found.append((old is not None, [record, *store.moves(old, new)]))
        return found[::-1]

    def _changed(
        self, session: Session, changes: list[tuple[bool, list[Move]]], made: set[Any]
    ) -> None:
        """Every record that a change touched is locked by having been changed."""
        for was_there, moves in changes:
            if was_there:
                tree, key, _ = moves[0]
                self._hold(session, tree, key or (), RECORD)
            for tree, unmade, new in moves:
                for key in (unmade, new):
                    if key is not None and tree.state(key) is not None:
                        self.manager.imply(session, tree.space, key)
                if (tree, new) in made and new is not None:
                    made.discard((tree, new))
                    self.manager.inherit_insert(tree.space, new, _after(tree, new, made))

    def _walked(self, session: Session, entry: list[Any], made: set[Any]) -> None:
        walked = entry[0] if len(entry) == 1 else _first_of_run(self.stores, *entry)
        store = self.stores[walked.table]
        tree = store.primary if walked.number < 0 else store.indexes[walked.number]
        if self.gaps:
            self._span(session, tree, walked, made)
        else:
            self._records(session, tree, walked)
        for id_ in walked.rows:
            self._hold(session, store.primary, (id_,), RECORD)

    def _span(self, session: Session, tree: Tree, walked: Walked, made: set[Any]) -> None:
        interval, stop = walked.interval, walked.stop
        stretch: list[Key] = []
        beyond = SUPREMUM
        for key, _ in tree.walk(interval.low, interval.low_open):
            past = interval.point and interval.passed(key) if stop is None else key > stop
            if not past:
                stretch.append(key)
            elif stop is not None or (tree, key) not in made:
                beyond = key
                break
        self._hold_all(session, tree, walked, stretch)
        if stop is None:
            self._hold(session, tree, beyond, NEXT_KEY if beyond == SUPREMUM else GAP)

    def _hold_all(self, session: Session, tree: Tree, walked: Walked, stretch: list[Key]) -> None:
        """Next-key locks on neighbouring records."""
        if stretch and _kind(walked, stretch[0]) == RECORD:
            self._hold(session, tree, stretch.pop(0), RECORD)
        if len(stretch) < 2:
            for key in stretch:
                self._hold(session, tree, key, NEXT_KEY)
        else:
            for first, end, lock in tree.space.spans.pieces(stretch[0], just_after(stretch[-1])):
                if lock is None:
                    self.manager.acquire_span(session, tree.space, first, end)

    def _records(self, session: Session, tree: Tree, walked: Walked) -> None:
        if walked.passed:
            self.manager.touch(session, tree.space)
        before: dict[int, Row | None] = {}
        for table, id_, old in session.undo:
            if table == walked.table:
                before.setdefault(id_, old)
        for id_ in walked.seen:
            row = before[id_] if id_ in before else self.stores[walked.table].get(id_)
            if row is not None:
                self._hold(session, tree, tree.shape.key(row), RECORD)

    def _hold(self, session: Session, tree: Tree, key: Key, kind: int) -> None:
        if key == SUPREMUM or tree.state(key) is not None:
            self.manager.acquire(session, tree.space, key, kind)


def _after(tree: Tree, key: Key, made: set[Any]) -> Key:
    """The record after one when it was inserted: what was made later was not there."""
    return next((k for k, _ in tree.walk(key, after=True) if (tree, k) not in made), SUPREMUM)


def _kind(walked: Walked, key: Key) -> int:
    interval = walked.interval
    if walked.number < 0 and (interval.point or (key == interval.low and not interval.low_open)):
        return RECORD
    return NEXT_KEY


def _first_of_run(
    stores: list[Store], table: int, number: int, prefix: Any, rank: float, id_: int
) -> Walked:
    """What a claim of the first live entry of a run has walked."""
    shape = stores[table].indexes[number].shape
    start = (prefix,) if shape.prefix_n == 1 else prefix
    interval = Interval(start, start, point=True)
    return Walked(
        table, number, interval, shape.join(prefix, rank, id_), (id_,), (id_,), passed=False
    )
