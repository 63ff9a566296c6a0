"""What a person wants to know of a job log before trusting it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from jobsim.joblog.describe import measuring, selection
from jobsim.joblog.describe.answers import Answer, answers
from jobsim.joblog.describe.arrivals import Arrivals, Peak, arrivals, peak
from jobsim.joblog.describe.calendar import Calendar
from jobsim.joblog.describe.columns import Columns
from jobsim.joblog.describe.running import Running
from jobsim.joblog.describe.shape import Shape, shape
from jobsim.joblog.describe.sign import Sign
from jobsim.joblog.describe.tail import Tail, tail, top_share
from jobsim.joblog.describe.times import known, spread, variation
from jobsim.joblog.notes import Note
from jobsim.joblog.table import JobLog, instant_after

SHORT_S = 0.01
"""Runs shorter than this are lost in the clocks and round trips of a live run."""

KINDS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of job: how many there are, and how long half of them run at most."""

    kind: str
    jobs: int
    run_p50_s: float | None


@dataclass(frozen=True)
class Description:
    """What a job log holds; None is what the log does not say.

    Attributes
    ----------
    zone
        The time zone of hours and weekdays; None: UTC.
    begins_s, span_s
        When the first job was submitted, and how long it is from there to the last submission.
    interarrival_s
        Mean time between submissions.
    peak_minute, peak_hour
        The fullest ones.
    arrivals
        Rhythm, bursts and gaps.
    run, wait
        Mean, quantiles and maximum; the wait is from submission to the logged start.
    run_shape
        Their distribution.
    run_cv2
        Squared coefficient of variation of the run times, 1 if they were exponential.
    run_top_share
        The share of all work in the longest 1 % of runs.
    run_tail
        The tail index; None for fewer than 1000 runs.
    wait_none_share
        The share of the known waits that are 0.
    never_ran
        Jobs without a run time, which cannot be replayed.
    attempts_mean, retried_share
        Of jobs whose attempts are known: how many each had, and the share that had more than one.
    outcomes
        The share of each outcome.
    kinds
        The most frequent ones; `kind_count` and `owner_count` count them all.
    offered_load
        Sum of run times over span: the mean number of workers that the jobs keep busy.
    workers_needed
        The least number of workers that can keep up with that.
    workers_no_wait
        How many it takes that no job ever waits: the most jobs at once, if each began at once.
    peak_running
        The most jobs that ran at once, by the logged starts.
    short_share
        The share of runs under 10 ms.
    cap_s, cap_share
        Where many runs end at exactly the longest time: that time, and their share. The log was
        probably recorded under a limit, and how long those jobs need is not known.
    signs
        What speaks against trusting the log, with the evidence.
    answers
        Which questions it answers, and which not.
    notes
        What the reader dropped or mended.
    """

    name: str
    source: str
    origin: datetime | None
    until: datetime | None
    zone: str | None
    jobs: int
    workers: int | None
    begins_s: float
    span_s: float
    interarrival_s: float | None
    peak_minute: Peak
    peak_hour: Peak
    arrivals: Arrivals
    run: Mapping[str, float] | None
    run_shape: Shape | None
    run_cv2: float | None
    run_top_share: float | None
    run_tail: Tail | None
    wait: Mapping[str, float] | None
    wait_none_share: float | None
    memory_max_mb: float | None
    never_ran: int
    attempts_mean: float | None
    retried_share: float | None
    outcomes: Mapping[str, float]
    kind_count: int
    kinds: tuple[Kind, ...]
    owner_count: int
    offered_load: float | None
    workers_needed: int | None
    workers_no_wait: int | None
    peak_running: int | None
    short_share: float | None
    cap_s: float | None
    cap_share: float | None
    signs: tuple[Sign, ...]
    answers: tuple[Answer, ...]
    notes: tuple[Note, ...]

    @property
    def calendar(self) -> Calendar:
        """Which hours and days its seconds are."""
        return Calendar(self.origin, self.zone)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON has it: instants as ISO 8601 text, missing as None."""
        origin, until = (
            None if instant is None else instant.isoformat()
            for instant in (self.origin, self.until)
        )
        return asdict(self) | {"origin": origin, "until": until}


def describe(log: JobLog) -> Description:
    """Describe a log that has at least one job."""
    jobs, columns = log.jobs, Columns(log)
    return Description(
        name=log.name,
        source=log.source,
        origin=log.origin,
        zone=log.zone,
        until=instant_after(log.origin, float(columns.submit_s[-1])),
        jobs=len(log),
        workers=log.workers,
        memory_max_mb=known(jobs["memory_mb"].max()),
        attempts_mean=known(jobs["attempts"].mean()),
        retried_share=known((jobs["attempts"].dropna() > 1).mean()),
        outcomes=_shares(jobs["outcome"]),
        kind_count=jobs["kind"].nunique(),
        kinds=_kinds(jobs),
        owner_count=jobs["owner"].nunique(),
        **_of_arrivals(columns),
        **_of_runs(columns),
        **_of_waits(columns),
        signs=_signs(columns),
        answers=answers(columns),
        notes=log.notes,
    )


def _of_arrivals(columns: Columns) -> dict[str, Any]:
    submit_s = columns.submit_s
    span_s = float(submit_s[-1] - submit_s[0])
    return {
        "begins_s": float(submit_s[0]),
        "span_s": span_s,
        "interarrival_s": span_s / (len(submit_s) - 1) if len(submit_s) > 1 else None,
        "peak_minute": peak(submit_s, 60),
        "peak_hour": peak(submit_s, 3600),
        "arrivals": arrivals(submit_s, columns.calendar),
    }


def _of_runs(columns: Columns) -> dict[str, Any]:
    run_s, span_s = columns.runs_s, float(columns.submit_s[-1] - columns.submit_s[0])
    load = known(float(run_s.sum()) / span_s) if span_s and len(run_s) else None
    no_wait = Running.of(columns.submit_s, columns.run_s).peak()
    cap_s, cap_share = measuring.cap(run_s)
    return {
        "run": spread(run_s),
        "run_shape": shape(run_s),
        "run_cv2": variation(run_s),
        "run_top_share": top_share(run_s),
        "run_tail": tail(run_s),
        "never_ran": len(columns.log) - len(run_s),
        "offered_load": load,
        "workers_needed": _needed(load, no_wait),
        "workers_no_wait": no_wait,
        "short_share": float((run_s < SHORT_S).mean()) if len(run_s) else None,
        "cap_s": cap_s,
        "cap_share": cap_share,
    }


def _needed(load: float | None, no_wait: int | None) -> int | None:
    """More than the load, but never more than leave no job waiting, as few jobs may be lucky."""
    if load is None or no_wait is None:
        return None
    return min(math.floor(load) + 1, no_wait)


def _of_waits(columns: Columns) -> dict[str, Any]:
    waits_s = columns.waits_s
    return {
        "wait": spread(waits_s),
        "wait_none_share": float((waits_s == 0).mean()) if len(waits_s) else None,
        "peak_running": columns.running.peak(),
    }


def _signs(columns: Columns) -> tuple[Sign, ...]:
    found = (look(columns) for look in (*selection.SIGNS, *measuring.SIGNS))
    return tuple(sign for sign in found if sign is not None)


def _shares(outcomes: pd.Series[Any]) -> dict[str, float]:
    shares = outcomes.value_counts(normalize=True)
    return {str(outcome): float(share) for outcome, share in shares.items() if share}


def _kinds(jobs: pd.DataFrame) -> tuple[Kind, ...]:
    counts = jobs["kind"].value_counts().head(KINDS_SHOWN)
    medians = jobs.groupby("kind", observed=True)["run_s"].median().to_dict()
    return tuple(
        Kind(str(kind), int(count), known(medians[kind])) for kind, count in counts.items() if count
    )
