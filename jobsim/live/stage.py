"""One process of a run: it plays one part, from the common start to the end."""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from math import isnan
from pathlib import Path
from typing import Any

import jobsim.live.noting  # registers how notes are performed
import jobsim.live.performing  # noqa: F401 - registers how other effects are
from jobsim.effects import Raised, Thrown
from jobsim.errors import JobsimError
from jobsim.faults import at_steps
from jobsim.live.bell import Bells
from jobsim.live.database import Database
from jobsim.live.driver import Performer, Start
from jobsim.live.journal import Journal
from jobsim.live.parent import die_with_parent
from jobsim.live.pause import Pause, RunClock, Stopped
from jobsim.live.pipes import Pipes
from jobsim.live.tally import SharedTally, Tally
from jobsim.live.work import Work, WorkKind, make_work
from jobsim.run import Part, Run


@dataclass(frozen=True)
class Stage:
    """Where a run is played: what every process of it knows.

    Attributes
    ----------
    folder
        Holds the journals, and the common start when it is known.
    owner
        The supervisor's process.
    forget
        What a forked process must not hold of its supervisor's: called in each.
    """

    run: Run
    database: Database
    work: WorkKind
    folder: Path
    owner: int
    pipes: Pipes
    bells: Bells | None
    trace: bool
    forget: list[Callable[[], object]] = field(default_factory=list)

    def journal(self, part: Part) -> Path:
        return self.folder / f"{part.name}.jsonl"

    def set_start(self, start: Start) -> None:
        """Let everybody begin."""
        draft = self.folder / "start.draft"
        draft.write_text(json.dumps([start.start_s, start.origin.isoformat(), start.hidden]))
        draft.rename(self.folder / "start.json")  # whole, or not at all
        self.pipes.go.close_writing()

    def ask_for(self, role: str, number: int) -> None:
        """Have the supervisor start a script in a process of its own."""
        os.write(self.pipes.spawn.writing, f"{role} {number}\n".encode())

    def await_start(self, clock: RunClock, pause: Pause) -> Start:
        """Say that this process is ready, and wait for the common start, if that is to come."""
        file = self.folder / "start.json"
        if not file.exists():
            os.write(self.pipes.ready.writing, b".")
            select.select([self.pipes.go.reading, self.pipes.stop.reading], [], [])
        if not file.exists():
            raise Stopped
        start_s, origin, hidden = json.loads(file.read_text())
        clock.start_s = start_s
        pause.until(0.0)
        return Start(start_s, datetime.fromisoformat(origin), tuple(hidden))

    def tally(self, part: Part) -> Tally:
        """What counts the steps of a part, or of its troupe."""
        return SharedTally(self.folder, part.troupe) if part.troupe else Tally()


def play(stage: Stage, part: Part) -> None:
    """Play a part; runs in a process of its own, and never raises."""
    _become_player(stage)
    clock = RunClock()
    pause = Pause(stage.pipes.stop.reading, clock)
    journal = Journal(stage.journal(part))
    performer = Performer(
        worker=part.worker,
        load=stage.run.load,
        database=stage.database,
        isolation=stage.run.isolation,
        journal=journal,
        pause=pause,
        work=_work(stage, part, pause, journal),
        gate=lambda: stage.await_start(clock, pause),
        faults=at_steps(stage.run.faults, part.met_as),
        tally=stage.tally(part),
        bells=stage.bells,
        spawn=stage.ask_for,
        trace=stage.trace,
    )
    signal.signal(signal.SIGUSR1, lambda *_: performer.raise_now())
    how, text = _perform(performer, part)
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    performer.work.close()
    performer.disconnect()
    journal.left(_t_s(clock), how, text)


def _become_player(stage: Stage) -> None:
    die_with_parent(stage.owner)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the supervisor's to handle
    signal.signal(signal.SIGTERM, _stop)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    stage.pipes.keep_players_ends()
    for forget in stage.forget:
        forget()
    gc.freeze()  # what the supervisor had is never garbage here


def _stop(number: int, frame: Any) -> None:
    raise Stopped


def _work(stage: Stage, part: Part, pause: Pause, journal: Journal) -> Work:
    kind = stage.work if part.worker >= 0 else "sleep"
    return make_work(
        kind, stage.run.load, pause, lambda attempt, m: journal.ran(pause.now(), attempt, m)
    )


def _perform(performer: Performer, part: Part) -> tuple[str, str]:
    """Perform the part: how it ended, and why."""
    try:
        performer.perform(part.begin())
    except Stopped:
        return "stopped", ""
    except Thrown as thrown:
        if not isinstance(thrown, Raised):  # whose fault has noted it
            performer.note("raised", performer.step)
        return "raised", repr(thrown)
    except JobsimError as error:
        return "crashed", str(error)
    except Exception:  # noqa: BLE001 - reported by the supervisor, with its traceback
        if performer.start is not None:
            performer.note("raised", performer.step)
        return "crashed", traceback.format_exc()
    return "returned", ""


def _t_s(clock: RunClock) -> float:
    return 0.0 if isnan(clock()) else clock()
