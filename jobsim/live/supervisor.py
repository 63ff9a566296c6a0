"""The process that starts the processes of a run, watches them, and ends them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from math import inf
from multiprocessing import connection
from types import TracebackType
from typing import Self

from jobsim.effects import Attempt
from jobsim.errors import DatabaseError
from jobsim.faults import TimedFault
from jobsim.horizon import ALL_FINAL, Horizon
from jobsim.live.driver import Start
from jobsim.live.journal import Record
from jobsim.live.plans import Plans
from jobsim.live.player import Player, without_interruption
from jobsim.live.stage import Stage
from jobsim.live.strikes import Strikes
from jobsim.run import CLIENTS, CRON, JOB, SPAWNED, SUBMITTER, Part

TICK_S = 0.02
"""How often the journals are looked at: how late a run's end or a pause's is noticed at most."""
CONNECT_S = 60.0
STOP_S = 1.0
TERMINATE_S = 2.0

LAST_INSTANT = "the run came to its last instant"
BROKE_OFF = "a script broke off"


class Supervisor:
    """Every process of one run, as a context manager: none is left when it ends.

    Parameters
    ----------
    stage
        Where the run is played.
    timed
        The faults that come at an instant, in order.

    Attributes
    ----------
    players, living
        Every process that was started, and those that have not ended.
    horizon
        How far the run has come.
    plans
        The statements that the scripts sent.
    """

    def __init__(self, stage: Stage, timed: Sequence[TimedFault]) -> None:
        self.stage = stage
        self.players: list[Player] = []
        self.living: list[Player] = []
        run = stage.run
        jobs = int((run.load.what == JOB).sum())
        workers = set(range(run.workers)) if run.queue is not None else set()
        self.horizon = Horizon(jobs, workers, reclaims=run.can_recover, submitting=jobs > 0)
        self.plans = Plans()
        self.strikes = Strikes(timed, self._find)
        self.start_s = inf
        self._requests = b""

    def __enter__(self) -> Self:
        try:
            for part in self.stage.run.cast:
                self._start(part)
        except BaseException:
            self.stop()
            raise
        self.stage.pipes.keep_supervisors_ends()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def await_ready(self) -> None:
        """Wait until everybody is connected.

        Raises
        ------
        DatabaseError
            Somebody cannot connect.
        """
        missing = len(self.players)
        ready = self.stage.pipes.ready.reading
        until_s = time.monotonic() + CONNECT_S
        while missing:
            sentinels = [player.process.sentinel for player in self.players]
            happened = connection.wait([ready, *sentinels], max(0.0, until_s - time.monotonic()))
            if ready in happened:
                missing -= len(os.read(ready, missing))
            elif happened or time.monotonic() >= until_s:
                raise DatabaseError(self._why_not_ready())

    def begin(self, start: Start) -> None:
        """Let everybody begin."""
        self.start_s = start.start_s
        self.stage.set_start(start)

    def now_s(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.start_s

    def watch(self, still_ready: Callable[[], bool], progress: Callable[[], object]) -> str:
        """See the run to its end: why it is over.

        Parameters
        ----------
        still_ready
            Asks the database whether a row waits to be taken.
        progress
            Called several times a second.
        """
        while self.now_s() < self.stage.run.until_s:
            self._rest()
            self._read_all()
            self.strikes.strike(self.now_s())
            progress()
            if any(player.crashed for player in self.players):
                return BROKE_OFF
            why = None if self._spawns() else self.horizon.over()
            if why and not (self.horizon.workers and why != ALL_FINAL and still_ready()):
                return why
        return LAST_INSTANT

    def stop(self) -> None:
        """End every process: asked first, then told, then killed. A Ctrl-C waits meanwhile."""
        with without_interruption():
            self.stage.pipes.stop.close_writing()
            for number, patience_s in (
                (signal.SIGCONT, STOP_S),
                (signal.SIGTERM, TERMINATE_S),
                (signal.SIGKILL, inf),
            ):
                for player in self.living:
                    player.signal(number)
                self._await_end(patience_s)
            self.stage.pipes.close()

    @property
    def spawned(self) -> int:
        """How many processes were started since the beginning."""
        return len(self.players) - len(self.stage.run.cast)

    @property
    def spawned_over(self) -> int:
        """How many of those have ended."""
        return self.spawned - sum(player.worker >= SPAWNED for player in self.living)

    @property
    def goodbyes(self) -> int:
        """How many processes have closed their sessions and left."""
        connected = [one for one in self.players if one.worker not in (CRON, CLIENTS)]
        return sum(player.last[0] == "left" for player in connected)

    def pids(self) -> list[int]:
        """The processes that live."""
        return [player.process.pid for player in self.living if player.process.pid is not None]

    def journals(self) -> list[tuple[int, Iterable[Record]]]:
        """What everybody recorded, by worker, each in order of time; and what was seen of them."""
        own = [(player.worker, player.journal.all()) for player in self.players]
        return [*own, *((worker, [record]) for worker, record in self.strikes.seen)]

    def warnings(self) -> list[str]:
        """What a reader of the result should know of how it came about."""
        return [
            f"{player.part.name} left a record half written when it was killed; dropped"
            for player in self.players
            if player.journal.torn
        ]

    def refuse_what_broke(self) -> None:
        """A run in which a script broke off tells nothing.

        Raises
        ------
        DatabaseError
            The server answered a script with what no script expects, or a script has a fault; the
            script's traceback is its note.
        """
        for player in self.players:
            if player.crashed:
                reason = str(player.last[3]).strip()
                broken = DatabaseError(f"{player.part.name} broke off: {reason.splitlines()[-1]}")
                broken.add_note(reason)
                raise broken

    def _start(self, part: Part) -> None:
        player = Player.start(self.stage, part)
        self.players.append(player)
        self.living.append(player)

    def _find(self, worker: int) -> Player | None:
        return next((player for player in self.living if player.worker == worker), None)

    def _spawns(self) -> bool:
        """Whether a scheduled run or a statement is under way or still to come."""
        return any(p.worker in (CRON, CLIENTS) or p.worker >= SPAWNED for p in self.living)

    def _rest(self) -> None:
        """Wait for the next thing to do, for a script to start, or for somebody's end."""
        patience_s = max(0.0, min(TICK_S, self.strikes.next_s - self.now_s()))
        asked = self.stage.pipes.spawn.reading
        sentinels = [player.process.sentinel for player in self.living]
        if asked in connection.wait([asked, *sentinels], patience_s):
            self._requests += os.read(asked, 1 << 16)
            *lines, self._requests = self._requests.split(b"\n")
            for role, number in (line.decode().split() for line in lines):
                self._start(self.stage.run.spawned(role, int(number)))

    def _read_all(self) -> None:
        for player in list(self.living):
            ended = not player.lives  # asked before the last of its records is read
            for record in player.read():
                self._take(player, record)
            if ended:
                self.living.remove(player)
                self._gone(player)

    def _take(self, player: Player, record: Record) -> None:
        kind, t_s, *rest = record
        if kind == "event" and rest[0] == "hung":
            self.strikes.resume_at(t_s + rest[-1], player)
        if kind == "statement":
            self.plans.add(*rest)
        take = _TAKES.get(kind)
        if take is not None and player.worker < SPAWNED:
            take(self.horizon, t_s, player.worker, *rest)

    def _gone(self, player: Player) -> None:
        """A process has ended; where it could not say so itself, it is said for it."""
        worker = player.worker
        if not player.said_goodbye:
            t_s = self.strikes.killed_s.get(worker, self.now_s())
            self.strikes.see(worker, max(t_s, player.last[1]), "died")
        if player.is_worker:
            self.horizon.gone(self.now_s(), worker)
        elif worker == SUBMITTER:
            self.horizon.no_more()
        player.end()

    def _await_end(self, patience_s: float) -> None:
        until_s = time.monotonic() + patience_s
        while self.living and (left_s := until_s - time.monotonic()) > 0:
            sentinels = [player.process.sentinel for player in self.living]
            connection.wait(sentinels, None if left_s == inf else left_s)
            for player in [one for one in self.living if not one.lives]:
                self.living.remove(player)
                player.end()

    def _why_not_ready(self) -> str:
        for player in self.players:
            for kind, _, *rest in player.read():
                if kind == "left":
                    return f"{player.part.name} could not begin: {rest[1].strip().splitlines()[-1]}"
        return f"the processes of the run were not all connected after {CONNECT_S:g} s"


def _attempts(pairs: Sequence[Sequence[int]]) -> list[Attempt]:
    return [Attempt(*pair) for pair in pairs]


_TAKES: dict[str, Callable[..., None]] = {
    "submitted": lambda horizon, t_s, worker, jobs: horizon.submitted(t_s, len(jobs)),
    "claimed": lambda horizon, t_s, worker, began_s, pairs: horizon.claimed(
        t_s, worker, _attempts(pairs)
    ),
    "empty": lambda horizon, t_s, worker, began_s: horizon.empty(worker, began_s),
    "finished": lambda horizon, t_s, worker, pairs, outcome: horizon.finished(
        t_s, worker, _attempts(pairs), outcome
    ),
    "reclaimed": lambda horizon, t_s, worker, jobs, step: horizon.reclaimed(t_s, jobs),
}
"""How a record of a journal tells the horizon."""
