"""Whose a job is, and until when."""

from __future__ import annotations

import numpy as np

from jobsim.outcomes import Facts
from jobsim.outcomes.ownership import passed_on_s

from .made import Slowly, Story, jobs, over_runs


@over_runs
def test_ownership_passes_on_as_a_slow_reading_has_it(facts: Facts):
    assert passed_on_s(facts).tolist() == [a.passed_s for a in Slowly(facts).attempts]


def test_a_job_that_is_reclaimed_belongs_to_nobody_until_it_is_claimed_again():
    story = Story().attempt(1, 1, 1, 9, 9).attempt(1, 6, 6, 8, 8, worker=1)
    facts = story.event(5, "reclaimed", job=1).facts(jobs([0]))
    assert passed_on_s(facts).tolist() == [5, np.inf]
