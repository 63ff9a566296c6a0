"""Play one run in the simulation."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

from jobsim.events import Recorder
from jobsim.run import Run
from jobsim.sim.costs import DEFAULT, Costs
from jobsim.sim.driver.stage import Stage

MANY = 50_000
"""Jobs from which on a run takes memory worth giving back at once."""


@dataclass(frozen=True)
class SimRecord:
    """What a simulated run left: its records, how long it took, what it was charged."""

    recorder: Recorder
    costs: Costs
    wall_s: float
    t_s: float


def play(run: Run, costs: Costs = DEFAULT, *, skip: bool = True) -> SimRecord:
    """Simulate a run.

    Parameters
    ----------
    run
        The run, in run seconds.
    costs
        What statements cost; :data:`jobsim.sim.costs.ZERO` for closed forms.
    skip
        Let idle looks pass without events. Turning it off changes no record.
    """
    began_s = perf_counter()
    many = len(run.load) >= MANY
    if many:
        _give_memory_back()
    recorder, t_s = _played(run, costs, skip)
    if many:
        _give_memory_back()
    return SimRecord(recorder, costs, perf_counter() - began_s, t_s)


def _played(run: Run, costs: Costs, skip: bool) -> tuple[Recorder, float]:
    stage = Stage(run, costs, skip)
    collecting = gc.isenabled()
    gc.disable()  # a run makes millions of short-lived tuples and hardly any cycle
    try:
        stage.play()
    finally:
        if collecting:
            gc.enable()
    return stage.recorder, stage.world.now


def _give_memory_back() -> None:
    """Free what reading the log left, and later the modelled server, before more is made.

    The server's parts refer to each other, and its rows lie in so many small blocks that the C
    library would keep most of the room they took; glibc can be asked for it.
    """
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
