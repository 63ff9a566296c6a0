"""One way to play a scenario, whichever driver it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from jobsim.joblog import JobLog
from jobsim.live.database import Database, look_at, parse_url
from jobsim.live.perform import perform
from jobsim.live.server import ThrowAwayServer
from jobsim.outcomes import Facts, Metrics, measure
from jobsim.run import Run
from jobsim.scenario import Scenario
from jobsim.sim.driver import play

Play = Callable[..., "Played"]


class Played:
    """A run that was played: its metrics and records."""

    def __init__(self, run: Run, recorder: Any) -> None:
        self.run = run
        self.facts = Facts.of(recorder, run.load, workers=run.workers, until_s=run.until_s)
        self.metrics: Metrics = measure(self.facts, driver="", name=run.name, family=run.family)
        self.attempts: pd.DataFrame = self.facts.attempts
        self.events: pd.DataFrame = self.facts.events

    def events_of(self, kind: str) -> pd.DataFrame:
        return self.events[self.events["kind"] == kind]


@pytest.fixture(scope="session")
def database(mariadb: ThrowAwayServer) -> Database:
    return look_at(parse_url(mariadb.url), mariadb.pid)


@pytest.fixture(params=["sim", "live"])
def play_it(request: pytest.FixtureRequest) -> Play:
    """Play a scenario on a log, by the driver of this test."""
    if request.param == "sim":
        return lambda scenario, log: _simulated(scenario.resolve(log))
    database = request.getfixturevalue("database")
    return lambda scenario, log: _performed(scenario.resolve(log), database)


def _simulated(run: Run) -> Played:
    return Played(run, play(run).recorder)


def _performed(run: Run, database: Database) -> Played:
    return Played(run, perform(run, database).recorder)


@pytest.fixture
def burst() -> JobLog:
    """Forty jobs of 5 ms at once: everybody wants the head of the queue."""
    return log_of(np.zeros(40), np.full(40, 0.005))


def log_of(submit_s: Any, run_s: Any, outcome: Any = "completed", **more: Any) -> JobLog:
    """A log of these jobs."""
    submit_s = np.asarray(submit_s, dtype=float)
    return JobLog.of(
        pd.DataFrame(
            {"kind": "zip", "submit_s": submit_s, "run_s": run_s, "outcome": outcome, **more}
        ),
        name="made",
    )


def scenario(**given: Any) -> Scenario:
    """A scenario that looks again each 20 ms and gives up after ten seconds."""
    settings = {"trigger": {"poll_s": 0.02}, **given.pop("settings", {})}
    return Scenario(**{"workers": 4, "until_s": 10.0, "settings": settings, **given})
