"""When a run is over: every job is final, or nothing can change any more.

Fed by what the processes of a run recorded; both drivers may ask it. It knows no clock: a run that
comes to its last instant is ended by its driver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from jobsim.effects import Attempt
from jobsim.events import FINAL

ALL_FINAL = "every job is in a final state"
NOTHING_CAN_CHANGE = "nothing can change any more"


@dataclass
class Horizon:
    """Follows a run to its end.

    Attributes
    ----------
    jobs
        How many jobs will be submitted.
    workers
        The numbers of the workers that live.
    reclaims
        Whether somebody gives back the jobs of workers that are gone.
    """

    jobs: int
    workers: set[int]
    reclaims: bool
    submitting: bool = True
    final: set[int] = field(default_factory=set)
    stranded: set[int] = field(default_factory=set)
    in_hand: dict[int, set[Attempt]] = field(default_factory=dict)
    empty_since_s: dict[int, float] = field(default_factory=dict)
    changed_s: float = -inf
    submitted_jobs: int = 0

    def submitted(self, t_s: float, rows: int) -> None:
        """So many jobs more are in the queue."""
        self.submitted_jobs += rows
        self.submitting = self.submitted_jobs < self.jobs
        self._change(t_s)

    def no_more(self) -> None:
        """Whoever submits is gone."""
        self.submitting = False

    def claimed(self, t_s: float, worker: int, attempts: Iterable[Attempt]) -> None:
        self.in_hand.setdefault(worker, set()).update(attempts)
        self._change(t_s)

    def empty(self, worker: int, began_s: float) -> None:
        """A look that began then found nothing."""
        self.empty_since_s[worker] = began_s

    def finished(self, t_s: float, worker: int, attempts: Sequence[Attempt], outcome: str) -> None:
        """These attempts ended so; only a recorded end is final."""
        self.in_hand[worker].difference_update(attempts)
        jobs = {attempt.job for attempt in attempts}
        if outcome in FINAL:
            self.final |= jobs
        elif outcome == "unrecorded":
            self.stranded |= jobs
        self._change(t_s)

    def reclaimed(self, t_s: float, jobs: Iterable[int]) -> None:
        self.stranded.difference_update(jobs)
        self._change(t_s)

    def gone(self, t_s: float, worker: int) -> None:
        """A worker died, raised or returned; what it held is stranded."""
        self.workers.discard(worker)
        self.stranded |= {attempt.job for attempt in self.in_hand.pop(worker, ())}
        self._change(t_s)

    def over(self) -> str | None:
        """Why the run is over; None while it is not."""
        if len(self.final) >= self.jobs:
            return ALL_FINAL
        if self.submitting or any(self.in_hand.values()):
            return None
        if self.workers and (self._may_find() or self._may_come_back()):
            return None
        return NOTHING_CAN_CHANGE

    def _may_find(self) -> bool:
        """Somebody has not looked since the last change."""
        return any(self.empty_since_s.get(w, -inf) <= self.changed_s for w in self.workers)

    def _may_come_back(self) -> bool:
        return self.reclaims and bool(self.stranded - self.final)

    def _change(self, t_s: float) -> None:
        self.changed_s = max(self.changed_s, t_s)
