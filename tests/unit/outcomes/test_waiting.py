"""Waits and overtakes."""

from __future__ import annotations

from math import inf, isnan

import numpy as np

from jobsim.outcomes import Facts
from jobsim.outcomes.waiting import overtakes, wait, waits_s

from .made import Slowly, Story, everything, jobs, over_runs


def told_of(facts: Facts) -> dict:
    return wait(facts, everything(facts))


def first_starts(slowly: Slowly) -> dict[int, float]:
    return {
        job["job"]: min(
            (a.started_s for a in slowly.of(job["job"]) if not isnan(a.started_s)), default=inf
        )
        for job in slowly.jobs
    }


@over_runs
def test_a_wait_is_from_due_to_the_first_start(facts: Facts):
    slowly = Slowly(facts)
    for job, start_s in first_starts(slowly).items():
        waited_s = waits_s(facts)[job - 1]
        assert isnan(waited_s) if start_s == inf else waited_s == start_s - slowly.due_s(job)


@over_runs
def test_an_overtake_is_a_first_start_while_a_job_due_earlier_was_not_started(facts: Facts):
    slowly = Slowly(facts)
    starts = first_starts(slowly)
    expected = sum(
        start < inf
        and any(slowly.due_s(k) < slowly.due_s(job) and s > start for k, s in starts.items())
        for job, start in starts.items()
    )
    assert overtakes(facts) == expected


def test_waits_are_told_by_their_mean_percentiles_and_greatest():
    story = Story()
    for job in range(1, 102):
        story.attempt(job, job - 1, job - 1, job, job)
    told = told_of(story.facts(jobs(np.zeros(101))))
    assert told == {
        "mean_s": 50, "p50_s": 50, "p95_s": 95, "p99_s": 99, "max_s": 100, "overtakes": 0
    }  # fmt: skip


def test_a_run_in_which_nothing_started_has_no_wait_to_tell():
    told = told_of(Story().facts(jobs([0, 0])))
    assert told["mean_s"] is None
    assert told["p99_s"] is None
    assert told["overtakes"] == 0


def test_only_the_jobs_asked_for_are_told_and_only_a_queue_has_overtakes():
    facts = Story().attempt(1, 9, 9, 10, 10).attempt(2, 1, 1, 2, 2).facts(jobs([0, 0], what=[1, 2]))
    told = wait(facts, facts.are("statement"))
    assert told["max_s"] == 1
    assert told["overtakes"] is None
