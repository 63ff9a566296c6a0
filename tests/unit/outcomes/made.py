"""Runs made by hand and by chance, and what happened in them by slow and obvious loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.events import CODE, Event, Recorder
from jobsim.outcomes import Facts

UNTIL_S = 60.0


@dataclass(frozen=True)
class Jobs:
    """The jobs of a run, as a driver has them."""

    submit_s: Any
    run_s: Any
    fails: Any
    kind: Any
    kinds: tuple[str, ...]
    what: Any


def jobs(
    due_s: Sequence[float],
    run_s: Sequence[float] | None = None,
    fails: Sequence[bool] | None = None,
    kind: Sequence[int] | None = None,
    kinds: tuple[str, ...] = ("zip", "report"),
    what: Sequence[int] | None = None,
) -> Jobs:
    n = len(due_s)
    return Jobs(
        np.array(due_s, dtype=float),
        np.ones(n) if run_s is None else np.array(run_s, dtype=float),
        np.zeros(n, dtype=bool) if fails is None else np.array(fails, dtype=bool),
        np.zeros(n, dtype=np.int32) if kind is None else np.array(kind, dtype=np.int32),
        kinds,
        np.zeros(n, dtype=np.int8) if what is None else np.array(what, dtype=np.int8),
    )


@dataclass
class Story:
    """The records of a run, told one by one."""

    recorder: Recorder = field(default_factory=Recorder)

    def attempt(
        self,
        job: int,
        claimed: float = nan,
        started: float = nan,
        ended: float = nan,
        finished: float = nan,
        *,
        worker: int = 0,
        claiming: float | None = None,
        outcome: str = "completed",
    ) -> Story:
        claiming = claimed if claiming is None else claiming
        times = (claiming, claimed, started, ended, finished)
        self.recorder.attempts.add(job, 1, worker, *times, CODE[outcome])
        return self

    def event(
        self, t_s: float, kind: str, *, worker: int = 0, job: int = 0, value: float = nan
    ) -> Story:
        self.recorder.events.append(Event(t_s, kind, worker, job, 0, "", value))
        return self

    def empty(self, from_s: float, to_s: float, worker: int = 0) -> Story:
        self.recorder.empty.extend((worker, from_s, to_s))
        return self

    def facts(
        self, load: Jobs, *, workers: int = 2, until_s: float = UNTIL_S, **rest: Any
    ) -> Facts:
        return Facts.of(deepcopy(self.recorder), load, workers=workers, until_s=until_s, **rest)


instants = st.integers(0, 12)
steps = st.integers(0, 4)
STAGES = {"claimed": 1, "started": 2, "ended": 3, "finished": 4}


@st.composite
def runs(draw: st.DrawFn) -> Facts:
    """Short runs on whole seconds, in which anything may happen to anybody at any time."""
    due_s = sorted(draw(st.lists(instants, min_size=1, max_size=5)))
    fails = draw(st.lists(st.booleans(), min_size=len(due_s), max_size=len(due_s)))
    job = st.integers(1, len(due_s))
    worker = st.integers(0, 2)
    story = Story()
    for _ in range(draw(st.integers(0, 8))):
        _attempt(draw, story, draw(job), draw(worker), due_s, fails)
    for _ in range(draw(st.integers(0, 3))):
        story.event(draw(instants) + draw(steps), "reclaimed", worker=-2, job=draw(job))
    for _ in range(draw(st.integers(0, 2))):
        who, hung_s = draw(worker), draw(instants)
        story.event(hung_s, "hung", worker=who)
        if draw(st.booleans()):
            story.event(hung_s + 1 + draw(steps), "resumed", worker=who)
    for _ in range(draw(st.integers(0, 3))):
        from_s = draw(instants)
        story.empty(from_s, from_s + draw(steps))
    load = jobs(due_s, fails=fails)
    return story.facts(load, workers=3, claim_shows=draw(st.booleans()))


def _attempt(
    draw: st.DrawFn, story: Story, job: int, worker: int, due_s: list[int], fails: list[bool]
) -> None:
    claiming = due_s[job - 1] + draw(steps)
    times = [float(claiming)]
    reached = STAGES[draw(st.sampled_from(sorted(STAGES)))]
    for stage in range(1, 5):
        times.append(times[-1] + draw(steps) if stage <= reached else nan)
    if reached == 4:
        good = "failed" if fails[job - 1] else "completed"
        outcome = draw(st.sampled_from([good, good, "refused", "unrecorded"]))
    else:
        outcome = draw(st.sampled_from(["died", "raised", "unfinished"]))
    if outcome in ("died", "raised"):
        story.event(times[reached] + draw(steps), outcome, worker=worker)
    story.attempt(job, *times[1:], worker=worker, claiming=times[0], outcome=outcome)


def over_runs(test: Callable[[Facts], None]) -> Callable[[], None]:
    """A property that holds for every run."""
    return settings(max_examples=30, deadline=None)(given(runs())(test))


def everything(facts: Facts) -> Any:
    """The choice of all jobs."""
    return np.ones(len(facts.jobs), dtype=bool)


@dataclass
class Told:
    """One attempt, with what a slow loop finds out about it."""

    row: int
    job: int
    worker: int
    claiming_s: float
    claimed_s: float
    started_s: float
    ended_s: float
    finished_s: float
    outcome: str
    gone_s: float = nan
    passed_s: float = inf


@dataclass
class Slowly:
    """The oracle: the same facts, read row by row."""

    facts: Facts

    def __post_init__(self) -> None:
        self.end_s = self.facts.end_s
        self.jobs = self.facts.jobs.to_dict("records")
        self.events = self.facts.events.to_dict("records")
        self.empty = self.facts.empty.to_dict("records")
        names = [name for name in Told.__dataclass_fields__ if name not in ("row", "passed_s")]
        table = self.facts.attempts.to_dict("records")
        self.attempts = [Told(k, **{n: row[n] for n in names}) for k, row in enumerate(table)]
        for attempt in self.attempts:
            attempt.gone_s = self._gone_s(attempt)
            attempt.passed_s = self._passed_s(attempt)

    def instants_s(
        self, *kinds: str, job: int | None = None, worker: int | None = None
    ) -> list[float]:
        return sorted(
            event["t_s"]
            for event in self.events
            if event["kind"] in kinds
            and job in (None, event["job"])
            and worker in (None, event["worker"])
        )

    def of(self, job: int) -> list[Told]:
        return [attempt for attempt in self.attempts if attempt.job == job]

    def final_s(self, job: int) -> float:
        ends = [a.finished_s for a in self.of(job) if a.outcome in ("completed", "failed")]
        return min(ends, default=inf)

    def live(self, job: int, t_s: float) -> bool:
        return any(a.started_s <= t_s < a.gone_s for a in self.of(job))

    def backlog(self, t_s: float) -> list[int]:
        """The jobs in the backlog at an instant that is no whole second."""
        return [
            job["job"]
            for job in self.jobs
            if job["due_s"] <= t_s < self.final_s(job["job"]) and not self.live(job["job"], t_s)
        ]

    def pending(self, t_s: float) -> list[int]:
        """The jobs whose row says ``pending`` then."""
        return [job["job"] for job in self.jobs if self._pending(job, t_s)]

    def _pending(self, job: dict[str, Any], t_s: float) -> bool:
        if not job["submitted_s"] <= t_s < self.final_s(job["job"]):
            return False
        changes = [(a.claimed_s, 1) for a in self.of(job["job"])]
        changes += [(s, 0) for s in self.instants_s("reclaimed", job=job["job"])]
        before = sorted(change for change in changes if change[0] <= t_s)
        return not self.facts.claim_shows or not before or before[-1][1] == 0

    def work(self, a: Told) -> list[tuple[float, float]]:
        """When an attempt was at work, pauses left out, in pieces."""
        if isnan(a.started_s):
            return []
        pieces = [(a.started_s, a.gone_s if isnan(a.ended_s) else a.ended_s)]
        for hung_s, back_s in self.hangs(a):
            from_s, to_s = pieces[-1]
            if from_s <= hung_s < to_s:
                pieces[-1:] = [(from_s, hung_s), *([(back_s, to_s)] if back_s < to_s else [])]
        return pieces

    def hangs(self, a: Told) -> list[tuple[float, float]]:
        """When the worker hung with this attempt in its hands, and when it went on."""
        found = []
        died = a.outcome in ("died", "raised")
        for hung_s in self.instants_s("hung", worker=a.worker):
            claims = [b.claimed_s for b in self.attempts if b.worker == a.worker]
            if a.claimed_s == max((t for t in claims if t <= hung_s), default=-1.0) < a.gone_s:
                ends = self.instants_s("resumed", worker=a.worker)
                back = min((t for t in ends if t >= hung_s), default=inf)
                if a.gone_s > hung_s:
                    found.append((hung_s, inf if died and a.gone_s < back else back))
        return found

    def middles(self) -> list[float]:
        """The middle of each second of the run; nothing changes but on whole seconds."""
        return [k + 0.5 for k in range(round(self.end_s))]

    def due_s(self, job: int) -> float:
        return float(self.jobs[job - 1]["due_s"])

    def _gone_s(self, a: Told) -> float:
        if not isnan(a.finished_s):
            return a.finished_s
        if a.outcome in ("died", "raised"):
            seen = max(t for t in (a.claimed_s, a.started_s, a.ended_s) if not isnan(t))
            return min(t for t in self.instants_s("died", "raised", worker=a.worker) if t >= seen)
        return self.end_s

    def _passed_s(self, a: Told) -> float:
        mine = (a.claimed_s, a.worker, a.row)
        later = [b for b in self.of(a.job) if (b.claimed_s, b.worker, b.row) > mine]
        back = [t for t in self.instants_s("reclaimed", job=a.job) if t > a.claimed_s]
        return min([b.claimed_s for b in later] + back, default=inf)
