"""Purge: removing delete-marked entries that nobody may need any more."""

from __future__ import annotations

from collections.abc import Iterator

from jobsim.sim.database.index import Tree
from jobsim.sim.database.locks import SUPREMUM, Key, LockManager
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import Session
from jobsim.sim.database.snapshot import Snapshots


class Purger:
    """Removes what no open transaction and no snapshot can come back to."""

    def __init__(self, manager: LockManager, snapshots: Snapshots) -> None:
        self.manager = manager
        self.snapshots = snapshots

    def purge(self) -> int:
        """Number of index entries removed."""
        self.snapshots.trim()
        removed = 0
        for table, store in enumerate(self.snapshots.stores):
            needed = self._needed(table, store)
            for tree in store.trees:
                if any(run.deads for run in tree.runs.values()):
                    keep = {key for owner, key in needed if owner is tree}
                    removed += self._sweep(tree, keep)
            store.cool()
        return removed

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

    def _sweep(self, tree: Tree, keep: set[Key]) -> int:
        kept = [key for key in keep if tree.state(key) == 1]
        for key in kept:
            tree.add(key, dead=2)
        self._pass_locks_on(tree)
        removed = sum(run.sweep() for run in tree.runs.values())
        for key in kept:
            tree.add(key, dead=1)
        tree.tidy()
        return removed

    def _pass_locks_on(self, tree: Tree) -> None:
        """Locks of records that go become gap locks of the next one that stays."""
        space = tree.space
        for key in [k for k in (*space.queues, *space.implicit) if k != SUPREMUM]:
            if tree.state(key) == 1:
                heir = next((k for k, dead in tree.walk(key, after=True) if dead != 1), SUPREMUM)
                self.manager.inherit_removal(space, key, heir)


def _half_done(session: Session) -> Iterator[tuple[Tree, Key]]:
    work = session.work
    if work is not None and work.moves is not None:
        for tree, _, key in work.done:
            yield tree, key
