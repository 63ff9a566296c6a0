"""``make bench``: how fast, and in how much memory.

The simulation is timed beside its anchor, turn by turn in one go, so that what else the machine
does meets both alike; what counts is the ratio. Memory is the peak of a process of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

from jobsim.experiment import simulate
from jobsim.joblog import JobLog, read_log
from jobsim.scenario import Scenario
from jobsim.sim.costs import DEFAULT
from jobsim.sim.driver import play
from tests.bench.anchor import mean_wait_s
from tests.bench.peak import peak_mb
from tests.bench.reading import time_readers

LOAD = "mmc:arrival=3.6,service=1,servers=4,jobs={jobs},seed=1"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=200_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--memory-of", type=int, help="only simulate so many jobs, print the peak")
    parser.add_argument("--only", choices=["simulation", "memory", "reading"])
    given = parser.parse_args()
    if given.memory_of:
        print_peak(given.memory_of)
        return
    if given.only in (None, "simulation"):
        time_both(read_log(LOAD.format(jobs=given.jobs)), given.turns)
    if given.only in (None, "memory"):
        for jobs in (1_000, 1_000_000):
            command = [sys.executable, "-m", "tests.bench", "--memory-of", str(jobs)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            print(done.stdout, end="")
    if given.only in (None, "reading"):
        time_readers(given.turns)


def time_both(log: JobLog, turns: int) -> None:
    """Time the anchor and the simulation in turns, and print the ratio."""
    scenario = Scenario(queue="skip-locked")
    contestants: dict[str, Callable[[], object]] = {
        "idiomatic SimPy": lambda: mean_wait_s(log),
        "simulate --queue skip-locked": lambda: play(scenario.resolve(log), DEFAULT),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(turns):
        for name, run in contestants.items():
            began_s = perf_counter()
            run()
            seconds[name].append(perf_counter() - began_s)
    for name, took in seconds.items():
        rate = len(log) / median(took)
        spread = f"{min(took):.2f} to {max(took):.2f}"
        print(f"{name:<30} {median(took):6.2f} s ({spread}), {rate:9,.0f} jobs/s")
    anchor, ours = seconds.values()
    ratios = sorted(a / b for a, b in zip(anchor, ours, strict=True))
    print(f"ratio {median(ratios):.2f} (turn by turn {ratios[0]:.2f} to {ratios[-1]:.2f})")


def print_peak(jobs: int) -> None:
    result = simulate(LOAD.format(jobs=jobs))
    print(f"{len(result.jobs):9,} jobs simulated and measured: peak {peak_mb():.0f} MB")


if __name__ == "__main__":
    main()
