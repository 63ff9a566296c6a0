"""Multiversion reads: which version of a row a plain select sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jobsim.sim.database.keys import Row
from jobsim.sim.database.plan import Plan
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import Session
from jobsim.sim.database.visiting import visit


class Snapshots:
    """Old versions of rows, as far as somebody may still see them.

    Parameters
    ----------
    stores, sessions
        The engine's tables and connections.
    lasting
        A transaction's first plain select fixes what all of them see (REPEATABLE READ); else each
        statement sees what is committed when it starts.
    """

    def __init__(self, stores: list[Store], sessions: dict[int, Session], lasting: bool) -> None:
        self.stores = stores
        self.sessions = sessions
        self.lasting = lasting
        self.commit_no = 0
        self.open = 0
        """How many sessions have a lasting snapshot."""

    def look(self, session: Session) -> None:
        """Open the transaction's snapshot if it has none."""
        if self.lasting and session.begun and session.view is None:
            session.view = self.commit_no
            self.open += 1

    def close(self, session: Session) -> None:
        if session.view is None:
            return
        session.view = None
        self.open -= 1
        if not self.open:
            for store in self.stores:
                store.history.clear()

    def record(self, session: Session) -> None:
        """A commit: keep what it replaced for those who look at the past."""
        self.commit_no += 1
        if self.open - (session.view is not None) <= 0:
            return
        seen: set[tuple[int, int]] = set()
        for table, id_, old in session.undo:
            if (table, id_) not in seen:
                seen.add((table, id_))
                history = self.stores[table].history
                history.setdefault(id_, []).append((self.commit_no, old))

    def trim(self) -> None:
        """Drop versions that no open snapshot sees."""
        views = [s.view for s in self.sessions.values() if s.view is not None]
        oldest = min(views, default=self.commit_no)
        for store in self.stores:
            for id_, versions in list(store.history.items()):
                kept = [version for version in versions if version[0] > oldest]
                if kept:
                    store.history[id_] = kept
                else:
                    del store.history[id_]

    def changed_since(self, session: Session, store: Store, id_: int) -> bool:
        """Whether somebody committed a change to the row after the session's snapshot."""
        assert session.view is not None
        return any(no > session.view for no, _ in store.history.get(id_, ()))

    def dirty(self, session: Session, table: int) -> dict[int, Row | None]:
        """Rows with uncommitted changes of others, and their committed versions."""
        found: dict[int, Row | None] = {}
        for other in self.sessions.values():
            if other is not session:
                for number, id_, old in other.undo:
                    if number == table:
                        found.setdefault(id_, old)
        return found

    def committed(self, session: Session, store: Store, table: int, id_: int) -> Row | None:
        """A row's last committed version, or the session's own."""
        dirty = self.dirty(session, table)
        return dirty[id_] if id_ in dirty else store.get(id_)

    def read(
        self, session: Session, plan: Plan, args: Sequence[Any], now_s: float
    ) -> list[tuple[Any, ...]]:
        """A plain select."""
        self.look(session)
        rows = self._fitting(session, plan, args, now_s)
        if plan.sort_key is not None:
            rows.sort(key=plan.sort_key)
        if plan.limit is not None:
            del rows[plan.limit((), args, now_s) :]
        assert plan.project is not None
        return [plan.project(row) for row in rows]

    def _fitting(
        self, session: Session, plan: Plan, args: Sequence[Any], now_s: float
    ) -> list[Row]:
        """Rows that fit, as the snapshot sees them, in the order of the access."""
        path, test = plan.path, plan.test
        assert path is not None
        assert test is not None
        store = self.stores[plan.table]
        tree = store.primary if path.number < 0 else store.indexes[path.number]
        old = self._old_versions(session, plan.table)
        limit = None if plan.limit is None or plan.sort_key else plan.limit((), args, now_s)
        found: list[Row] = []
        for interval in path.intervals(args, now_s):
            for row, dead in visit(store, tree, interval):
                session.examined += dead + (row is not None)
                session.walked_dead += dead
                if row is not None and row[0] not in old and test(row, args, now_s):
                    found.append(row)
                    if limit is not None and len(found) >= limit:
                        break
        past = [row for row in old.values() if row is not None and test(row, args, now_s)]
        return sorted([*found, *past], key=tree.shape.key) if past else found

    def _old_versions(self, session: Session, table: int) -> dict[int, Row | None]:
        """Rows of which the session does not see the newest version."""
        old = self.dirty(session, table)
        if session.view is None:
            return old
        own = {id_ for number, id_, _ in session.undo if number == table}
        for id_, versions in self.stores[table].history.items():
            if id_ not in own:
                past = [version for no, version in versions if no > session.view]
                if past:
                    old[id_] = past[0]
        return old
