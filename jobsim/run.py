"""One run, resolved: what the drivers are given. Everything is in run seconds already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobsim import roles
from jobsim.effects import Connect, Isolation, Script, Table
from jobsim.faults import Fault
from jobsim.policies.killer import SHARED, Killer
from jobsim.policies.lease import Lease
from jobsim.policies.queue import Queue

Instants = NDArray[np.float64]

JOB, FIRING, STATEMENT = range(3)
"""What a row of a log is: a row of the queue's table, a scheduled run, or a statement."""

SUBMITTER, REAPER, CRON, CLIENTS, KILLER = -1, -2, -3, -4, -5
"""Worker numbers of those that are not workers."""

SPAWNED = 1000
"""Worker number of the process of row 0; the process of row ``k`` has ``SPAWNED + k``."""


@dataclass(frozen=True, eq=False)
class Load:
    """The rows of the logs as a run meets them, by when they fall due; row ``k`` has id ``k + 1``.

    Attributes
    ----------
    submit_s
        When each falls due, shape (rows,), ascending, the first at 0.
    run_s
        How long each takes, shape (rows,).
    fails
        Which end as failed, shape (rows,).
    kind
        Index into ``kinds`` of each, shape (rows,).
    what
        What each is: JOB, FIRING or STATEMENT, shape (rows,).
    owner
        Index into ``owners`` of each, shape (rows,).
    touches
        The row of the shared table that each statement locks, 0 for none, shape (rows,).
    """

    submit_s: Instants
    run_s: Instants
    fails: NDArray[np.bool_]
    kind: NDArray[np.integer[Any]]
    kinds: tuple[str, ...]
    what: NDArray[np.int8]
    owner: NDArray[np.integer[Any]]
    owners: tuple[str, ...]
    touches: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.submit_s)

    def jobs(self) -> Iterator[tuple[float, list[tuple[object, ...]]]]:
        """What a submitter inserts: (instant, rows of that instant), in order."""
        kinds, kind = self.kinds, self.kind.data
        for due_s, numbers in self.numbers(JOB):
            yield due_s, [(number, kinds[kind[number - 1]], 0, due_s) for number in numbers]

    def numbers(self, what: int) -> Iterator[tuple[float, list[int]]]:
        """The ids of rows of one sort by instant, in order."""
        due_s, many = -1.0, list[int]()
        for at, t_s in self._rows_of(what):
            if t_s != due_s and many:
                yield due_s, many
                many = []
            due_s = t_s
            many.append(at + 1)
        if many:
            yield due_s, many

    def _rows_of(self, what: int) -> Iterator[tuple[int, float]]:
        """Rows of one sort, and when they fall due; a few thousand of them at a time."""
        for start in range(0, len(self), 4096):
            wanted = start + np.flatnonzero(self.what[start : start + 4096] == what)
            yield from zip(wanted.tolist(), self.submit_s[wanted].tolist(), strict=True)

    def has(self, what: int) -> bool:
        """Whether there is any row of this sort."""
        return bool((self.what == what).any())


@dataclass(frozen=True)
class Part:
    """A script that somebody plays in a run.

    ``worker`` is the number in the records. ``troupe`` is whose steps are counted together when a
    fault meets the nth: a worker counts for itself, all the processes spawned for a log's rows
    count as one, which faults call worker 0.
    """

    name: str
    worker: int
    begin: Callable[[], Script[None]] = field(repr=False)
    troupe: str = ""

    @property
    def met_as(self) -> int:
        """The worker number by which a fault means it."""
        return 0 if self.troupe else self.worker


@dataclass(frozen=True, eq=False)
class Run:
    """What one run does, the same for both drivers.

    ``poll_s`` and ``notify`` say how an idle worker learns of work. ``until_s`` is the horizon: the
    run is stopped there, if it has not ended before. ``seed`` draws everything that is drawn.
    """

    name: str
    family: str
    seed: int
    workers: int
    load: Load
    isolation: Isolation
    poll_s: float
    notify: bool
    until_s: float
    queue: Queue | None = None
    lease: Lease | None = None
    killer: Killer | None = None
    speedup: float = 1.0
    round_trip_s: float = 0.0
    faults: tuple[Fault, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def cast(self) -> tuple[Part, ...]:
        """Who takes part from the start, in the order in which ties are broken."""
        parts = [*self._queue_cast()]
        for name, worker, what in (("firing", CRON, FIRING), ("statement", CLIENTS, STATEMENT)):
            if self.load.has(what):
                parts.append(Part(f"{name}s", worker, self._cron(name, what)))
        if self.killer is not None:
            killer = self.killer
            parts.append(Part("killer", KILLER, lambda: roles.watch(killer)))
        return tuple(parts)

    def _cron(self, name: str, what: int) -> Callable[[], Script[None]]:
        return lambda: roles.cron(self.load.numbers(what), name)

    def _queue_cast(self) -> Iterator[Part]:
        queue = self.queue
        if queue is None:
            return
        yield Part("submitter", SUBMITTER, lambda: roles.submitter(queue, self.load.jobs()))
        for me in range(self.workers):
            yield Part(f"worker-{me}", me, self._worker(queue, me))
        if queue.settings.reclaim != "never":
            yield Part("reaper", REAPER, lambda: roles.reaper(queue))

    def _worker(self, queue: Queue, me: int) -> Callable[[], Script[None]]:
        return lambda: roles.worker(queue, me, self.poll_s, self.notify)

    def spawned(self, role: str, number: int) -> Part:
        """Who plays a row of the log in a process of its own."""
        name, worker = f"{role}-{number}", SPAWNED + number - 1
        return Part(name, worker, lambda: self._spawned(role, number), troupe=role)

    def _spawned(self, role: str, number: int) -> Script[None]:
        load, at = self.load, number - 1
        if role == "firing":
            assert self.lease is not None
            return roles.firing(self.lease, load.kinds[load.kind[at]], number)
        log_in = self.log_ins[int(load.owner[at])]
        return roles.client(log_in, number, int(load.touches[at]) or None)

    @cached_property
    def log_ins(self) -> tuple[Connect, ...]:
        """How each owner's statements connect: as that user."""
        return tuple(Connect("connect", user=owner or None) for owner in self.load.owners)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Every table that the scripts of this run use."""
        used = []
        if self.queue is not None:
            used.append(self.queue.jobs)
        if self.lease is not None:
            used.append(self.lease.watches)
        if self.load.has(STATEMENT):
            used.append(SHARED)
        return tuple(used)

    @property
    def seeded(self) -> dict[Table, Sequence[tuple[object, ...]]]:
        """Rows that a table holds before the run begins."""
        if not self.load.has(STATEMENT):
            return {}
        touched = np.unique(self.load.touches[self.load.touches > 0])
        return {SHARED: [(int(row), 0) for row in touched]}

    @property
    def can_recover(self) -> bool:
        """Whether a job whose worker is gone can ever be given back."""
        return self.queue is not None and self.queue.settings.reclaim != "never"


def seed_streams(seed: int) -> dict[str, np.random.SeedSequence]:
    """Named streams of one seed, so that the same crashes and latencies meet every policy."""
    names = ("faults", "service", "jitter", "memory", "touches")
    return dict(zip(names, np.random.SeedSequence(seed).spawn(len(names)), strict=True))
