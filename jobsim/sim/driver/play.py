"""Play one run in the simulation."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from time import perf_counter

from jobsim.events import Recorder
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
    stage = Stage(run, costs, skip)
    collecting = gc.isenabled()
    gc.disable()  # a run makes millions of short-lived tuples and hardly any cycle
    try:
        stage.play()
    finally:
        if collecting:
            gc.enable()
    return SimRecord(stage.recorder, costs, perf_counter() - began_s, stage.world.now)
