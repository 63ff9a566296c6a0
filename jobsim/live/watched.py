"""A live run as its supervisor and the server see it: how far it is, what it cost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import sqlalchemy as sa

from jobsim.effects import Connect, Select
from jobsim.live.clocks import Clocks
from jobsim.live.probes import Processor, ProcessorReading, ServerCounters
from jobsim.live.record import LiveRecord, Progress
from jobsim.live.replay import Replay
from jobsim.live.session import Session
from jobsim.live.sqltext import sql_text
from jobsim.live.stage import Stage
from jobsim.live.supervisor import Supervisor

BY_CLIENTS = {"deadlocks": "deadlock", "lock_timeouts": "lock timeout"}
"""What the clients count by the events that they met, where the server does not tell."""


class Watched:
    """A run as its supervisor and the server see it."""

    def __init__(self, stage: Stage, supervisor: Supervisor, control: sa.Connection) -> None:
        self.stage = stage
        self.supervisor = supervisor
        self.control = control
        self.counters = ServerCounters(control, self._connect)
        self.clocks = Clocks.of(control)
        self.before = self._processor()
        self.processor: Processor | None = None
        self.counts: dict[str, int] = {}
        self.wall_s = 0.0

    def begin(self) -> None:
        """The processes are ready: let them begin."""
        self.counters.begin()
        self.before = self._processor()
        self.supervisor.begin(self.clocks.start())

    def look(self) -> Progress:
        """How far it has come; half-way the plans are asked for."""
        horizon, plans = self.supervisor.horizon, self.supervisor.plans
        if not plans.plans and 2 * len(horizon.final) >= horizon.jobs > 0:
            asked = plans.explain(self.control, self.supervisor.now_s())
            self.counters.own_statements += asked
        spawned, over = self.supervisor.spawned, self.supervisor.spawned_over
        return Progress(
            t_s=self.supervisor.now_s(),
            jobs=len(self.stage.run.load),
            submitted=horizon.submitted_jobs + spawned,
            final=len(horizon.final) + over,
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
        self.counts = self.counters.counted(self.supervisor.spawned, self.supervisor.goodbyes)
        self.processor = self.before.until(self._processor())
        self.supervisor.plans.explain(self.control, self.wall_s)

    def record(self, ended: str) -> LiveRecord:
        """Everything, put together."""
        replay = Replay()
        replay.all(self.supervisor.journals())
        counts = replay.recorder.counts
        counts.update(self.counts)
        for name, kind in BY_CLIENTS.items():
            met = sum(event.kind == kind for event in replay.recorder.events)
            counts[name] = self.counts.get(name, met)
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

    def _connect(self) -> Callable[[], None]:
        return Session(self.stage.database, self.stage.run.isolation, Connect()).close

    def _processor(self) -> ProcessorReading:
        pids = [os.getpid(), *self.supervisor.pids()]
        return ProcessorReading.take(pids, self.stage.database.pid, time.monotonic())
