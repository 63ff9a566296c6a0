"""Stuck jobs: from the death of who held them until somebody else could take them."""

from __future__ import annotations

from math import inf

import pytest

from jobsim.outcomes import Facts
from jobsim.outcomes.stuck import episodes, stuck

from .made import Slowly, Story, Told, jobs, over_runs


def losses(slowly: Slowly, a: Told) -> list[tuple[float, float]]:
    """From when, and until when at most, this attempt was in the hands of nobody."""
    died = a.outcome in ("died", "raised")
    return ([(a.gone_s, inf)] if died else []) + slowly.hangs(a)


@over_runs
def test_episodes_are_those_of_a_slow_reading(facts: Facts):
    slowly = Slowly(facts)
    expected = {}
    for a in slowly.attempts:
        final_s = slowly.final_s(a.job)
        for from_s, back_s in losses(slowly, a):
            to_s = min(a.passed_s, final_s, back_s)
            if to_s >= from_s and final_s > from_s and from_s <= slowly.end_s:
                key = (a.row, to_s)
                expected[key] = min(expected.get(key, inf), from_s)
    found = episodes(facts)
    rows = sorted(zip(found["from_s"], found["to_s"], found["still"], strict=True))
    assert rows == sorted(
        (from_s, min(to_s, slowly.end_s), to_s > slowly.end_s)
        for (_, to_s), from_s in expected.items()
    )


def test_a_job_is_stuck_from_its_workers_death_until_it_is_given_back():
    story = Story().attempt(1, 1, 1, outcome="died").event(4, "died")
    story.event(34, "reclaimed", job=1).attempt(1, 40, 40, 41, 41, worker=1)
    assert stuck(story.facts(jobs([0]))) == {
        "episodes": 1, "total_s": 30, "p99_s": 30, "max_s": 30, "still_stuck": 0
    }  # fmt: skip


def test_every_job_of_a_batch_is_stuck_though_only_one_was_begun():
    story = Story().attempt(1, 1, 1, outcome="died").attempt(2, 1, outcome="died")
    story.event(4, "died").attempt(3, 5, 5, 10, 10, worker=1)
    told = stuck(story.facts(jobs([0, 0, 0])))
    assert (told["episodes"], told["still_stuck"], told["total_s"]) == (2, 2, 12)


def test_a_lock_that_freed_itself_shows_in_the_next_claim():
    story = Story().attempt(1, 1, 1, outcome="died").event(4, "died")
    story.attempt(1, 4.03, 4.03, 5, 5, worker=1)
    assert stuck(story.facts(jobs([0]), claim_shows=False))["max_s"] == pytest.approx(0.03)


def test_a_worker_that_dies_without_owning_the_job_leaves_nothing_stuck():
    story = Story().attempt(1, 1, 1, outcome="died").event(4, "died")
    story.attempt(1, 2, 2, 9, 9, worker=1)
    assert stuck(story.facts(jobs([0])))["episodes"] == 0


def test_a_pause_is_stuck_time_until_the_worker_goes_on():
    story = Story().attempt(1, 1, 1, 50, 50).event(10, "hung", worker=0)
    assert stuck(story.event(40, "resumed", worker=0).facts(jobs([0])))["total_s"] == 30


def test_a_worker_that_hangs_and_is_killed_then_has_lost_its_job_once():
    story = Story().attempt(1, 1, 1, outcome="died").event(10, "hung", worker=0)
    story.event(40, "resumed", worker=0).event(20, "died").event(30, "reclaimed", job=1)
    story.event(20, "died", worker=0)
    told = stuck(story.attempt(1, 31, 31, 32, 32, worker=1).facts(jobs([0])))
    assert (told["episodes"], told["total_s"]) == (1, 20)


def test_where_nobody_was_stuck_the_times_are_nought():
    assert stuck(Story().attempt(1, 1, 1, 2, 2).facts(jobs([0]))) == {
        "episodes": 0, "total_s": 0, "p99_s": 0, "max_s": 0, "still_stuck": 0
    }  # fmt: skip
