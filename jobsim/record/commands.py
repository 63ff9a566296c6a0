"""Run a list of commands as jobs through a live queue, and record them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pandas as pd

from jobsim.joblog import JobLog
from jobsim.joblog.notes import Notes
from jobsim.live.database import Database
from jobsim.live.perform import TOLD_TO_END, perform
from jobsim.live.record import Enough, LiveRecord, Progress
from jobsim.live.work import Command
from jobsim.scenario import Scenario

NEVER_S = 1e9
"""The last instant of a recording that ends with its last command: thirty years from now."""

ROUNDED = {"start_s": 4, "run_s": 4, "memory_mb": 1}

Tell = Callable[[Progress], None]


@dataclass(frozen=True)
class Job:
    """A command that is submitted at an instant, in seconds on a clock of the caller's."""

    argv: tuple[str, ...]
    submit_s: float = 0.0
    kind: str | None = None
    owner: str | None = None
    priority: float | None = None


@dataclass(frozen=True)
class Recording:
    """What a recording left behind.

    Attributes
    ----------
    log
        A row for each job that was submitted.
    live
        The run of the queue: what each command came to is in ``live.ran``.
    interrupted
        Whether Ctrl-C ended it.
    """

    log: JobLog
    live: LiveRecord = field(repr=False)
    interrupted: bool


def record_jobs(
    jobs: Sequence[Job],
    *,
    name: str,
    workers: int,
    queue: str = "skip-locked",
    seed: int = 1,
    until_s: float = NEVER_S,
    database: Database | None = None,
    tell: Tell | None = None,
) -> Recording:
    """Run commands as the jobs of a live queue, each in a process of its own.

    Their output is thrown away. Ctrl-C or SIGTERM stops them all, and what has ended by then is in
    the log.

    Parameters
    ----------
    jobs
        In the order of their submission. The first is submitted as soon as the queue stands, and
        the log's clock begins there.
    name
        Of the log.
    queue
        The policy by which workers take them, with every setting at its default.
    until_s
        The recording ends here even if commands still run.
    database
        Where the queue is; None: on a throw-away server.

    Raises
    ------
    DatabaseError
        No server, or not one that the queue can be on.
    """
    jobs = [replace(job, submit_s=job.submit_s - jobs[0].submit_s) for job in jobs]
    plan = JobLog.of(
        {
            "submit_s": [job.submit_s for job in jobs],
            # How long they run is what we are about to learn; a command's end does not ask the log.
            "run_s": [0.0] * len(jobs),
            "kind": [job.kind for job in jobs],
        },
        name=name,
    )
    scenario = Scenario(queue, workers=workers, seed=seed, until_s=until_s)
    began = _Began(tell)
    with _told_to_end(began.stop):
        live = perform(
            scenario.resolve(plan), database, Command(lambda job: jobs[job - 1].argv), began
        )
    log = _log(jobs, live, name=name, origin=began.origin, workers=workers)
    return Recording(log, live, live.ended == TOLD_TO_END)


class _Began:
    """Sees when a run begins, and ends it when it is told to."""

    def __init__(self, tell: Tell | None) -> None:
        self.tell = tell
        self.origin: datetime | None = None
        self.over = False

    def stop(self) -> None:
        self.over = True

    def __call__(self, now: Progress) -> None:
        if self.origin is None:
            self.origin = datetime.now(UTC) - timedelta(seconds=now.t_s)
        if self.tell is not None:
            self.tell(now)
        if self.over:
            raise Enough


@contextmanager
def _told_to_end(stop: Callable[[], None]) -> Iterator[None]:
    """Have Ctrl-C and SIGTERM end the run in good order; a second one ends it at once."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def once(number: int, _: object) -> None:
        signal.signal(number, before[signal.Signals(number)])
        stop()

    for number in before:
        signal.signal(number, once)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _log(
    jobs: Sequence[Job], live: LiveRecord, *, name: str, origin: datetime | None, workers: int
) -> JobLog:
    """What was planned of each job, and what the kernel and the clock say of its run."""
    index = pd.RangeIndex(1, len(jobs) + 1, name="job_id")
    columns = ("submit_s", "kind", "owner", "priority")
    planned = pd.DataFrame({c: [getattr(job, c) for job in jobs] for c in columns}, index=index)
    table = planned.join(_runs(live)).fillna({"outcome": "unknown"})
    table = table[(table["submit_s"] <= live.wall_s) | table["run_s"].notna()]
    notes = Notes()
    notes.add("marked: not over when the recording ended, run time unknown", table["run_s"].isna())
    return JobLog.of(
        table.round(ROUNDED).reset_index(),
        name=name,
        origin=origin,
        workers=workers,
        notes=notes.taken,
    )


def _runs(live: LiveRecord) -> pd.DataFrame:
    """The runs of each job, joined."""
    if not live.ran:
        return pd.DataFrame(columns=[*ROUNDED, "outcome", "attempts"], dtype="float64").astype(
            {"outcome": "str"}
        )
    runs = pd.DataFrame(live.ran).groupby("job")
    return runs.agg(
        start_s=("start_s", "first"),
        run_s=("run_s", "last"),
        outcome=("outcome", "last"),
        memory_mb=("memory_mb", "max"),
        attempts=("number", "count"),
    )
