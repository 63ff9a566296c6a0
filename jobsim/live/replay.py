"""The journals of a run's processes, replayed in order of time into one record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import repeat
from math import nan
from typing import Any, NamedTuple

from jobsim.effects import Attempt
from jobsim.events import Event, Holder, Recorder
from jobsim.live.journal import Record


class Ran(NamedTuple):
    """What the command of an attempt came to; ``start_s`` in seconds since the run began."""

    job: int
    number: int
    worker: int
    start_s: float
    run_s: float
    outcome: str
    memory_mb: float
    cpu_s: float
    status: int


class Step(NamedTuple):
    """One step of a trace: what was asked when, with what, and what came back."""

    t_s: float
    worker: int
    label: str
    arguments: str
    reply: str


@dataclass
class Replay:
    """Takes records in order of time; ``recorder`` then has what both drivers record."""

    recorder: Recorder = field(default_factory=Recorder)
    ran: list[Ran] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    holders: dict[int, Holder] = field(default_factory=dict)

    def all(self, journals: Sequence[tuple[int, Iterable[Record]]]) -> None:
        """Take whole journals, by worker, and end what was still in hand."""
        for worker, record in in_order(journals):
            self.take(worker, record)
        for holder in self.holders.values():
            holder.lost("unfinished")

    def take(self, worker: int, record: Record) -> None:
        """Take the next record."""
        kind, t_s, *rest = record
        if kind != "statement":
            getattr(self, f"_{kind}")(self._holder(worker), t_s, *rest)

    def _holder(self, worker: int) -> Holder:
        if worker not in self.holders:
            self.holders[worker] = Holder(worker, self.recorder)
        return self.holders[worker]

    def _submitted(self, holder: Holder, t_s: float, jobs: list[int]) -> None:
        self.recorder.submitted.extend([t_s] * len(jobs))

    def _claimed(self, holder: Holder, t_s: float, claiming_s: float, attempts: Any) -> None:
        holder.claimed(_attempts(attempts), claiming_s, t_s)

    def _empty(self, holder: Holder, t_s: float, claiming_s: float) -> None:
        holder.empty(claiming_s, t_s)

    def _started(self, holder: Holder, t_s: float, attempt: Any) -> None:
        holder.started(Attempt(*attempt), t_s)

    def _ended(self, holder: Holder, t_s: float, attempt: Any, outcome: str) -> None:
        holder.ended(Attempt(*attempt), t_s)

    def _finished(self, holder: Holder, t_s: float, attempts: Any, outcome: str) -> None:
        holder.finished(_attempts(attempts), outcome, t_s)

    def _reclaimed(self, holder: Holder, t_s: float, jobs: list[int], step: str) -> None:
        for job in jobs:
            self._event(holder, t_s, "reclaimed", step, job, 0, None)

    def _event(
        self,
        holder: Holder,
        t_s: float,
        kind: str,
        step: str,
        job: int,
        number: int,
        value: float | None,
    ) -> None:
        if not job:
            job, number = at_work(holder)
        event = Event(t_s, kind, holder.worker, job, number, step, nan if value is None else value)
        self.recorder.events.append(event)
        if kind == "died":
            holder.lost("died")

    def _left(self, holder: Holder, t_s: float, how: str, text: str) -> None:
        if how in ("raised", "crashed"):
            holder.lost("raised")

    def _ran(self, holder: Holder, t_s: float, attempt: Any, measured: dict[str, Any]) -> None:
        job, number = attempt
        self.ran.append(Ran(job, number, holder.worker, **measured))

    def _step(self, holder: Holder, t_s: float, label: str, arguments: str, reply: str) -> None:
        self.steps.append(Step(t_s, holder.worker, label, arguments, reply))


def in_order(journals: Sequence[tuple[int, Iterable[Record]]]) -> Iterator[tuple[int, Record]]:
    """Every record with its worker, by time; each journal is in order already."""
    return merge(
        *(zip(repeat(worker), records, strict=False) for worker, records in journals),
        key=lambda one: float(one[1][1]),
    )


def at_work(holder: Holder) -> tuple[int, int]:
    """The attempt that a worker is at: begun, and not ended; (0, 0) where none is."""
    for attempt, (_, _, started_s, ended_s) in holder.in_hand.items():
        if started_s == started_s and ended_s != ended_s:
            return attempt
    return 0, 0


def _attempts(pairs: Sequence[Sequence[int]]) -> list[Attempt]:
    return [Attempt(*pair) for pair in pairs]
