"""What a killer did, and to whom."""

from __future__ import annotations

import pytest

from jobsim.outcomes import Facts, Limits
from jobsim.outcomes.killer import killed

from .made import Story, jobs


def watched() -> Facts:
    """Four statements: a long one killed, one killed while it waited, one left, one nearly done."""
    story = Story()
    story.attempt(1, 0, 0, finished=70, worker=1000, outcome="killed")
    story.attempt(2, 0, finished=70, worker=1001, outcome="killed")
    story.attempt(3, 0, 2, 32, 32, worker=1002)
    story.attempt(4, 0, 40, finished=70, worker=1003, outcome="killed")
    for job in (1, 2, 4):
        story.event(70, "kill", job=job, value=70, worker=-5)
    return story.facts(jobs([0] * 4, run_s=[300, 12, 30, 31], what=[2] * 4), workers=0)


def test_a_victim_whose_own_work_was_under_the_limit_is_innocent():
    told = killed(watched(), Limits(60.0, 5.0))
    assert (told["kills"], told["innocent"]) == (3, 2)


def test_work_of_victims_that_were_nearly_done_was_needlessly_killed():
    assert killed(watched(), Limits(60.0, 5.0))["needlessly_killed_s"] == 30
    assert killed(watched(), Limits(60.0, 0.5))["needlessly_killed_s"] == 0


def test_stall_is_the_time_of_statements_beyond_their_own_work():
    assert killed(watched())["stall_s"] == pytest.approx(0 + 70 + 2 + 40)


def test_without_a_killer_there_is_nobody_to_judge():
    told = killed(watched())
    assert told["innocent"] is None
    assert told["needlessly_killed_s"] is None


def test_a_run_without_statements_measures_nothing_of_it():
    assert set(killed(Story().facts(jobs([0]))).values()) == {None}
