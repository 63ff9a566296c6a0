"""The process that starts the processes of a run, watches them, strikes them, and ends them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Self

from jobsim.effects import Attempt
from jobsim.errors import DatabaseError
from jobsim.faults import TimedFault
from jobsim.horizon import ALL_FINAL, Horizon
from jobsim.live.journal import JournalReader, Record
from jobsim.live.stage import Stage, play
from jobsim.run import SUBMITTER, Part

TICK_S = 0.02
"""How often the journals are looked at: how late a run's end or a pause's is noticed at most."""
CONNECT_S = 60.0
SIGNALS = {"kill": signal.SIGKILL, "pause": signal.SIGSTOP, "raise": signal.SIGUSR1}
STOP_S = 1.0
TERMINATE_S = 2.0

FORK = multiprocessing.get_context("fork")


@dataclass(eq=False)
class Player:
    """A part and the process that plays it."""

    part: Part
    process: BaseProcess
    reader: JournalReader
    records: list[Record] = field(default_factory=list)

    @property
    def worker(self) -> int:
        return self.part.worker

    @property
    def is_worker(self) -> bool:
        return self.part.worker >= 0

    def lives(self) -> bool:
        """Whether its process has not ended."""
        return self.process.pid is not None and self.process.exitcode is None

    def read(self, *, to_the_end: bool = False) -> list[Record]:
        """Records that are new."""
        new = self.reader.close() if to_the_end else self.reader.more()
        self.records += new
        return new

    def signal(self, number: int) -> bool:
        """Send its process a signal: whether there was still one to send it to."""
        if not self.lives() or self.process.pid is None:
            return False
        os.kill(self.process.pid, number)
        return True


class Supervisor:
    """Every process of one run, as a context manager: none is left when it ends.

    Parameters
    ----------
    stage
        Where the run is played.
    parts
        Who plays.
    timed
        The faults that come at an instant, in order.
    """

    def __init__(self, stage: Stage, parts: Sequence[Part], timed: Sequence[TimedFault]) -> None:
        self.stage = stage
        self.players = [
            Player(
                part,
                FORK.Process(target=play, args=(stage, part), name=part.name),
                JournalReader(stage.journal(part)),
            )
            for part in parts
        ]
        self.living = list(self.players)
        self.timed = list(timed)
        self.resume_at: list[tuple[float, Player]] = []
        run = stage.run
        workers = {player.worker for player in self.players if player.is_worker}
        self.horizon = Horizon(
            len(run.load), workers, reclaims=run.queue.settings.reclaim != "never"
        )
        self.start_s = inf
        self.struck_s: dict[int, float] = {}
        self.seen: list[tuple[int, Record]] = []

    def __enter__(self) -> Self:
        with warnings.catch_warnings():
            # the processes of a run use nothing that another thread of this one might hold
            warnings.simplefilter("ignore", DeprecationWarning)
            for player in self.players:
                player.process.start()
        self.stage.pipes.keep_supervisors_ends()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        self.stage.pipes.close()

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

    def begin(self, start_s: float, origin: datetime) -> None:
        """Let everybody begin at ``start_s`` of the machine's monotonic clock."""
        self.start_s = start_s
        self.stage.set_start(start_s, origin)

    def now_s(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.start_s

    def watch(self, still_ready: Callable[[], bool], progress: Callable[[Horizon], None]) -> str:
        """See the run to its end: why it is over.

        Parameters
        ----------
        still_ready
            Asks the database whether a row waits to be taken.
        """
        until_s = self.stage.run.until_s
        while self.now_s() < until_s:
            self._rest()
            self._read_all()
            self._strike()
            progress(self.horizon)
            why = self.horizon.over()
            if why and not (self.horizon.workers and why != ALL_FINAL and still_ready()):
                return why
        return "the run came to its last instant"

    def stop(self) -> None:
        """End every process: asked first, then told, then killed."""
        self.stage.pipes.stop.close_writing()
        for player in self.living:
            player.signal(signal.SIGCONT)
        self._await_end(STOP_S)
        for player in self.living:
            player.signal(signal.SIGTERM)
        self._await_end(TERMINATE_S)
        for player in self.living:
            player.signal(signal.SIGKILL)
        self._await_end(inf)
        for player in self.players:
            player.read(to_the_end=True)

    def journals(self) -> list[tuple[int, list[Record]]]:
        """What everybody recorded, by worker, each in order of time; and what was seen of them."""
        return [(player.worker, player.records) for player in self.players] + [
            (worker, [record]) for worker, record in self.seen
        ]

    def warnings(self) -> list[str]:
        """What a reader of the result should know of how it came about."""
        found = []
        for player in self.players:
            name = player.part.name
            if player.reader.torn:
                found.append(f"{name} left a record half written when it was killed; dropped")
            for kind, _, *rest in player.records[-1:]:
                if kind == "left" and rest[0] == "crashed":
                    found.append(f"{name} crashed: {rest[1]}")
        return found

    def _await_end(self, patience_s: float) -> None:
        until_s = time.monotonic() + patience_s
        while self.living and (left_s := until_s - time.monotonic()) > 0:
            sentinels = [player.process.sentinel for player in self.living]
            connection.wait(sentinels, None if left_s == inf else left_s)
            self.living = [player for player in self.living if player.lives()]

    def _rest(self) -> None:
        """Wait for the next thing to do, or for somebody's end."""
        due_s = [one.t_s for one in self.timed[:1]] + [t_s for t_s, _ in self.resume_at]
        patience_s = max(0.0, min([TICK_S, *(t_s - self.now_s() for t_s in due_s)]))
        if self.living:
            connection.wait([player.process.sentinel for player in self.living], patience_s)
        else:
            time.sleep(patience_s)

    def _read_all(self) -> None:
        for player in list(self.living):
            ended = not player.lives()  # before the last of its records is read
            for record in player.read():
                self._take(player, record)
            if ended:
                self.living.remove(player)
                self._gone(player)

    def _take(self, player: Player, record: Record) -> None:
        kind, t_s, *rest = record
        if kind == "event" and rest[0] == "hung":
            self.resume_at.append((t_s + rest[-1], player))
        take = _TAKES.get(kind)
        if take is not None:
            take(self.horizon, t_s, player.worker, *rest)

    def _gone(self, player: Player) -> None:
        """A process has ended; where it could not say so itself, it is said for it."""
        last: Record = player.records[-1] if player.records else ["", 0.0, ""]
        if not (last[0] == "left" or (last[0] == "event" and last[2] == "died")):
            t_s = max(last[1], self.struck_s.get(player.worker, self.now_s()))
            player.records.append(["event", t_s, "died", "", 0, 0, None])
        if player.is_worker:
            self.horizon.gone(self.now_s(), player.worker)
        elif player.worker == SUBMITTER:
            self.horizon.no_more()

    def _strike(self) -> None:
        """Bring the faults whose instant has come, and let those go on whose pause is over."""
        while self.timed and self.timed[0].t_s <= self.now_s():
            self._strike_one(self.timed.pop(0))
        for t_s, player in list(self.resume_at):
            if t_s <= self.now_s():
                self.resume_at.remove((t_s, player))
                player.signal(signal.SIGCONT)

    def _strike_one(self, timed: TimedFault) -> None:
        player = next(one for one in self.players if one.worker == timed.worker)
        t_s = self.now_s()
        if not player.signal(SIGNALS[timed.fault.kind]):
            return
        if timed.fault.kind == "kill":
            self.struck_s[player.worker] = t_s
        elif timed.fault.kind == "pause" and timed.fault.for_s is not None:
            self.resume_at.append((t_s + timed.fault.for_s, player))
            self._see(player, t_s, "hung", timed.fault.for_s)

    def _see(self, player: Player, t_s: float, kind: str, value: float | None) -> None:
        self.seen.append((player.worker, ["event", t_s, kind, "", 0, 0, value]))

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
    "reclaimed": lambda horizon, t_s, worker, jobs: horizon.reclaimed(t_s, jobs),
}
"""How a record of a journal tells the horizon."""
