"""What a run cost."""

from __future__ import annotations

from jobsim.outcomes.cost import cost

from .made import Story, jobs


def test_workers_are_busy_from_start_to_end_death_or_the_end_of_the_run():
    story = Story().attempt(1, 0, 0, 4, 5).attempt(2, 0, 1, worker=1, outcome="died")
    story.event(3, "died", worker=1).attempt(3, 5, 6, outcome="unfinished")
    told = cost(story.facts(jobs([0, 0, 0]), until_s=10))
    assert told["worker_busy_s"] == 4 + 2 + 4
    assert told["worker_idle_s"] == 2 * 10 - 10


def test_what_only_the_driver_can_tell_is_none_where_it_does_not():
    story = Story()
    story.recorder.counts["statements"] = 12
    told = cost(story.facts(jobs([])))
    assert told["statements"] == 12
    assert told["peak_memory_mb"] is None
    assert told["wall_s"] is None
