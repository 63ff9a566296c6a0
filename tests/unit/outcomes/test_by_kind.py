"""Metrics of each kind of job."""

from __future__ import annotations

from jobsim.outcomes import Facts
from jobsim.outcomes.by_kind import by_kind
from jobsim.outcomes.integrity import integrity
from jobsim.outcomes.measure import job_counts
from jobsim.outcomes.stuck import stuck

from .made import Story, jobs, over_runs


def test_each_kind_has_its_own_waits_duplicates_and_stuck_time():
    story = Story().attempt(1, 1, 1, 3, 3).attempt(1, 2, 2, 4, 4, worker=1)
    story.attempt(2, 5, 5, outcome="died").event(6, "died").event(10, "reclaimed", job=2)
    story.attempt(2, 12, 12, 13, 13, worker=1)
    told = by_kind(story.facts(jobs([0, 1], kind=[1, 0], kinds=("zip", "report", "never"))))
    assert told == {
        "zip": {"completed": 1, "wait_p95_s": 4, "duplicates": 0, "stuck_total_s": 4},
        "report": {"completed": 1, "wait_p95_s": 1, "duplicates": 1, "stuck_total_s": 0},
    }


@over_runs
def test_the_kinds_add_up_to_the_whole(facts: Facts):
    kinds = by_kind(facts).values()
    assert sum(kind["completed"] for kind in kinds) == job_counts(facts)["completed"]
    assert sum(kind["duplicates"] for kind in kinds) == integrity(facts)["duplicates"]
    assert sum(kind["stuck_total_s"] for kind in kinds) == stuck(facts)["total_s"]


def test_jobs_of_unknown_kind_are_left_out():
    facts = Story().attempt(1, 1, 1, 3, 3).facts(jobs([0, 0], kind=[-1, 1]))
    assert list(by_kind(facts)) == ["report"]
