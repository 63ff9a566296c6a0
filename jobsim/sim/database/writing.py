"""Changing one row: the clustered record, then each index; every step may have to wait."""

from __future__ import annotations

from typing import Any

from jobsim.effects import DuplicateKey
from jobsim.sim.database.index import Tree
from jobsim.sim.database.keys import Key, Row
from jobsim.sim.database.locks import GAP, INTENT, NEXT_KEY, RECORD, SHARED, Had
from jobsim.sim.database.manager import LockManager
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import Session, Work


class Writer:
    """Makes and unmakes versions of rows, under locks.

    Each method that may have to wait says False when it does; called again after the wait, it goes
    on where it was.
    """

    def __init__(self, manager: LockManager, stores: list[Store]) -> None:
        self.manager = manager
        self.stores = stores

    def begin_change(self, session: Session, work: Work, old: Row, new: Row | None) -> None:
        """Change the clustered record of a row that is locked; None deletes it."""
        store = self.stores[work.plan.table]
        id_ = old[0]
        session.undo.append((work.plan.table, id_, old))
        self.manager.imply(session, store.primary.space, (id_,))
        if new is None:
            del store.hot[id_]
            store.primary.mark((id_,))
        else:
            store.hot[id_] = new
            if any(map(_resized, old, new)):
                self.manager.moved(store.primary.space, (id_,))
        work.row = new
        work.moves, work.move_no, work.marked, work.done = list(store.moves(old, new)), 0, False, []

    def begin_insert(self, session: Session, work: Work, row: Row) -> None:
        store = self.stores[work.plan.table]
        work.row = row
        moves = [(tree, None, tree.shape.key(row)) for tree in store.trees]
        work.moves, work.move_no, work.marked, work.done = [*moves], 0, False, []

    def finish(self, session: Session, work: Work) -> bool:
        """Bring the indexes after the clustered record."""
        assert work.moves is not None
        while work.move_no < len(work.moves):
            tree, before, after = work.moves[work.move_no]
            if before is not None and not work.marked:
                if not self._mark(session, work, tree, before):
                    return False
                work.marked = True
            if after is not None and not self._enter(session, work, tree, after):
                return False
            work.move_no += 1
            work.marked = False
        work.moves = None
        session.changed += 1
        self.stores[work.plan.table].changed(work.row)
        return True

    def _mark(self, session: Session, work: Work, tree: Tree, key: Key) -> bool:
        if not self.manager.intend(session, tree.space, key, RECORD):
            return False
        tree.mark(key)
        self.manager.imply(session, tree.space, key)
        work.done.append((tree, "mark", key))
        return True

    def _enter(self, session: Session, work: Work, tree: Tree, key: Key) -> bool:
        """Insert an entry, or revive the delete-marked one of the same key."""
        store = self.stores[work.plan.table]
        clustered = tree is store.primary
        if (clustered or tree.unique) and not self._free(session, tree, key, clustered):
            return False
        state = tree.state(key)
        if state is not None:
            if not self.manager.intend(session, tree.space, key, RECORD):
                return False
            session.revived.append((tree, key))
        elif not self._open_gap(session, tree, key):
            return False
        self._place(session, work, store, tree, key)
        work.done.append((tree, "add" if state is None else "revive", key))
        return True

    def _open_gap(self, session: Session, tree: Tree, key: Key) -> bool:
        successor = tree.successor(key)
        if not self.manager.intend(session, tree.space, successor, INTENT):
            return False
        self.manager.inherit_insert(tree.space, key, successor)
        return True

    def _place(self, session: Session, work: Work, store: Store, tree: Tree, key: Key) -> None:
        if tree is store.primary:
            assert work.row is not None
            store.put(work.row)
            session.undo.append((work.plan.table, key[-1], None))
        else:
            tree.add(key)
        self.manager.imply(session, tree.space, key)

    def _free(self, session: Session, tree: Tree, key: Key, clustered: bool) -> bool:
        """Whether a unique key is free; DuplicateKey when it is taken; False when that is open."""
        if clustered:
            if tree.state(key) is None:
                return True
            if self.manager.acquire(session, tree.space, key, RECORD | SHARED) is Had.WAIT:
                return False
            if tree.state(key) == 0:
                raise DuplicateKey(f"{tree.name} {key}")
            return True
        return self._free_in_index(session, tree, key)

    def _free_in_index(self, session: Session, tree: Tree, key: Key) -> bool:
        columns = key[:-1]
        if any(part in ("", float("-inf")) for part in columns):
            return True
        equal = [(k, dead) for k, dead in tree.walk(columns) if k[:-1] == columns]
        for found, dead in equal:
            if self.manager.acquire(session, tree.space, found, NEXT_KEY | SHARED) is Had.WAIT:
                return False
            if not dead:
                raise DuplicateKey(f"{tree.name} {columns}")
        if equal:
            after = tree.successor(equal[-1][0])
            kind = GAP if after == ("supremum",) else NEXT_KEY
            return self.manager.acquire(session, tree.space, after, kind | SHARED) is not Had.WAIT
        return True

    def undo_to(self, session: Session, savepoint: int) -> None:
        """Take back what was changed since the undo list had this length."""
        work = session.work
        if work is not None and work.moves is not None:
            self._undo_half(session, work)
        while len(session.undo) > savepoint:
            table, id_, old = session.undo.pop()
            self._restore(session, self.stores[table], id_, old)
        if not session.undo:
            session.revived.clear()

    def _undo_half(self, session: Session, work: Work) -> None:
        """The row that the statement was changing when it was stopped."""
        assert work.moves is not None
        store = self.stores[work.plan.table]
        for tree, what, key in reversed(work.done):
            if tree is store.primary:
                continue
            if what == "mark":
                tree.add(key)
            else:
                self._unmake(session, tree, key)
        inserted = bool(work.moves) and work.moves[0][0] is store.primary
        work.moves = None
        if inserted and not work.done:
            return
        table, id_, old = session.undo.pop()
        self._restore_record(session, self.stores[table], id_, old)

    def _restore(self, session: Session, store: Store, id_: int, old: Row | None) -> None:
        for tree, made, unmade in store.moves(store.get(id_), old):
            if made is not None:
                self._unmake(session, tree, made)
            if unmade is not None:
                tree.add(unmade)
        self._restore_record(session, store, id_, old)
        store.changed(old)

    def _restore_record(self, session: Session, store: Store, id_: int, old: Row | None) -> None:
        if old is not None:
            store.hot[id_] = old
            store.primary.add((id_,))
            return
        store.get(id_)
        del store.hot[id_]
        self._unmake(session, store.primary, (id_,))

    def _unmake(self, session: Session, tree: Tree, key: Key) -> None:
        if (tree, key) in session.revived:
            tree.mark(key)
        else:
            self.erase(tree, key)

    def erase(self, tree: Tree, key: Key) -> None:
        """Remove a record; its locks go to its successor."""
        if key in tree.space.queues or key in tree.space.implicit:
            self.manager.inherit_removal(tree.space, key, tree.successor(key))
        tree.remove(key)


def _resized(old: Any, new: Any) -> bool:
    """Whether a value takes another number of bytes in a record."""
    if old is None or new is None:
        return old is not new
    return isinstance(old, str) and len(old) != len(new)
