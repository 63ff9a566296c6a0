"""Purge: removing delete-marked entries that nobody may need any more."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import SUPREMUM, Key
from jobsim.sim.database.manager import LockManager
from jobsim.sim.database.rows import Store
from jobsim.sim.database.runs import CHUNK
from jobsim.sim.database.session import Session
from jobsim.sim.database.snapshot import Snapshots

NOTHING: Final[frozenset[tuple[float, int]]] = frozenset()


class Purger:
    """Removes what no open transaction and no snapshot can come back to."""

    def __init__(self, manager: LockManager, snapshots: Snapshots) -> None:
        self.manager = manager
        self.snapshots = snapshots

    def purge(self) -> int:
        """Number of index entries removed."""
        if self._idle():
            return sum(map(_drop_dead, self.snapshots.stores))
        self.snapshots.trim()
        removed = 0
        for table, store in enumerate(self.snapshots.stores):
            needed = self._needed(table, store)
            for tree in store.trees:
                keep = {key for owner, key in needed if owner is tree}
                removed += self._sweep(tree, keep)
            store.cool()
        return removed

    def _idle(self) -> bool:
        """Whether nobody has anything open: then every delete-marked entry may go at once."""
        if self.snapshots.open:
            return False
        for session in self.snapshots.sessions.values():
            if session.undo or session.revived or session.work is not None:
                return False
        for store in self.snapshots.stores:
            for tree in store.trees:
                space = tree.space
                if space.queues or space.implicit or space.spans:
                    return False
        return True

    def _needed(self, table: int, store: Store) -> list[tuple[Tree, Key]]:
        """Entries of versions that a rollback or a snapshot may bring back."""
        found: list[tuple[Tree, Key]] = []
        for session in self.snapshots.sessions.values():
            for number, _, old in session.undo:
                if number == table and old is not None:
                    found += ((tree, tree.shape.key(old)) for tree in store.trees)
            found += session.revived
            found += _half_done(session)
        for versions in store.history.values():
            for _, version in versions:
                if version is not None:
                    found += ((tree, tree.shape.key(version)) for tree in store.trees)
        return found

    def _sweep(self, tree: Tree, needed: set[Key]) -> int:
        needed = {key for key in needed if tree.state(key) == 1}
        self._pass_locks_on(tree, needed)
        by_run: dict[Any, set[tuple[float, int]]] = {}
        for key in needed:
            prefix, rank, id_ = tree.shape.split(key)
            by_run.setdefault(prefix, set()).add((rank, id_))
        removed = sum(run.settle(by_run.get(p, NOTHING)) for p, run in tree.runs.items())
        tree.tidy()
        return removed

    def _pass_locks_on(self, tree: Tree, needed: set[Key]) -> None:
        """Locks of records that go become gap locks of the next one that stays."""
        space = tree.space
        for first, end, lock in list(space.spans):
            for key in deque(tree.between(first, end), maxlen=1):
                if tree.state(key) == 1 and key not in needed:
                    self.manager.inherit_span(lock, _heir(tree, key, needed))
        for key in [k for k in (*space.queues, *space.implicit) if k != SUPREMUM]:
            if tree.state(key) == 1 and key not in needed:
                self.manager.inherit_removal(space, key, _heir(tree, key, needed))


def _drop_dead(store: Store) -> int:
    """Remove all delete-marked entries of a table, and the runs that are left empty."""
    removed = 0
    for tree in store.trees:
        for run in list(tree.runs.values()):
            tail = run.chunks[-1].entries
            if run.deads or not tail or len(tail) > 2 * CHUNK:
                removed += run.settle(NOTHING)
                if not run.chunks[-1].entries:
                    tree.forget(run.prefix)
    store.cool()
    return removed


def _heir(tree: Tree, key: Key, needed: set[Key]) -> Key:
    """The next record that stays."""
    following = tree.walk(key, after=True)
    return next((k for k, dead in following if not dead or k in needed), SUPREMUM)


def _half_done(session: Session) -> Iterator[tuple[Tree, Key]]:
    work = session.work
    if work is not None and work.moves is not None:
        for tree, _, key in work.done:
            yield tree, key
