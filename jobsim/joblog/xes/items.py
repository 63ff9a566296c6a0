"""Work items of an XES log: what lifecycle transitions say of submission, start and end.

The transitions are those of the standard transactional model of XES (IEEE 1849, lifecycle
extension): an item is scheduled (ready), assigned, started (running), suspended and resumed,
and closed by complete, or by an abort, a withdrawal or a skip.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

SCHEDULED, ASSIGNED, ENDED, STARTED = "schedule", "assign", "end", "start"
"""What tells when work was submitted, from best to worst."""

END_ALONE = "dropped: an end without a start or a schedule before it, which has no duration"
SKIPPED = "dropped: skipped by the system, there was no work"
FOREIGN = "dropped: events whose lifecycle:transition is missing or none of the standard model"


class Event(NamedTuple):
    """When a transition was, by whom (a code, -1 where not said), and its line in the file."""

    t_s: float
    owner: int
    line: int


@dataclass(slots=True)
class Work:
    """One piece of work, from its submission to its end; NaN is what the log does not say.

    Attributes
    ----------
    told_by
        What `submit_s` was taken from.
    suspended_s
        How long of the time from start to end it was suspended.
    since_s
        When it was suspended, while it is.
    unsure
        Others were open when it ended, so that the end may have been another's.
    """

    submit_s: float
    told_by: str
    line: int
    start_s: float = math.nan
    end_s: float = math.nan
    outcome: str = "unknown"
    owner: int = -1
    suspended_s: float = 0.0
    since_s: float = math.nan
    unsure: bool = False


@dataclass(slots=True)
class Item:
    """One activity of one case, and all the work it has been so far.

    Each start begins a piece of work, as the standard says that complete closes what was started.
    It was submitted by the oldest schedule (or else assign) that no start has answered yet; where
    there is none, when the piece before it ended, as from then on the item waited again; and
    where there was none before, no later than its start. Of several that are open at once the
    oldest ends first.
    """

    dropped: Counter[str]
    ready: deque[Work] = field(default_factory=deque)
    running: deque[Work] = field(default_factory=deque)
    suspended: deque[Work] = field(default_factory=deque)
    closed: list[Work] = field(default_factory=list)

    def take(self, transition: str, event: Event) -> None:
        """Take the next event, in the order of time."""
        step = self.STEPS.get(transition)
        if step is None:
            self.dropped[FOREIGN] += 1
        else:
            step(self, event)

    def work(self) -> list[Work]:
        """Every piece of work, ended or not."""
        return [*self.closed, *self.running, *self.suspended, *self.ready]

    def _schedule(self, event: Event) -> None:
        self.ready.append(Work(event.t_s, SCHEDULED, event.line))

    def _assign(self, event: Event) -> None:
        if not self.ready:
            self.ready.append(Work(event.t_s, ASSIGNED, event.line))

    def _start(self, event: Event) -> None:
        if self.ready:
            work = self.ready.popleft()
        elif self.closed:
            work = Work(self.closed[-1].end_s, ENDED, event.line)
        else:
            work = Work(event.t_s, STARTED, event.line)
        work.start_s, work.owner = event.t_s, event.owner
        self.running.append(work)

    def _suspend(self, event: Event) -> None:
        if self.running:
            work = self.running.popleft()
            work.since_s = event.t_s
            self.suspended.append(work)

    def _resume(self, event: Event) -> None:
        if self.suspended:
            work = self.suspended.popleft()
            work.suspended_s += event.t_s - work.since_s
            self.running.appendleft(work)

    def _complete(self, event: Event) -> None:
        self._close(event, "completed", self.running or self.suspended or self.ready)

    def _abort(self, event: Event) -> None:
        self._close(event, "cancelled", self.running or self.suspended or self.ready)

    def _withdraw(self, event: Event) -> None:
        """What has not started is withdrawn, or skipped by hand."""
        self._close(event, "cancelled", self.ready or self.running or self.suspended)

    def _skip(self, event: Event) -> None:
        self.dropped[SKIPPED] += 1

    def _close(self, event: Event, outcome: str, among: deque[Work]) -> None:
        if not among:
            self.dropped[END_ALONE] += 1
            return
        work = among.popleft()
        work.unsure = bool(among) and among is not self.ready
        if among is self.suspended:
            work.suspended_s += event.t_s - work.since_s
        work.end_s, work.outcome = event.t_s, outcome
        work.owner = event.owner if work.owner < 0 else work.owner
        self.closed.append(work)

    STEPS: ClassVar[dict[str, Callable[[Item, Event], None]]] = {
        "schedule": _schedule,
        "assign": _assign,
        "reassign": _assign,
        "start": _start,
        "suspend": _suspend,
        "resume": _resume,
        "complete": _complete,
        "ate_abort": _abort,
        "pi_abort": _abort,
        "withdraw": _withdraw,
        "manualskip": _withdraw,
        "autoskip": _skip,
    }
