"""The simulated database: sessions, statements, transactions, over tables with row locks.

It models InnoDB (MariaDB 10.11) as a pure state machine: it has no clock and no random numbers, it
answers at once or says that the session waits, and it can be copied at any moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, cast

from jobsim.effects import (
    ChangedSinceRead,
    Deadlock,
    Delete,
    DuplicateKey,
    Insert,
    Isolation,
    LockTimeout,
    Predicate,
    Select,
    Table,
    Update,
)
from jobsim.errors import UsageError
from jobsim.sim.database.alone import specialise
from jobsim.sim.database.journal import Scribe
from jobsim.sim.database.keys import Row
from jobsim.sim.database.locking import Locker
from jobsim.sim.database.manager import LockManager
from jobsim.sim.database.plan import Plan, compile_effect
from jobsim.sim.database.purge import Purger
from jobsim.sim.database.rows import Store
from jobsim.sim.database.searching import Searcher
from jobsim.sim.database.session import BLOCKED, Session, Work
from jobsim.sim.database.shortcut import PASS, shortcut
from jobsim.sim.database.showing import Shown, blockers, locks_of, wait_of
from jobsim.sim.database.snapshot import Snapshots
from jobsim.sim.database.watch import Watch
from jobsim.sim.database.writing import Writer


class Engine:
    """A database server's rows, indexes, locks and transactions.

    Parameters
    ----------
    tables
        The tables, empty.
    isolation
        ``repeatable-read`` or ``read-committed``, of every session.
    snapshot_isolation
        Refuse to lock a row that was changed since the transaction's snapshot
        (``innodb_snapshot_isolation``).
    shortcut
        Keep no lock queues while one transaction is alone. Replies are the same without.

    Attributes
    ----------
    granted
        Sessions whose wait ended since the caller last cleared the list: resume them.
    victims
        Sessions rolled back for a deadlock, other than by an exception out of `run` or `resume`,
        since the caller last cleared the list.

    Raises
    ------
    UsageError
        For an isolation level that is not modelled.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        isolation: Isolation = "repeatable-read",
        snapshot_isolation: bool = False,
        *,
        shortcut: bool = True,
    ) -> None:
        if isolation not in ("repeatable-read", "read-committed"):
            raise UsageError(
                f"isolation {isolation} is not simulated; repeatable-read and read-committed are"
            )
        self.isolation = isolation
        self.stores = [Store(table) for table in tables]
        self.sessions: dict[int, Session] = {}
        self.victims: list[Session] = []
        self._gaps = isolation == "repeatable-read"
        self._next_number = 1
        self._plans: dict[Any, Plan] = {}
        self.manager = LockManager()
        self.granted = cast("list[Session]", self.manager.granted)
        self._snapshots = Snapshots(self.stores, self.sessions, lasting=self._gaps)
        self._writer = Writer(self.manager, self.stores)
        self._searcher = Searcher(
            Locker(self.manager, gaps=self._gaps), self.stores, self._writer, self._snapshots,
            strict=snapshot_isolation and self._gaps,
        )  # fmt: skip
        self._purger = Purger(self.manager, self._snapshots)
        self._scribe = Scribe(self.manager, self.stores, gaps=self._gaps)
        self._shortcut = shortcut and not snapshot_isolation
        self._alone: Session | None = None
        """The session whose locks, if any, are in its journal."""
        self._sharing: dict[Session, None] = {}
        """Sessions whose locks are in the queues; none while one is alone."""

    def copy(self) -> Engine:
        """An independent copy; its sessions have the same numbers, and nobody watches it."""
        watches = [store.watches for store in self.stores]
        shared = [self._plans, *(store.table for store in self.stores)]
        try:
            for store in self.stores:
                store.watches = []
            return deepcopy(self, {id(thing): thing for thing in shared})
        finally:
            for store, watching in zip(self.stores, watches, strict=True):
                store.watches = watching

    def connect(self) -> Session:
        """Open a connection."""
        session = Session(self._next_number, leaves_gaps=self._gaps)
        self._next_number += 1
        self.sessions[session.number] = session
        return session

    def disconnect(self, session: Session) -> None:
        """Close a connection; what it had open is rolled back."""
        self.rollback(session)
        self.sessions.pop(session.number, None)
        if self._alone is session:
            self._alone = None

    def compile(self, effect: Select | Update | Insert | Delete) -> Plan:
        """How to perform an effect; made once for each."""
        plan = self._plans.get(effect)
        if plan is None:
            plan = self._plans[effect] = compile_effect(effect, self.stores)
            if self._shortcut:
                store = self.stores[plan.table]
                plan.alone = specialise(plan, store, gaps=self._gaps)
                plan.quick = None if plan.alone is None else shortcut(plan, store)
        return plan

    def begin(self, session: Session) -> None:
        """Open a transaction; one that is open is committed, as a server does."""
        if session.begun:
            self.commit(session)
        session.begun = True

    def run(self, session: Session, plan: Plan, args: Sequence[Any], now_s: float) -> Any:
        """Start a statement.

        Returns
        -------
        The effect's reply, or `BLOCKED` when the session waits for a lock.

        Raises
        ------
        Deadlock
            The session was chosen as victim; its transaction is gone.
        LockTimeout
            A row is locked and the effect says ``fail``; what the statement changed is undone.
        DuplicateKey
            What the statement changed is undone.
        ChangedSinceRead
            Under snapshot isolation; the transaction is gone.
        """
        if plan.quick is not None and (session is self._alone or self._enter(session)):
            reply = plan.quick(self.stores, session, args, now_s)
            if reply is not PASS:
                return reply
        if plan.alone is not None and (session is self._alone or self._enter(session)):
            reply = plan.alone(self.stores, session, args, now_s)
            if reply is not PASS:
                return reply
        return self._run(session, plan, args, now_s)

    def _run(self, session: Session, plan: Plan, args: Sequence[Any], now_s: float) -> Any:
        """Start a statement in the general way."""
        session.examined = session.walked_dead = session.changed = 0
        if not plan.locks:
            return self._snapshots.read(session, plan, args, now_s)
        self._share(session)
        session.work = work = Work(plan, args, now_s, len(session.undo))
        if plan.path is not None:
            work.intervals = plan.path.intervals(args, now_s)
            if plan.limit is not None:
                work.limit = plan.limit((), args, now_s)
        elif plan.build is not None:
            work.found = self._new_rows(plan, args[0], now_s)
        return self._step(session, work)

    def _enter(self, session: Session) -> bool:
        """Let a session be alone, if no other has locks."""
        if self._sharing:
            return False
        other = self._alone
        if other is not None and (other.undo or other.journal):
            self._share(other)
            return False
        self._alone = session
        return True

    def _share(self, session: Session) -> None:
        """Let a session use the queues; who was alone does too."""
        other, self._alone = self._alone, None
        if other is not None and (other.undo or other.journal):
            self._scribe.write_out(other)
            self._sharing[other] = None
        self._sharing[session] = None

    def _new_rows(self, plan: Plan, given: Sequence[Sequence[Any]], now_s: float) -> list[Row]:
        store, build = self.stores[plan.table], plan.build
        assert build is not None
        first = store.next_id
        if store.table.id_assigned:
            store.next_id += len(given)
        return [build(values, first + n, now_s) for n, values in enumerate(given)]

    def resume(self, session: Session, now_s: float) -> Any:
        """Go on with a statement whose wait has ended; as `run`."""
        work = session.work
        if work is None or session.wait is not None:
            raise UsageError(f"{session!r} has nothing to go on with")
        return self._step(session, work)

    def _step(self, session: Session, work: Work) -> Any:
        try:
            if work.plan.build is not None:
                reply = self._insert(session, work)
            else:
                reply = self._searcher.go_on(session, work)
        except (LockTimeout, DuplicateKey):
            self._abandon(session)
            self._settle(None)
            raise
        except ChangedSinceRead:
            self.rollback(session)
            raise
        if reply is not BLOCKED:
            session.work = None
            return reply
        self._settle(session)
        return BLOCKED

    def _insert(self, session: Session, work: Work) -> Any:
        while work.written < len(work.found):
            if work.moves is None:
                self._writer.begin_insert(session, work, work.found[work.written])
            if not self._writer.finish(session, work):
                return BLOCKED
            work.written += 1
        return work.found[0][0] if work.plan.returning_id else work.written

    def _settle(self, requester: Session | None) -> None:
        """Find deadlocks and roll their victims back."""
        while (victim := self.manager.next_victim(requester)) is not None:
            session = cast("Session", victim)
            self._end(session, undo=True)
            if session is requester:
                self._settle(None)
                raise Deadlock(f"session {session.number}")
            self.victims.append(session)

    def _abandon(self, session: Session) -> None:
        """End a statement without its changes; the transaction and its locks stay."""
        work = session.work
        self.manager.cancel(session)
        if work is not None:
            self._writer.undo_to(session, work.savepoint)
            session.work = None
        if session in self.granted:
            self.granted.remove(session)

    def time_out(self, session: Session) -> None:
        """The wait has lasted too long: the statement fails, the transaction stays open."""
        self._abandon(session)
        self._settle(None)

    def kill_statement(self, session: Session) -> None:
        """Somebody killed the waiting statement: as `time_out`."""
        self.time_out(session)

    def commit(self, session: Session) -> None:
        """Make changes lasting and visible and free the locks."""
        if session is self._alone and session.view is None:
            if session.undo:
                if self._snapshots.open:
                    self._snapshots.record(session)
                session.undo.clear()
                if session.revived:
                    session.revived.clear()
            if session.journal:
                session.journal.clear()
            session.begun = False
            return
        if session.undo:
            self._snapshots.record(session)
            session.undo.clear()
            session.revived.clear()
        self._end(session, undo=False)
        self._settle(None)

    def rollback(self, session: Session) -> None:
        """Take changes back and free the locks."""
        self._end(session, undo=True)
        self._settle(None)

    def _end(self, session: Session, undo: bool) -> None:
        if undo:
            self._abandon(session)
            self._writer.undo_to(session, 0)
        self._snapshots.close(session)
        session.begun = False
        session.work = None
        session.journal.clear()
        self._sharing.pop(session, None)
        self.manager.release(session)

    def purge(self, now_s: float) -> int:
        """Remove delete-marked index entries that nobody needs; their number."""
        removed = self._purger.purge()
        self._settle(None)
        return removed

    def watch(self, table: Table, predicate: Predicate, params: Sequence[Any] = ()) -> Watch:
        """Watch for rows that fit."""
        store = self._store(table)
        watch = Watch(store, predicate, params, lambda: self._still_seen(store))
        store.watches.append(watch)
        return watch

    def _still_seen(self, store: Store) -> Iterator[Row]:
        """Versions of rows that open transactions have replaced, which others still read."""
        number = self.stores.index(store)
        for session in self.sessions.values():
            for table, _, old in session.undo:
                if table == number and old is not None:
                    yield old

    def _store(self, table: Table) -> Store:
        for store in self.stores:
            if store.table.name == table.name:
                return store
        raise UsageError(f"no table {table.name!r}")

    def rows(self, table: Table) -> Iterator[Row]:
        """The committed version of each row, in the order of ids."""
        store = self._store(table)
        reader = Session(0, leaves_gaps=False)
        old = self._snapshots.dirty(reader, self.stores.index(store))
        newest = {row[0]: row for row in store if row[0] not in old}
        newest.update((id_, row) for id_, row in old.items() if row is not None)
        for id_ in sorted(newest):
            yield newest[id_]

    def table_len(self, table: Table) -> int:
        """Number of rows in their newest versions."""
        return len(self._store(table))

    def locks_of(self, session: Session) -> list[Shown]:
        """Granted record locks: index, key, ``X`` or ``S``, kind."""
        if self._alone is session and (session.undo or session.journal):
            self._share(session)
        return locks_of(self.stores, session)

    def waits_of(self, session: Session) -> Shown | None:
        """The lock that it waits for."""
        return wait_of(session)

    def blockers(self, session: Session) -> list[Session]:
        """Whom a session waits for."""
        return blockers(session)
