"""Known answers: with statements that cost nothing, the queue is a textbook's.

Two kinds of check. On one trace the simulation must agree, job by job, with the recursion for first
come, first served. Over replications its mean must fall within three standard errors of the closed
form.
"""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from numpy.typing import NDArray

from jobsim.joblog import read_log
from jobsim.run import Run
from jobsim.scenario import Scenario
from jobsim.sim.costs import ZERO
from jobsim.sim.driver import play

NOTIFIED = {"trigger": {"wake": "notify"}}


def waits_s(run: Run) -> NDArray[np.float64]:
    attempts, _, _ = play(run, ZERO).recorder.frames()
    attempts = attempts.sort_values("job")
    return (attempts["started_s"].to_numpy() - run.load.submit_s).astype(float)


def first_come_first_served_s(run: Run) -> NDArray[np.float64]:
    """Waits by the recursion of Kiefer and Wolfowitz: the server free first takes the next job."""
    free = [0.0] * run.workers
    waits = []
    for due, needs in zip(run.load.submit_s, run.load.run_s, strict=True):
        start = max(due, heapq.heappop(free))
        waits.append(start - due)
        heapq.heappush(free, start + needs)
    return np.array(waits)


@pytest.mark.parametrize("queue", ["skip-locked", "for-update", "guarded-flag", "taken-flag"])
def test_waits_are_those_of_first_come_first_served(queue: str) -> None:
    log = read_log("mmc:arrival=3.6,service=1,servers=4,jobs=3000", seed=3)
    run = Scenario(queue=queue, settings=NOTIFIED).resolve(log)
    np.testing.assert_allclose(waits_s(run), first_come_first_served_s(run), atol=1e-6)


CLOSED_FORMS = [
    ("mmc:arrival=1,service=1.25,servers=1", 3.2, "M/M/1"),
    ("mmc:arrival=5,service=8,servers=1", 0.208333, "M/M/1"),
    ("mmc:arrival=3.6,service=1,servers=4", 1.969383, "M/M/4, Erlang C"),
    ("mdc:arrival=0.8,service=1,servers=1", 2.0, "M/D/1"),
    ("mgc:arrival=0.7,service=1,servers=1,cv2=4", 5.833333, "M/G/1, Pollaczek and Khinchine"),
]


@pytest.mark.parametrize(("load", "wait_s", "name"), CLOSED_FORMS)
def test_the_mean_wait_is_the_closed_forms(load: str, wait_s: float, name: str) -> None:
    means = []
    for seed in range(12):
        log = read_log(f"{load},jobs=8000", seed=seed)
        waited_s = waits_s(Scenario(settings=NOTIFIED).resolve(log))
        means.append(waited_s[800:].mean())  # the queue begins empty: leave the first tenth out
    error = np.std(means, ddof=1) / np.sqrt(len(means))
    assert abs(np.mean(means) - wait_s) < 3 * error, f"{name}: {np.mean(means)} +- {error}"


def test_a_worker_that_polls_while_idle_takes_vacations() -> None:
    """Polling each 0.8 adds the mean residual life of a vacation, 0.4, to the wait of 1.0."""
    means = []
    for seed in range(12):
        log = read_log("mmc:arrival=0.5,service=1,servers=1,jobs=8000", seed=seed)
        run = Scenario(settings={"trigger": {"poll_s": 0.8}}).resolve(log)
        means.append(waits_s(run)[800:].mean())
    error = np.std(means, ddof=1) / np.sqrt(len(means))
    assert abs(np.mean(means) - 1.4) < 3 * error
