"""One run on a live database: its tables made, its parts played, its records gathered."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from jobsim.effects import Select, Table
from jobsim.events import Recorder
from jobsim.faults import at_instants
from jobsim.horizon import Horizon
from jobsim.live import schema
from jobsim.live.bell import Bells
from jobsim.live.database import Database, throw_away
from jobsim.live.pipes import Pipes
from jobsim.live.replay import Ran, Replay, Step
from jobsim.live.stage import Stage
from jobsim.live.statements import compiled, core
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
        stack.enter_context(_made(database, run.tables))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="jobsim-run-"))
        bells = _bells(run, stack)
        stage = Stage(run, database, work, Path(folder), os.getpid(), Pipes(), bells, trace)
        return _play(stage, progress or (lambda _: None))


def _play(stage: Stage, progress: Callable[[Progress], None]) -> LiveRecord:
    run = stage.run
    timed = at_instants(run.faults, run.workers, run.until_s, seed_streams(run.seed)["faults"])
    with ExitStack() as stack:
        supervisor = stack.enter_context(Supervisor(stage, run.cast, timed))
        # opened after the forks, so that no other process holds it
        control = stack.enter_context(stage.database.connect())
        control.exec_driver_sql("SET SESSION time_zone = '+00:00'")
        supervisor.await_ready()
        supervisor.begin(*_common_start(control))

        def tell(horizon: Horizon) -> None:
            done = len(horizon.final)
            progress(Progress(supervisor.now_s(), horizon.jobs, horizon.submitted_jobs, done))

        ended = supervisor.watch(lambda: _still_ready(control, stage), tell)
        wall_s = supervisor.now_s()
    return _gather(stage, supervisor, ended, wall_s)


def _gather(stage: Stage, supervisor: Supervisor, ended: str, wall_s: float) -> LiveRecord:
    replay = Replay()
    replay.all(supervisor.journals())
    return LiveRecord(
        replay.recorder,
        str(stage.database),
        stage.database.settings,
        ended,
        wall_s,
        tuple(supervisor.warnings()),
        tuple(replay.ran),
        tuple(replay.steps),
    )


@contextmanager
def _made(database: Database, tables: Sequence[Table]) -> Iterator[None]:
    """The tables of a run, while it lasts."""
    with database.connect() as connection:
        schema.create(connection, tables)
    try:
        yield
    finally:
        with database.connect() as connection:
            schema.drop(connection, tables)


def _bells(run: Run, stack: ExitStack) -> Bells | None:
    if not run.notify:
        return None
    bells = Bells.hang(run.queue.jobs, run.queue.ready, run.workers)
    stack.callback(bells.close)
    return bells


def _common_start(control: sa.Connection) -> tuple[float, datetime]:
    """An instant soon, by the machine's clock and by the server's.

    The server's clock is asked several times; the quickest answer tells it best.
    """
    asked = []
    for _ in range(5):
        before_s = time.monotonic()
        at: Any = control.exec_driver_sql("SELECT NOW(6)").scalar()
        after_s = time.monotonic()
        asked.append((after_s - before_s, (before_s + after_s) / 2, at))
    _, middle_s, at = min(asked)
    start_s = time.monotonic() + LEAD_S
    return start_s, at + timedelta(seconds=start_s - middle_s)


def _still_ready(control: sa.Connection, stage: Stage) -> bool:
    """Whether a row waits to be taken, also one that a dying transaction still holds."""
    queue = stage.run.queue
    found = Select("still ready", queue.jobs, ("id",), queue.ready, limit=1)
    sql = compiled(core(found, stage.database.speech, {}), stage.database.speech)
    return control.exec_driver_sql(str(sql)).first() is not None
