"""Leases: who held which, until when; firings of a kind share one."""

from __future__ import annotations

from math import inf

from jobsim.outcomes import measure
from jobsim.outcomes.integrity import integrity
from jobsim.outcomes.leases import holds
from jobsim.outcomes.stuck import stuck

from .made import Jobs, Story, jobs

FIRST, SECOND = 1000, 1001


def firings(*due_s: float) -> Jobs:
    return jobs(due_s, what=[1] * len(due_s), run_s=[100] * len(due_s))


def test_a_lease_passes_on_when_somebody_else_is_granted_it():
    story = Story().event(0, "held", job=1, value=50).event(60, "held", job=2, value=50)
    story.event(90, "released", job=2).attempt(1, 0, 0, 100, 100, worker=FIRST)
    story.attempt(2, 60, 60, 90, 90, worker=SECOND)
    facts = story.facts(firings(0, 60), until_s=200)
    assert holds(facts).passed_on_s.tolist() == [60, inf]
    assert holds(facts).expires_s.tolist() == [50, 110]
    assert holds(facts).given_back_s.tolist() == [inf, 90]
    told = integrity(facts)
    assert told["overlaps"] == 1
    assert told["zombie_finishes"] == 1


def test_whoever_gives_back_an_unfenced_lease_frees_the_holders():
    story = Story().event(0, "held", job=1, value=500).event(40, "released", job=2)
    facts = story.attempt(1, 0, 0, 100, 100).facts(firings(0, 5), until_s=200)
    assert holds(facts).passed_on_s.tolist() == [40, inf]


def test_one_that_a_fence_refused_frees_nothing():
    story = Story().event(0, "held", job=1, value=500).event(40, "released", job=2)
    story.attempt(2, 5, 5, 40, 40, worker=SECOND, outcome="refused")
    facts = story.attempt(1, 0, 0, 100, 100, worker=FIRST).facts(firings(0, 5), until_s=200)
    assert holds(facts).passed_on_s.tolist() == [inf, inf]
    assert integrity(facts)["zombie_finishes"] == 1


def test_firings_of_different_kinds_do_not_overlap():
    load = jobs([0, 0], what=[1, 1], kind=[0, 1])
    story = Story().attempt(1, 0, 0, 9, 9, worker=FIRST).attempt(2, 0, 1, 9, 9, worker=SECOND)
    assert integrity(story.facts(load))["overlaps"] == 0


def test_a_dead_holders_lease_is_stuck_until_it_expires():
    story = Story().event(0, "held", job=1, value=30).event(10, "held", job=1, value=30)
    story.attempt(1, 0, 0, worker=FIRST, outcome="died").event(15, "died", worker=FIRST)
    story.attempt(2, 60, 60, 90, 90, worker=SECOND).event(60, "held", job=2, value=30)
    told = stuck(story.facts(firings(0, 60)))
    assert (told["episodes"], told["total_s"], told["still_stuck"]) == (1, 25, 0)


def test_a_lease_that_was_given_back_on_the_way_down_is_not_stuck():
    story = Story().event(0, "held", job=1, value=30).event(14, "released", job=1)
    story.attempt(1, 0, 0, worker=FIRST, outcome="raised").event(15, "raised", worker=FIRST)
    assert stuck(story.facts(firings(0)))["episodes"] == 0


def test_one_that_never_held_the_lease_leaves_nothing_stuck():
    story = Story().attempt(1, 0, 0, worker=FIRST, outcome="died").event(15, "died", worker=FIRST)
    assert stuck(story.facts(firings(0)))["episodes"] == 0


def test_a_cron_without_a_guard_runs_as_many_at_once_as_intervals_fit_the_duration():
    story = Story()
    for firing in range(12):
        t_s = 5.0 * firing
        story.attempt(firing + 1, t_s, t_s, t_s + 15, t_s + 15, worker=FIRST + firing)
    facts = story.facts(firings(*(5.0 * k for k in range(12))), until_s=100)
    assert integrity(facts)["overlaps"] == 11


def test_a_skipped_firing_is_final_and_has_no_wait():
    story = Story().attempt(1, 0, 0, 9, 9, worker=FIRST)
    story.attempt(2, finished=5, worker=SECOND, outcome="skipped")
    told = measure(story.facts(firings(0, 5)), driver="sim", name="process-watcher", family="lease")
    assert told["jobs"]["skipped"] == 1
    assert told["jobs"]["unfinished"] == 0
    assert told["wait"]["max_s"] == 0
    assert told["contention"]["claims"] is None
    assert told["utilisation"] is None
