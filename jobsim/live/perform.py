"""One run on a live database: its tables made, its parts played, its records gathered."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from jobsim.effects import Connect, Select
from jobsim.events import Recorder
from jobsim.faults import at_instants
from jobsim.live import schema
from jobsim.live.bell import Bells
from jobsim.live.database import Database, let_go, throw_away
from jobsim.live.driver import Start
from jobsim.live.pipes import Pipes
from jobsim.live.plans import Plan
from jobsim.live.player import without_interruption
from jobsim.live.probes import Processor, ProcessorReading, ServerCounters
from jobsim.live.replay import Ran, Replay, Step
from jobsim.live.session import Session
from jobsim.live.sqltext import sql_text
from jobsim.live.stage import Stage
from jobsim.live.supervisor import Supervisor
from jobsim.live.work import WorkKind
from jobsim.run import Run, seed_streams

LEAD_S = 0.02
"""From the word to the common start: everybody must have heard it by then."""


class Progress(NamedTuple):
    """How far a run has come."""

    t_s: float
    jobs: int
    submitted: int
    final: int


@dataclass(frozen=True, eq=False)
class LiveRecord:
    """What a live run leaves behind.

    Attributes
    ----------
    recorder
        Attempts, empty claims, events and counts, as the simulation records them.
    database
        The server and its settings, in one line each.
    ended
        Why the run was over.
    wall_s
        From the common start to the end.
    processor
        Time of clients and server on the processor and in wait for it; None where not known.
    plans
        How the server reached the rows of each statement.
    ran
        What the commands of the jobs came to, where the work is a command.
    steps
        The trace, where one was asked for.
    """

    recorder: Recorder = field(repr=False)
    database: str
    settings: Mapping[str, str] = field(repr=False)
    ended: str
    wall_s: float
    processor: Processor | None = None
    plans: tuple[Plan, ...] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()
    ran: tuple[Ran, ...] = field(default=(), repr=False)
    steps: tuple[Step, ...] = field(default=(), repr=False)


def perform(
    run: Run,
    database: Database | None = None,
    work: WorkKind = "sleep",
    progress: Callable[[Progress], None] | None = None,
    trace: bool = False,
) -> LiveRecord:
    """Perform a run on a live database, every part in a process of its own.

    Parameters
    ----------
    database
        Where; None starts a throw-away server for this run.
    work
        What a job does: sleep its run time, burn processor time, or run a command.
    progress
        Told several times a second how far the run has come.
    trace
        Keep every step of every script.

    Raises
    ------
    DatabaseError
        The database cannot be reached, cannot do what is asked, or holds foreign tables of
        these names.
    """
    with ExitStack() as stack:
        if database is None:
            database = stack.enter_context(throw_away())
        stack.enter_context(_made(database, run))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="jobsim-run-"))
        bells = _bells(run, stack)
        stage = Stage(run, database, work, Path(folder), os.getpid(), Pipes(), bells, trace)
        return _play(stage, progress or (lambda _: None))


def _play(stage: Stage, progress: Callable[[Progress], None]) -> LiveRecord:
    run = stage.run
    timed = at_instants(run.faults, run.workers, run.until_s, seed_streams(run.seed)["faults"])
    with ExitStack() as stack:
        supervisor = stack.enter_context(Supervisor(stage, timed))
        # opened after the forks, so that no other process holds it
        control = stack.enter_context(stage.database.connect())
        stage.forget.append(lambda: let_go(control))
        supervisor.await_ready()
        clocks = Clocks.of(control)
        watched = Watched(stage, supervisor, control)
        supervisor.begin(clocks.start())
        ended = supervisor.watch(watched.still_ready, lambda: progress(watched.look()))
        watched.end()
    return watched.record(ended)


class Watched:
    """A run as its supervisor and the server see it."""

    def __init__(self, stage: Stage, supervisor: Supervisor, control: sa.Connection) -> None:
        self.stage = stage
        self.supervisor = supervisor
        self.control = control
        self.counters = ServerCounters.begin(control, self._connect)
        self.before = self._processor()
        self.processor: Processor | None = None
        self.counts: dict[str, int] = {}
        self.wall_s = 0.0

    def look(self) -> Progress:
        """How far it has come; half-way the plans are asked for."""
        horizon, plans = self.supervisor.horizon, self.supervisor.plans
        if not plans.plans and 2 * len(horizon.final) >= horizon.jobs > 0:
            asked = plans.explain(self.control, self.supervisor.now_s())
            self.counters.own_statements += asked
        return Progress(
            self.supervisor.now_s(), horizon.jobs, horizon.submitted_jobs, len(horizon.final)
        )

    def still_ready(self) -> bool:
        """Whether a row waits to be taken, also one that a dying transaction still holds."""
        queue = self.stage.run.queue
        if queue is None:
            return False
        waiting = Select("still ready", queue.jobs, ("id",), queue.ready, limit=1)
        return self.counters.ask(str(sql_text(waiting, self.stage.database.dialect)))

    def end(self) -> None:
        """The run is over; its processes still stand."""
        self.wall_s = self.supervisor.now_s()
        self.counts = self.counters.counted(self.supervisor.spawned)
        self.processor = self.before.until(self._processor())
        self.supervisor.plans.explain(self.control, self.wall_s)

    def record(self, ended: str) -> LiveRecord:
        """Everything, put together."""
        replay = Replay()
        replay.all(self.supervisor.journals())
        replay.recorder.counts.update(self.counts)
        database, plans = self.stage.database, self.supervisor.plans
        return LiveRecord(
            recorder=replay.recorder,
            database=str(database),
            settings={**database.settings, "isolation": self.stage.run.isolation},
            ended=ended,
            wall_s=self.wall_s,
            processor=self.processor,
            plans=tuple(plans.plans.values()),
            warnings=(*self.supervisor.warnings(), *plans.warnings(), *self._strain()),
            ran=tuple(replay.ran),
            steps=tuple(replay.steps),
        )

    def _strain(self) -> Iterator[str]:
        if self.processor is not None and self.processor.cpu_bound:
            yield (
                f"the run was CPU-bound: it used {self.processor.busy:.0%} of the machine, and on "
                f"average {self.processor.waiting:.1f} of its threads waited for a processor"
            )

    def _connect(self) -> None:
        Session(self.stage.database, self.stage.run.isolation, Connect()).close()

    def _processor(self) -> ProcessorReading:
        pids = [os.getpid(), *self.supervisor.pids()]
        return ProcessorReading.take(pids, self.stage.database.pid, time.monotonic())


@contextmanager
def _made(database: Database, run: Run) -> Iterator[None]:
    """The tables of a run, while it lasts."""
    with database.connect() as connection:
        schema.create(connection, run.tables, run.seeded)
    try:
        yield
    finally:
        with without_interruption(), database.connect() as connection:
            schema.drop(connection, run.tables)


def _bells(run: Run, stack: ExitStack) -> Bells | None:
    if not run.notify or run.queue is None:
        return None
    bells = Bells.hang(run.queue.jobs, run.queue.ready, run.workers)
    stack.callback(bells.close)
    return bells


@dataclass(frozen=True)
class Clocks:
    """One instant by the machine's clock and by the server's, and the session that asked."""

    machine_s: float
    server: datetime
    session: int

    @classmethod
    def of(cls, control: sa.Connection) -> Clocks:
        """Ask several times: the quickest answer tells best."""
        control.exec_driver_sql("SET SESSION time_zone = '+00:00'")
        asked = []
        for _ in range(5):
            before_s = time.monotonic()
            at: Any = control.exec_driver_sql("SELECT NOW(6)").scalar()
            after_s = time.monotonic()
            asked.append((after_s - before_s, (before_s + after_s) / 2, at))
        _, machine_s, server = min(asked)
        session = int(control.exec_driver_sql("SELECT CONNECTION_ID()").scalar_one())
        return cls(machine_s, server, session)

    def start(self) -> Start:
        """A common start soon: when everybody has heard of it."""
        start_s = time.monotonic() + LEAD_S
        origin = self.server + timedelta(seconds=start_s - self.machine_s)
        return Start(start_s, origin, (self.session,))
