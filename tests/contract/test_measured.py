"""What was measured on MariaDB 10.11, in words, on both drivers.

Claims alone, so that the index holds pending and claimed rows and nothing between: finished rows
would hide what the name of a status does.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from jobsim.effects import Poll, Script
from jobsim.live.database import Database
from jobsim.live.perform import perform
from jobsim.policies.queue import Queue
from jobsim.roles.common import connect, disconnect
from jobsim.roles.queue import claim, submitter
from jobsim.run import SUBMITTER, Part, Run
from jobsim.sim.driver import play
from tests.contract.conftest import Play, Played, log_of, scenario

ROWS = 400


def claimer(queue: Queue, me: int) -> Script[None]:
    """Claim until nothing is left, and finish nothing."""
    yield from connect()
    yield from Poll("wait for rows", 0.2, queue.jobs, queue.ready)()
    while (yield from claim(queue, me)):
        pass
    yield from disconnect()


class ClaimsAlone(Run):
    """A run whose workers claim and do nothing else."""

    @cached_property
    def cast(self) -> tuple[Part, ...]:
        queue = self.queue
        assert queue is not None
        submits = Part("submitter", SUBMITTER, lambda: submitter(queue, self.load.jobs()))
        workers = [
            Part(f"worker-{me}", me, lambda me=me: claimer(queue, me))  # type: ignore[misc]
            for me in range(self.workers)
        ]
        return (submits, *workers)


@pytest.fixture(params=["sim", "live"])
def claim_all(request: pytest.FixtureRequest) -> Any:
    """Four workers claim every row by this policy; the run that they made."""

    def claimed(queue: str, isolation: str = "repeatable-read", **given: Any) -> Played:
        settings = {
            "queue": {"reclaim": "never", **given},
            "database": {"isolation": isolation},
        }
        log = log_of(np.zeros(ROWS), np.zeros(ROWS))
        usual = scenario(queue=queue, settings=settings, until_s=4.0).resolve(log)
        run = ClaimsAlone(**{f.name: getattr(usual, f.name) for f in fields(usual)})
        if request.param == "sim":
            return Played(run, play(run).recorder)
        database: Database = request.getfixturevalue("database")
        return Played(run, perform(run, database).recorder)

    return claimed


def deadlocks(played: Played) -> int:
    return int(played.metrics["contention"]["deadlocks"])


def test_a_status_that_sorts_just_below_pending_deadlocks(claim_all: Any) -> None:
    """The claim's own entry goes into the gap that every other claimer has locked."""
    assert deadlocks(claim_all("for-update", claimed_name="claimed")) > 10


def test_the_same_status_by_a_name_that_sorts_above_never_deadlocks(claim_all: Any) -> None:
    assert deadlocks(claim_all("for-update", claimed_name="running")) == 0


@pytest.mark.parametrize("queue", ["for-update", "skip-locked"])
def test_read_committed_frees_the_gaps(queue: str, claim_all: Any) -> None:
    assert deadlocks(claim_all(queue, "read-committed", claimed_name="claimed")) == 0


def test_under_read_committed_skip_locked_waits_for_nobody(claim_all: Any) -> None:
    assert claim_all("skip-locked", "read-committed").metrics["contention"]["lock_waits"] == 0


@pytest.mark.parametrize("index", ["none", "status"])
def test_without_the_composite_index_a_claim_is_silently_empty(index: str, play_it: Play) -> None:
    """One worker's open claim has locked every pending row; the other's finds nothing, no error."""
    played = play_it(one_holds(index), log_of(np.zeros(30), np.full(30, 0.05)))
    assert played.metrics["contention"]["starved_claims"] > 0


def test_with_the_composite_index_the_next_row_is_had(play_it: Play) -> None:
    played = play_it(one_holds("composite"), log_of(np.zeros(30), np.full(30, 0.05)))
    assert played.metrics["contention"]["starved_claims"] == 0


def one_holds(index: str) -> Any:
    """Two workers that work inside of their claims."""
    settings = {"queue": {"work": "inside"}, "database": {"index": index}}
    return scenario(queue="skip-locked", workers=2, settings=settings)
