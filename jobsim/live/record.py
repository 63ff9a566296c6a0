"""What a live run tells while it goes on, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from jobsim.events import Recorder
from jobsim.live.plans import Plan
from jobsim.live.probes import Processor
from jobsim.live.replay import Ran, Step


class Enough(Exception):  # noqa: N818 - it is no error
    """Raised by whoever is told of a run's progress: it ends there, with the record so far."""


class Progress(NamedTuple):
    """How far a run has come; a scheduled run or a statement is final when its process ended."""

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
