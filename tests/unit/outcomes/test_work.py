"""Stretches of work, with pauses."""

from __future__ import annotations

from math import inf

import numpy as np

from jobsim.outcomes import Facts
from jobsim.outcomes.arrays import Rows
from jobsim.outcomes.work import at_work, hangs

from .made import Slowly, Story, jobs, over_runs


def every(facts: Facts) -> Rows:
    """The rows of all attempts."""
    return np.arange(len(facts.attempts))


@over_runs
def test_work_lies_between_the_pauses(facts: Facts):
    slowly, work = Slowly(facts), at_work(facts, every(facts))
    expected = [(a.row, *piece) for a in slowly.attempts for piece in slowly.work(a)]
    assert sorted(zip(*(column.tolist() for column in work), strict=True)) == sorted(expected)


def test_a_pause_divides_the_work_in_two():
    story = Story().attempt(1, 0, 1, 9, 9).event(3, "hung").event(5, "resumed")
    facts = story.facts(jobs([0]))
    work = at_work(facts, every(facts))
    assert (work.from_s.tolist(), work.to_s.tolist()) == ([1, 5], [3, 9])


def test_one_that_is_killed_while_it_hangs_never_goes_on():
    story = Story().attempt(1, 0, 1, outcome="died").event(3, "hung").event(5, "died")
    facts = story.event(8, "resumed").facts(jobs([0]))
    assert at_work(facts, every(facts)).to_s.tolist() == [3]
    assert hangs(facts).back_s.tolist() == [inf]


def test_a_pause_while_nothing_is_in_hand_is_nobodys():
    story = Story().attempt(1, 0, 1, 2, 2).event(3, "hung").event(5, "resumed")
    assert not len(hangs(story.facts(jobs([0]))).attempt)
