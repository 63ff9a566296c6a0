"""Faults at an instant: signals to the processes of a run, and the end of their pauses."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from jobsim.faults import TimedFault
from jobsim.live.journal import Record
from jobsim.live.player import Player

SIGNALS = {"kill": signal.SIGKILL, "pause": signal.SIGSTOP, "raise": signal.SIGUSR1}


class Resume(NamedTuple):
    """A stopped process that is to go on; ``noted``: it says so itself."""

    t_s: float
    player: Player
    noted: bool


class Strikes:
    """The faults that are still to come, and the pauses that are still to end.

    Attributes
    ----------
    find
        The living player of a worker's number, or None.
    seen
        Records of what was done to a process that cannot record it itself, by worker.
    killed_s
        When a worker was sent its SIGKILL.
    """

    def __init__(self, timed: Sequence[TimedFault], find: Callable[[int], Player | None]) -> None:
        self.timed = list(timed)
        self.find = find
        self.resumes: list[Resume] = []
        self.seen: list[tuple[int, Record]] = []
        self.killed_s: dict[int, float] = {}

    @property
    def next_s(self) -> float:
        """When there is something to do next; inf for never."""
        due_s = [one.t_s for one in self.timed[:1]] + [one.t_s for one in self.resumes]
        return min(due_s, default=inf)

    def strike(self, now_s: float) -> None:
        """Bring the faults whose instant has come; let those go on whose pause is over."""
        while self.timed and self.timed[0].t_s <= now_s:
            self._strike(self.timed.pop(0), now_s)
        for resume in [one for one in self.resumes if one.t_s <= now_s]:
            self.resumes.remove(resume)
            if resume.player.signal(signal.SIGCONT) and not resume.noted:
                self.see(resume.player.worker, now_s, "resumed")

    def resume_at(self, t_s: float, player: Player, *, noted: bool = True) -> None:
        """A process has stopped; let it go on at an instant."""
        self.resumes.append(Resume(t_s, player, noted))

    def see(self, worker: int, t_s: float, kind: str, value: float | None = None) -> None:
        """Record for a process what it cannot record itself."""
        self.seen.append((worker, ["event", t_s, kind, "", 0, 0, value]))

    def _strike(self, timed: TimedFault, now_s: float) -> None:
        fault, player = timed.fault, self.find(timed.worker)
        if player is None or not player.signal(SIGNALS[fault.kind]):
            return
        if fault.kind == "kill":
            self.killed_s[timed.worker] = now_s
        elif fault.kind == "pause" and fault.for_s is not None:
            self.resume_at(now_s + fault.for_s, player, noted=False)
            self.see(timed.worker, now_s, "hung", fault.for_s)
