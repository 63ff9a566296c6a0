"""One run, resolved: what the drivers are given. Everything is in run seconds already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobsim import roles
from jobsim.effects import Isolation, Script, Table
from jobsim.faults import Fault
from jobsim.policies.queue import Queue

Instants = NDArray[np.float64]

SUBMITTER = -1
REAPER = -2


@dataclass(frozen=True, eq=False)
class Load:
    """The jobs of one log as a run meets them; job ``k`` has id ``k + 1`` and is due in order.

    Attributes
    ----------
    submit_s
        When each falls due, shape (jobs,), ascending, the first at 0.
    run_s
        How long each takes, shape (jobs,).
    fails
        Which end as failed, shape (jobs,).
    kind
        Index into ``kinds`` of each, shape (jobs,).
    """

    submit_s: Instants
    run_s: Instants
    fails: NDArray[np.bool_]
    kind: NDArray[np.int32]
    kinds: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.submit_s)

    def rows(self) -> Iterator[tuple[float, list[tuple[object, ...]]]]:
        """What a submitter inserts: (instant, rows of that instant), in order."""
        due_s = -1.0
        many: list[tuple[object, ...]] = []
        kinds = self.kinds
        for at, (t_s, kind) in enumerate(zip(self.submit_s, self.kind, strict=True), 1):
            if t_s != due_s and many:
                yield due_s, many
                many = []
            due_s = float(t_s)
            many.append((at, kinds[kind], 0, due_s))
        if many:
            yield due_s, many


@dataclass(frozen=True)
class Part:
    """A script that somebody plays in a run: its name, its worker number, how to begin it."""

    name: str
    worker: int
    begin: Callable[[], Script[None]] = field(repr=False)


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
    queue: Queue
    load: Load
    isolation: Isolation
    poll_s: float
    notify: bool
    until_s: float
    speedup: float = 1.0
    round_trip_s: float = 0.0
    faults: tuple[Fault, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def cast(self) -> tuple[Part, ...]:
        """Who takes part, in the order in which ties are broken."""
        queue, load = self.queue, self.load
        parts = [Part("submitter", SUBMITTER, lambda: roles.submitter(queue, load.rows()))]
        for me in range(self.workers):
            parts.append(
                Part(
                    f"worker-{me}",
                    me,
                    lambda me=me: roles.worker(queue, me, self.poll_s, self.notify),  # type: ignore[misc]
                )
            )
        if queue.settings.reclaim != "never":
            parts.append(Part("reaper", REAPER, lambda: roles.reaper(queue)))
        return tuple(parts)

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table that the scripts of this run use."""
        return (self.queue.jobs,)


def seed_streams(seed: int) -> dict[str, np.random.SeedSequence]:
    """Named streams of one seed, so that the same crashes and latencies meet every policy."""
    names = ("faults", "service", "jitter", "memory")
    return dict(zip(names, np.random.SeedSequence(seed).spawn(len(names)), strict=True))
