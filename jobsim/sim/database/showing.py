"""What can be seen of a session's locks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from jobsim.sim.database.keys import Key
from jobsim.sim.database.locks import KINDS, SHARED, Holder, Lock, conflicts
from jobsim.sim.database.rows import Store
from jobsim.sim.database.session import Session

Shown: TypeAlias = "tuple[str, Key, str, str]"
"""Index, key, ``X`` or ``S``, kind."""


def locks_of(stores: Sequence[Store], session: Session) -> list[Shown]:
    """Granted record locks."""
    found = [shown for lock in session.locks if not lock.waiting for shown in _shown(lock)]
    for tree in (tree for store in stores for tree in store.trees):
        for first, end, lock in tree.space.spans:
            if lock.owner is session:
                inside = tree.between(first, end)
                found += ((tree.name, key, "X", KINDS[lock.kind]) for key in inside)
    return found


def wait_of(session: Session) -> Shown | None:
    """The lock that a session waits for."""
    return None if session.wait is None else _shown(session.wait)[0]


def blockers(session: Session) -> list[Session]:
    """Whose locks or earlier requests hold a session up."""
    wait = session.wait
    if wait is None:
        return []
    found: dict[Holder, None] = {}
    for lock in wait.space.requests(next(iter(wait.keys))):
        if lock is wait:
            break
        if lock.owner is not session and conflicts(wait.kind, lock.kind):
            found[lock.owner] = None
    return cast("list[Session]", list(found))


def _shown(lock: Lock) -> list[Shown]:
    mode = "S" if lock.kind & SHARED else "X"
    return [(lock.space.name, key, mode, KINDS[lock.kind & ~SHARED]) for key in lock.keys]
