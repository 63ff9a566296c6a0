"""The facts of a run: which instants mean what, and when a run ended."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.outcomes import Facts
from jobsim.outcomes.facts import WHAT
from jobsim.run import FIRING, JOB, STATEMENT

from .made import UNTIL_S, Slowly, Story, jobs, over_runs


def test_a_run_ends_when_its_last_job_is_final_though_others_still_work():
    story = Story().attempt(1, 1, 1, 3, 4).attempt(1, 1, 2, worker=1, outcome="unfinished")
    assert story.facts(jobs([0])).end_s == 4


def test_a_run_that_was_stopped_at_work_lasted_to_its_horizon():
    assert Story().attempt(1, 1, 1, outcome="unfinished").facts(jobs([0])).end_s == UNTIL_S


def test_a_run_in_which_nothing_can_change_any_more_ended_at_the_last_change():
    story = Story().attempt(1, 1, 1, outcome="died").event(2, "died").event(50, "resumed")
    story.attempt(2, 3, 3, 4, 5, worker=1)
    assert story.facts(jobs([0, 1])).end_s == 5


def test_the_last_submission_is_a_change_as_well():
    story = Story()
    story.recorder.submitted.extend([0.5, 7.5])
    facts = story.facts(jobs([0, 7, 9]))
    assert facts.end_s == 7.5
    assert facts.jobs["submitted_s"].to_list() == pytest.approx([0.5, 7.5, np.nan], nan_ok=True)


def test_a_run_without_a_record_took_no_time_at_all():
    assert Story().facts(jobs([])).end_s == 0


def test_rows_come_as_they_fall_due_where_the_driver_kept_no_instants():
    facts = Story().attempt(1, 1, 1, 2, 3).facts(jobs([0, 2, 9]), until_s=5)
    assert facts.jobs["submitted_s"].to_list() == pytest.approx([0, 2, np.nan], nan_ok=True)


def test_a_job_is_final_at_its_first_accepted_finish():
    story = Story().attempt(1, 1, 1, 2, 9).attempt(1, 1, 1, 2, 4, outcome="refused")
    story.attempt(1, 1, 1, 2, 6, worker=1)
    assert story.facts(jobs([0])).final_s.tolist() == [6]


def test_an_attempt_is_live_until_the_death_of_its_own_worker():
    story = Story().attempt(1, 1, 2, outcome="died").attempt(1, 6, 7, worker=1, outcome="died")
    story.event(3, "died", worker=1).event(5, "died", worker=0).event(9, "died", worker=1)
    assert story.facts(jobs([0])).attempts["gone_s"].to_list() == [5, 9]


def test_a_death_that_nobody_recorded_counts_from_the_last_sign_of_life():
    assert Story().attempt(1, 1, 2, outcome="died").facts(jobs([0])).attempts["gone_s"][0] == 2


def test_a_dead_letter_is_final():
    facts = Story().event(3, "dead letter", job=1).facts(jobs([0, 0]))
    assert facts.final_s.tolist() == [3, np.inf]
    assert facts.ended_as("dead").tolist() == [True, False]
    assert facts.ended_as("unfinished").tolist() == [False, True]


def test_what_a_row_is_is_numbered_as_in_a_run():
    assert [WHAT[JOB], WHAT[FIRING], WHAT[STATEMENT]] == ["job", "firing", "statement"]


def test_firings_and_statements_are_there_when_they_fall_due():
    story = Story().attempt(1, 5, 5, 9, 9)
    story.recorder.submitted.extend([1, 2])
    facts = story.facts(jobs([0, 0, 1, 90], what=[0, 1, 0, 2]))
    assert facts.jobs["submitted_s"].to_list() == pytest.approx([1, 0, 2, np.nan], nan_ok=True)


@over_runs
def test_live_spans_and_final_instants_are_those_of_a_slow_reading(facts: Facts):
    slowly = Slowly(facts)
    assert facts.attempts["gone_s"].to_list() == [a.gone_s for a in slowly.attempts]
    assert facts.final_s.tolist() == [slowly.final_s(job["job"]) for job in slowly.jobs]
