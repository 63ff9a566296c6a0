"""Claims, empty ones, starved ones, and what the server counted."""

from __future__ import annotations

from math import inf, isnan

import pytest

from jobsim.outcomes import Facts
from jobsim.outcomes.contention import contention, starved_claims

from .made import Slowly, Story, jobs, over_runs


@over_runs
def test_a_starved_claim_is_empty_while_a_row_lies_unclaimed(facts: Facts):
    slowly = Slowly(facts)

    def lay_there(job: dict, from_s: float, to_s: float) -> bool:
        free = [job["submitted_s"], *slowly.instants_s("reclaimed", job=job["job"])]
        taking = [a.claiming_s for a in slowly.of(job["job"])]
        for since_s in free:
            if isnan(since_s) or since_s >= from_s:
                continue
            later = [t for t in taking if t >= since_s or since_s == job["submitted_s"]]
            if min([slowly.final_s(job["job"]), *later], default=inf) > to_s:
                return True
        return False

    starved = [
        any(lay_there(job, look["from_s"], look["to_s"]) for job in slowly.jobs)
        for look in slowly.empty
    ]
    assert starved_claims(facts) == sum(starved)


def test_a_row_that_another_worker_is_claiming_starves_nobody():
    story = Story().attempt(1, 6, 6, 7, 7, claiming=3).empty(4, 5, worker=1)
    assert starved_claims(story.facts(jobs([0]))) == 0


def test_a_claim_that_comes_back_empty_while_the_head_is_locked_is_starved():
    story = Story().attempt(1, 6, 6, 7, 7, claiming=3).attempt(2, 9, 9, 9, 9, claiming=8)
    assert starved_claims(story.empty(4, 5, worker=1).facts(jobs([0, 0]))) == 1


def test_the_attempts_of_one_batch_are_one_claim():
    story = Story()
    for job in (1, 2, 3):
        story.attempt(job, 2, 2 + job, 3 + job, 3 + job, claiming=1)
    story.attempt(4, 9, 9, 9, 9, claiming=6).attempt(5, 9, 9, 9, 9, claiming=4, worker=1)
    told = contention(story.empty(0, 0.5).facts(jobs([0] * 5)))
    assert told["claims"] == 4
    assert told["empty_claims"] == 1
    assert told["claim_p50_s"] == 3
    assert told["claim_p99_s"] == pytest.approx(4.96)


def test_idle_looks_that_a_simulation_skips_are_counted_as_empty_claims():
    story = Story().empty(0, 0.5)
    story.recorder.counts["idle_looks"] = 7
    told = contention(story.facts(jobs([0])))
    assert (told["claims"], told["empty_claims"]) == (8, 8)


def test_what_the_driver_did_not_count_is_none_and_what_it_counted_as_nought_is_nought():
    story = Story()
    story.recorder.counts.update({"lock_waits": 0, "lock_wait_ms": 1500})
    told = contention(story.facts(jobs([])))
    assert told["lock_waits"] == 0
    assert told["lock_wait_s"] == 1.5
    assert told["deadlocks"] is None
    assert told["rows_examined"] is None
    assert told["claim_p50_s"] is None
