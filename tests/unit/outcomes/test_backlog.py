"""The backlog and the age of the oldest job in it."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.outcomes import Facts
from jobsim.outcomes.backlog import backlog, curve

from .made import Slowly, Story, everything, jobs, over_runs


def told_of(facts: Facts) -> dict:
    return backlog(facts, everything(facts))


@over_runs
def test_mean_and_greatest_backlog_are_those_of_a_slow_count(facts: Facts):
    slowly = Slowly(facts)
    counts = [len(slowly.backlog(t_s)) for t_s in slowly.middles()]
    told = told_of(facts)
    assert told["max"] == max(counts, default=0)
    if counts:
        assert told["mean"] == pytest.approx(sum(counts) / len(counts))


@over_runs
def test_the_curve_is_the_backlog_at_each_instant(facts: Facts):
    slowly, steps = Slowly(facts), curve(facts, everything(facts))
    for t_s in slowly.middles():
        before = np.searchsorted(steps.t_s, t_s) - 1
        level = steps.level[before] if before >= 0 else 0
        assert level == len(slowly.backlog(t_s))


@over_runs
def test_the_greatest_ages_are_those_of_a_slow_look_each_second(facts: Facts):
    slowly = Slowly(facts)

    def greatest_s(look) -> float:
        return max(
            (t_s + 0.5 - slowly.due_s(min(look(t_s))) for t_s in slowly.middles() if look(t_s)),
            default=0.0,
        )

    told = told_of(facts)
    assert told["oldest_age_max_s"] == greatest_s(slowly.backlog)
    assert told["visible_oldest_age_max_s"] == greatest_s(slowly.pending)


@over_runs
def test_the_oldest_job_is_no_older_than_p99_for_99_percent_of_the_time(facts: Facts):
    slowly = Slowly(facts)
    fine = (np.arange(100) + 0.5) / 100
    ages = []
    for t_s in slowly.middles():
        oldest = min(slowly.backlog(t_s), default=None)
        since_s = np.zeros(100) if oldest is None else t_s - 0.5 + fine - slowly.due_s(oldest)
        ages.append(since_s)
    if ages:
        p99_s = np.quantile(np.concatenate(ages), 0.99, method="inverted_cdf")
        assert told_of(facts)["oldest_age_p99_s"] == pytest.approx(p99_s, abs=0.011)


def test_a_stranded_job_counts_and_a_query_for_pending_rows_does_not_show_it():
    story = Story().attempt(1, 1, 1, outcome="died").event(2, "died")
    facts = story.attempt(2, 10, 10, 19, 20, worker=1).facts(jobs([0, 10]))
    told = told_of(facts)
    assert told["oldest_age_max_s"] == 20
    assert told["visible_oldest_age_max_s"] == 1
    assert told["mean"] == pytest.approx((1 + 18) / 20)
    assert told["drained_at_s"] is None


def test_rows_claimed_ahead_count_until_they_are_started():
    story = Story().attempt(1, 0, 0, 5, 5).attempt(2, 0, 5, 10, 10)
    told = told_of(story.facts(jobs([0, 0])))
    assert told["mean"] == pytest.approx(0.5)
    assert told["drained_at_s"] == 5


def test_dead_letters_do_not_count():
    story = Story().event(4, "dead letter", job=1).attempt(2, 0, 0, 8, 8)
    told = told_of(story.facts(jobs([0, 0])))
    assert told["mean"] == pytest.approx(0.5)
    assert told["drained_at_s"] == 4


def test_a_job_whose_finish_was_refused_is_back_in_the_backlog():
    story = Story().attempt(1, 0, 0, 2, 2, outcome="refused").attempt(1, 6, 6, 8, 8)
    assert told_of(story.facts(jobs([0])))["mean"] == pytest.approx(4 / 8)


def test_work_inside_the_claims_transaction_still_looks_pending():
    story = Story().attempt(1, 0, 0, 9, 9)
    assert told_of(story.facts(jobs([0])))["visible_oldest_age_max_s"] == 0
    assert told_of(story.facts(jobs([0]), claim_shows=False))["visible_oldest_age_max_s"] == 9


def test_the_mean_backlog_is_the_arrival_rate_times_the_mean_wait():
    rng = np.random.default_rng(5)
    due_s = np.sort(rng.uniform(0, 1000, 400))
    wait_s = rng.exponential(3, 400)
    story = Story()
    for job, (due, waited) in enumerate(zip(due_s, wait_s, strict=True), 1):
        story.attempt(job, due, due + waited, due + waited + 1, due + waited + 1)
    facts = story.facts(jobs(due_s), until_s=2000)
    assert told_of(facts)["mean"] == pytest.approx(400 / facts.end_s * wait_s.mean())


def test_only_the_jobs_asked_for_are_told_and_only_a_queue_has_pending_rows():
    facts = Story().attempt(1, 9, 9, 10, 10).attempt(2, 1, 1, 2, 2).facts(jobs([0, 0], what=[1, 2]))
    told = backlog(facts, facts.are("statement"))
    assert told["oldest_age_max_s"] == 1
    assert told["visible_oldest_age_max_s"] is None
