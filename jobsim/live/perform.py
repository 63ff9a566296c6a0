"""One run on a live database: its tables made, its parts played, its records gathered."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from jobsim.errors import DatabaseError
from jobsim.faults import at_instants
from jobsim.live import schema
from jobsim.live.bell import Bells
from jobsim.live.database import Database, let_go, lost, throw_away
from jobsim.live.pipes import Pipes
from jobsim.live.player import without_interruption
from jobsim.live.record import Enough, LiveRecord, Progress
from jobsim.live.stage import Stage
from jobsim.live.statements import Statement, make_ready
from jobsim.live.supervisor import Supervisor
from jobsim.live.watched import Watched
from jobsim.live.work import WorkKind
from jobsim.run import Run, seed_streams

TOLD_TO_END = "it was told to end"
LEAVING_S = 2
"""How long the server may take to notice that the run before is gone."""


def perform(
    run: Run,
    database: Database | None = None,
    work: WorkKind = "sleep",
    progress: Callable[[Progress], None] | None = None,
    trace: bool = False,
    at_end: Callable[[sa.Connection], None] | None = None,
) -> LiveRecord:
    """Perform a run on a live database, every part in a process of its own.

    Parameters
    ----------
    database
        Where; None starts a throw-away server for this run.
    work
        What a job does: sleep its run time, burn processor time, or run a command.
    progress
        Told several times a second how far the run has come. Where it raises `Enough` the run
        ends at once, and its record has what came until then.
    trace
        Keep every step of every script.
    at_end
        Called when the processes of the run are gone and its tables still stand, with a
        connection to look at them.

    Raises
    ------
    DatabaseError
        The database cannot be reached, cannot do what is asked, holds foreign tables of these
        names, is lost on the way, or answers a script with what none expects.
    """
    with ExitStack() as stack:
        if database is None:
            database = stack.enter_context(throw_away())
        keeper = stack.enter_context(tables(database, run))
        files = tempfile.TemporaryDirectory(prefix="jobsim-run-", dir=database.folder)
        folder = Path(stack.enter_context(files))
        stage = Stage(run, database, work, folder, os.getpid(), Pipes(), _bells(run, stack), trace)
        stage.forget.append(lambda: let_go(keeper))
        make_ready(_statements(run), database.speech, _batches(run))
        try:
            record = _play(stage, progress or (lambda _: None))
        except sa.exc.DBAPIError as error:
            raise lost(database, error) from None
        if at_end is not None:
            at_end(keeper)
        return record


def _play(stage: Stage, progress: Callable[[Progress], None]) -> LiveRecord:
    run = stage.run
    timed = at_instants(run.faults, run.workers, run.until_s, seed_streams(run.seed)["faults"])
    with ExitStack() as stack:
        supervisor = stack.enter_context(Supervisor(stage, timed))
        supervisor.await_ready()
        control = stack.enter_context(stage.database.connect())
        stage.forget.append(lambda: let_go(control))
        watched = Watched(stage, supervisor, control)
        watched.begin()
        try:
            ended = supervisor.watch(watched.still_ready, lambda: progress(watched.look()))
        except Enough:
            ended = TOLD_TO_END
        watched.end()
        supervisor.refuse_what_broke()
    return watched.record(ended)


@contextmanager
def tables(database: Database, run: Run) -> Iterator[sa.Connection]:
    """The tables of a run while it lasts, and the connection that keeps others from them.

    Raises
    ------
    DatabaseError
        Another run is at work in this database, or a table there is not ours.
    """
    with database.connect() as connection:
        if not connection.execute(
            sa.select(sa.func.get_lock(f"jobsim {database.name}", 0))
        ).scalar():
            raise DatabaseError(f"{database}: another run of jobsim is at work there")
        schema.create(connection, run.tables, run.seeded)
        try:
            yield connection
        except BaseException:
            with suppress(sa.exc.DBAPIError), without_interruption():
                schema.drop(connection, run.tables)
            raise
        schema.drop(connection, run.tables)


def _batches(run: Run) -> set[int]:
    """How many rows a statement may name at once."""
    return {1} if run.queue is None else {1, run.queue.settings.batch}


def _statements(run: Run) -> list[Statement]:
    """Every statement of the policies of a run."""
    policies = [one for one in (run.queue, run.lease) if one is not None]
    parts = [part for policy in policies for part in vars(policy).values()]
    return [part for part in parts if isinstance(part, Statement)]


def _bells(run: Run, stack: ExitStack) -> Bells | None:
    if not run.notify or run.queue is None:
        return None
    bells = Bells.hang(run.queue.jobs, run.queue.ready, run.workers)
    stack.callback(bells.close)
    return bells
