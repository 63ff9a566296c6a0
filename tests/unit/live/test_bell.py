"""Waking idle workers when a row comes to fit."""

from collections.abc import Iterator
from dataclasses import replace
from select import select

import pytest

from jobsim.effects import NOW, More, Param, Update, all_of, column
from jobsim.live.bell import Bells
from jobsim.policies.queue import JOBS
from jobsim.policies.registry import find

QUEUE = find("queue", "guarded-flag").build({"reclaim": "after"})


@pytest.fixture
def bells() -> Iterator[Bells]:
    made = Bells.hang(JOBS, QUEUE.ready, workers=2)
    yield made
    made.close()


def ringing(bells: Bells) -> list[int]:
    return [worker for worker in bells.ends if select([bells.wake(worker)], [], [], 0)[0]]


def test_a_ring_wakes_everybody_until_they_silence_it(bells: Bells) -> None:
    assert ringing(bells) == []
    bells.ring()
    bells.ring()
    assert ringing(bells) == [0, 1]
    bells.silence(0)
    assert ringing(bells) == [1]


def test_silencing_a_bell_that_did_not_ring_does_not_wait(bells: Bells) -> None:
    bells.silence(1)
    assert ringing(bells) == []


def test_nobody_waits_for_those_who_do_not_listen(bells: Bells) -> None:
    for _ in range(100_000):
        bells.ring()
    assert ringing(bells) == [0, 1]


def test_it_rings_for_an_update_that_may_make_a_row_ready(bells: Bells) -> None:
    assert bells.rings_for(QUEUE.free)
    assert bells.rings_for(Update("x", JOBS, (("status", Param("new")),)))


def test_it_does_not_ring_for_a_claim_a_finish_or_a_renewal(bells: Bells) -> None:
    for quiet in (QUEUE.mark, QUEUE.complete, QUEUE.fail, QUEUE.renewal):
        assert not bells.rings_for(quiet)


def test_it_does_not_ring_for_another_table(bells: Bells) -> None:
    other = replace(JOBS, name="jobsim_other")
    assert not bells.rings_for(Update("x", other, (("status", "pending"),)))


def test_a_comparison_that_cannot_be_judged_is_taken_to_hold() -> None:
    until = all_of(column("claimed_at").is_null(), column("attempts").less_than(5))
    bells = Bells(JOBS, until, {})
    assert bells.rings_for(Update("x", JOBS, (("claimed_at", None),)))
    assert not bells.rings_for(Update("x", JOBS, (("claimed_at", NOW),)))
    assert bells.rings_for(Update("x", JOBS, (("attempts", More("attempts")),)))
