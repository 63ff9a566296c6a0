"""Play one run in the simulation."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from time import perf_counter

from jobsim.events import Recorder
from jobsim.memory import MANY, give_memory_back
from jobsim.run import Run
from jobsim.sim.costs import DEFAULT, Costs
from jobsim.sim.driver.stage import Stage


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
    _give_memory_back(len(run.load))
    recorder, t_s = _played(run, costs, skip)
    _give_memory_back(len(run.load))
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


def _give_memory_back(jobs: int) -> None:
    """Free what reading the log left, and later the modelled server, before more is made.

    The server's parts refer to each other, and its rows lie in many small blocks.
    """
    if jobs >= MANY:
        gc.collect()
    give_memory_back(jobs)
