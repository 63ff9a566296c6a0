"""Statements of a transaction that is alone: nothing can conflict, so no lock is queued.

What it would have locked goes into its journal in short form, one entry an interval walked. When a
second transaction comes, the journal is written out into the lock queues and both go on there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from jobsim.sim.database.access import Access, Interval
from jobsim.sim.database.keys import Key, Row
from jobsim.sim.database.plan import Plan
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import Session
from jobsim.sim.database.shortcut import PASS, Statement
from jobsim.sim.database.visiting import visit

Walk: TypeAlias = Callable[..., None]
"""Walks one interval: adds the rows that fit to ``found``, at most up to ``limit``."""


class Walked(NamedTuple):
    """One interval that was walked.

    Attributes
    ----------
    table
        Number of the table.
    number
        Of the index, -1 for the clustered one.
    interval
        What was walked.
    stop
        The last key seen; None when the interval was walked to its end.
    seen
        Ids of index records that are locked as records only (READ COMMITTED).
    rows
        Ids whose clustered record is locked besides.
    passed
        Record locks were had and given back (READ COMMITTED).
    """

    table: int
    number: int
    interval: Interval
    stop: Key | None
    seen: Sequence[int]
    rows: Sequence[int]
    passed: bool


def specialise(plan: Plan, store: Store, *, gaps: bool) -> Statement | None:
    """How a plan is performed alone; None when only the general way will do."""
    if any(tree.unique for tree in store.indexes) or not plan.locks:
        return None
    return _insert(plan) if plan.path is None else _search(plan, plan.path, store, gaps=gaps)


def _insert(plan: Plan) -> Statement:
    build, table = plan.build, plan.table
    assert build is not None

    def insert(stores: list[Store], session: Session, args: Sequence[Any], now_s: float) -> Any:
        store = stores[table]
        next_id = store.next_id
        rows = [build(values, next_id + n, now_s) for n, values in enumerate(args[0])]
        for row in rows:
            if row[0] < next_id:
                return PASS
            next_id = row[0] + 1
        for row in rows:
            id_ = row[0]
            store.hot[id_] = row
            store.body.append(id_, id_)
            for tree in store.indexes:
                prefix, rank = tree.shape.entry(row)
                if tree.run(prefix).append(rank, id_):
                    session.revived.append((tree, tree.shape.key(row)))
            session.undo.append((table, id_, None))
            store.changed(row)
        store.next_id = next_id
        session.examined = session.walked_dead = 0
        session.changed = len(rows)
        return rows[0][0] if plan.returning_id else len(rows)

    return insert


def _search(plan: Plan, path: Access, store: Store, *, gaps: bool) -> Statement:
    make = _run_walker if _in_runs(path, store) else _walker
    walk = (make if path.bounds or path.number >= 0 else _scanner)(plan, path, gaps=gaps)
    limit_of, sort_key, project = plan.limit, plan.sort_key, plan.project

    def search(stores: list[Store], session: Session, args: Sequence[Any], now_s: float) -> Any:
        store = stores[plan.table]
        session.examined = session.walked_dead = session.changed = 0
        limit = None if limit_of is None else limit_of((), args, now_s)
        found: list[Row] = []
        for interval in path.intervals(args, now_s):
            if limit is not None and sort_key is None and len(found) >= limit:
                break
            stop_at = None if sort_key is not None else limit
            walk(store, session, interval, found, stop_at, args, now_s)
        if sort_key is not None:
            found.sort(key=sort_key)
            if limit is not None:
                del found[limit:]
        if project is not None:
            return [project(row) for row in found]
        for row in found:
            _write(plan, store, session, row, args, now_s)
        return len(found)

    return search


def _in_runs(path: Access, store: Store) -> bool:
    """Whether each interval is one whole run of a secondary index."""
    if path.number < 0 or not path.bounds:
        return False
    count = store.indexes[path.number].shape.prefix_n
    return all(
        bound.depth == 2 * count == 2 * (len(bound.equal) + (bound.in_list is not None))
        for bound in path.bounds
    )


def _run_walker(plan: Plan, path: Access, *, gaps: bool) -> Walk:
    """Walks whole runs, from their first live entry on."""
    table, number, test, index_test = plan.table, path.number, plan.test, plan.index_test
    assert test is not None

    def walk(
        store: Store,
        session: Session,
        interval: Interval,
        found: list[Row],
        limit: int | None,
        args: Sequence[Any],
        now_s: float,
    ) -> None:
        shape = store.indexes[number].shape
        seen: list[int] = []
        rows: list[int] = []
        stop: Key | None = None
        for row, dead in visit(store, store.indexes[number], interval):
            session.examined += dead + (row is not None)
            session.walked_dead += dead
            if row is None:
                break
            id_ = row[0]
            seen.append(id_)
            if index_test is not None and not index_test(row, args, now_s):
                continue
            rows.append(id_)
            if test(row, args, now_s):
                found.append(row)
                if limit is not None and len(found) >= limit:
                    stop = shape.key(row)
                    break
        walked = Walked(table, number, interval, stop, seen, rows, passed=False)
        session.journal.append((len(session.undo), walked))

    return walk


def _scanner(plan: Plan, path: Access, *, gaps: bool) -> Walk:
    """Walks the whole clustered index."""
    table, test = plan.table, plan.test
    assert test is not None

    def walk(
        store: Store,
        session: Session,
        interval: Interval,
        found: list[Row],
        limit: int | None,
        args: Sequence[Any],
        now_s: float,
    ) -> None:
        stop: Key | None = None
        examined = walked_dead = 0
        first = len(found)
        for row, dead in visit(store, store.primary, interval):
            walked_dead += dead
            examined += 1
            if row is None:
                examined -= 1
            elif test(row, args, now_s):
                found.append(row)
                if limit is not None and len(found) >= limit:
                    stop = (row[0],)
                    break
        session.examined += examined + walked_dead
        session.walked_dead += walked_dead
        rows = [] if gaps else [row[0] for row in found[first:]]
        walked = Walked(table, -1, interval, stop, [], rows, passed=examined > 0)
        session.journal.append((len(session.undo), walked))

    return walk


def _walker(plan: Plan, path: Access, *, gaps: bool) -> Walk:
    table, number, test, index_test = plan.table, path.number, plan.test, plan.index_test
    assert test is not None
    clustered, unique, constant = number < 0, path.unique, plan.project is not None

    def walk(
        store: Store,
        session: Session,
        interval: Interval,
        found: list[Row],
        limit: int | None,
        args: Sequence[Any],
        now_s: float,
    ) -> None:
        tree = store.primary if clustered else store.indexes[number]
        stop: Key | None = None
        seen: list[int] = []
        rows: list[int] = []
        passed = False
        for key, dead in tree.walk(interval.low, interval.low_open):
            beyond = interval.passed(key)
            if beyond and interval.point:
                break
            session.examined += 1
            session.walked_dead += dead
            if dead and unique:
                stop = key
                break
            if dead:
                continue
            row = store.get(key[-1]) or ()
            passed = clustered
            checked = index_test is None or (not beyond and index_test(row, args, now_s))
            fits = checked and not beyond and test(row, args, now_s)
            if not clustered:
                seen.append(row[0])
            if checked if not clustered else not gaps and (fits or (unique and constant)):
                rows.append(row[0])
            if fits:
                found.append(row)
            if beyond or unique or (limit is not None and len(found) >= limit):
                stop = key
                break
        walked = Walked(table, number, interval, stop, seen, rows, passed)
        session.journal.append((len(session.undo), walked))

    return walk


def _write(
    plan: Plan, store: Store, session: Session, row: Row, args: Sequence[Any], now_s: float
) -> None:
    id_ = row[0]
    if plan.change is None:
        new = None
        del store.hot[id_]
        store.primary.mark((id_,))
    else:
        new = plan.change(row, args, now_s)
        if new == row:
            return
        store.hot[id_] = new
    session.undo.append((plan.table, id_, row))
    session.changed += 1
    for tree, before, after in store.moves(row, new):
        if before is not None:
            tree.mark(before)
        if after is not None and tree.add(after):
            session.revived.append((tree, after))
    store.changed(new)
