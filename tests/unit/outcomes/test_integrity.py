"""Duplicates, lost jobs, overlaps, zombie finishes."""

from __future__ import annotations

from math import isnan

import pytest

from jobsim.outcomes import Facts
from jobsim.outcomes.integrity import integrity

from .made import Slowly, Story, jobs, over_runs


@over_runs
def test_duplicates_are_the_runs_of_a_job_beyond_its_first(facts: Facts):
    slowly = Slowly(facts)
    count, seconds = 0, 0.0
    for job in slowly.jobs:
        ran = [a for a in slowly.of(job["job"]) if not isnan(a.ended_s) and not job["fails"]]
        ran.sort(key=lambda a: (a.ended_s, a.row))
        count += max(len(ran) - 1, 0)
        seconds += sum(a.ended_s - a.started_s for a in ran[1:])
    told = integrity(facts)
    assert told["duplicates"] == count
    assert told["duplicate_s"] == pytest.approx(seconds)


@over_runs
def test_an_overlap_begins_while_another_attempt_of_the_job_is_at_work(facts: Facts):
    slowly = Slowly(facts)
    expected = 0
    for job in slowly.jobs:
        stretches = [s for a in slowly.of(job["job"]) for s in slowly.work(a)]
        stretches.sort(key=lambda stretch: stretch[0])
        for k, (from_s, _) in enumerate(stretches):
            expected += any(from_s < to_s for _, to_s in stretches[:k])
    assert integrity(facts)["overlaps"] == expected


def test_a_worker_that_is_stopped_overlaps_nobody_until_it_goes_on():
    story = Story().attempt(1, 0, 0, 60, 60).event(5, "hung").event(50, "resumed")
    story.event(30, "reclaimed", job=1)
    apart = story.attempt(1, 31, 31, 45, 45, worker=1).facts(jobs([0]))
    assert integrity(apart)["overlaps"] == 0
    together = story.attempt(1, 31, 31, 55, 55, worker=2).facts(jobs([0]))
    assert integrity(together)["overlaps"] == 2, (
        "with the other claimer, and with the one that woke"
    )


@over_runs
def test_a_zombie_finish_comes_from_an_attempt_that_no_longer_owned_the_job(facts: Facts):
    slowly = Slowly(facts)
    zombies = [a.outcome == "refused" or a.passed_s < a.finished_s for a in slowly.attempts]
    assert integrity(facts)["zombie_finishes"] == sum(zombies)


def test_a_job_that_fails_is_retried_not_duplicated():
    story = (
        Story().attempt(1, 1, 1, 2, 2, outcome="failed").attempt(1, 3, 3, 4, 4, outcome="failed")
    )
    assert integrity(story.facts(jobs([0], fails=[True])))["duplicates"] == 0


def test_a_lost_job_is_recorded_as_done_and_was_never_run_to_its_end():
    story = Story().attempt(1, 1, 1, finished=3).attempt(2, 1, 1, 2, 3)
    assert integrity(story.facts(jobs([0, 0])))["lost"] == 1


def test_a_job_run_again_after_its_reclaim_while_its_first_holder_still_works():
    story = Story().attempt(1, 0, 0, 20, 20).event(5, "reclaimed", job=1)
    story.attempt(1, 6, 6, 26, 26, worker=1)
    told = integrity(story.facts(jobs([0])))
    assert told == {
        "duplicates": 1, "duplicate_s": 20, "lost": 0, "overlaps": 1, "zombie_finishes": 1,
        "duplicated_jobs": 1,
    }  # fmt: skip
