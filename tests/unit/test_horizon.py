"""When a run is over."""

import pytest

from jobsim.effects import Attempt
from jobsim.horizon import ALL_FINAL, NOTHING_CAN_CHANGE, Horizon

ONE, TWO = Attempt(1, 1), Attempt(2, 1)


def horizon(jobs: int = 1, workers: int = 1, *, reclaims: bool = False) -> Horizon:
    """All jobs submitted at 0, nothing claimed."""
    made = Horizon(jobs, set(range(workers)), reclaims)
    made.submitted(0.0, jobs)
    return made


def test_it_is_not_over_while_a_job_is_pending() -> None:
    assert horizon().over() is None


def test_it_is_over_when_every_job_was_recorded_as_completed_or_failed() -> None:
    run = horizon(jobs=2)
    run.claimed(1.0, 0, [ONE, TWO])
    run.finished(2.0, 0, [ONE], "completed")
    assert run.over() is None
    run.finished(3.0, 0, [TWO], "failed")
    assert run.over() == ALL_FINAL


def test_a_job_that_is_finished_twice_counts_once() -> None:
    run = horizon(jobs=2, workers=2)
    for worker in (0, 1):
        run.claimed(1.0, worker, [ONE])
        run.finished(2.0, worker, [ONE], "completed")
    assert run.over() is None


def test_a_run_without_jobs_is_over_at_once() -> None:
    assert Horizon(0, {0}, reclaims=False, submitting=False).over() == ALL_FINAL


def test_it_is_not_over_while_jobs_are_still_to_come_though_every_look_was_empty() -> None:
    run = Horizon(2, {0}, reclaims=False)
    run.submitted(0.0, 1)
    run.claimed(1.0, 0, [ONE])
    run.finished(2.0, 0, [ONE], "completed")
    run.empty(0, 3.0)
    assert run.over() is None
    run.no_more()
    assert run.over() == NOTHING_CAN_CHANGE


def test_it_is_over_when_every_worker_has_looked_in_vain_since_the_last_change() -> None:
    run = horizon(workers=2)
    run.empty(0, 1.0)
    assert run.over() is None
    run.empty(1, 1.1)
    assert run.over() == NOTHING_CAN_CHANGE


@pytest.mark.parametrize("began_s", [0.5, 2.0])
def test_a_look_that_began_before_the_last_change_or_with_it_says_nothing(began_s: float) -> None:
    run = horizon(jobs=2)
    run.claimed(1.0, 0, [ONE])
    run.finished(2.0, 0, [ONE], "completed")
    run.empty(0, began_s)
    assert run.over() is None
    run.empty(0, 2.5)
    assert run.over() == NOTHING_CAN_CHANGE


def test_it_is_not_over_while_a_worker_has_something_in_hand() -> None:
    run = horizon(jobs=2, workers=2)
    run.claimed(1.0, 0, [ONE])
    run.empty(0, 2.0)
    run.empty(1, 2.0)
    assert run.over() is None


def test_it_is_over_when_no_worker_lives() -> None:
    run = horizon()
    run.claimed(1.0, 0, [ONE])
    run.gone(2.0, 0)
    assert run.over() == NOTHING_CAN_CHANGE


def test_a_death_is_a_change_since_it_may_free_what_was_locked() -> None:
    run = horizon(workers=2)
    run.empty(0, 1.0)
    run.gone(2.0, 1)
    assert run.over() is None
    run.empty(0, 2.1)
    assert run.over() == NOTHING_CAN_CHANGE


def test_a_stranded_job_ends_the_run_only_where_nobody_gives_it_back() -> None:
    for reclaims in (False, True):
        run = horizon(workers=2, reclaims=reclaims)
        run.claimed(1.0, 0, [ONE])
        run.gone(2.0, 0)
        run.empty(1, 3.0)
        assert run.over() == (None if reclaims else NOTHING_CAN_CHANGE)


def test_a_stranded_job_does_not_keep_a_run_open_for_which_nobody_lives() -> None:
    run = horizon(reclaims=True)
    run.claimed(1.0, 0, [ONE])
    run.gone(2.0, 0)
    assert run.over() == NOTHING_CAN_CHANGE


def test_after_a_reclaim_the_workers_have_to_look_again() -> None:
    run = horizon(workers=2, reclaims=True)
    run.claimed(1.0, 0, [ONE])
    run.gone(2.0, 0)
    run.empty(1, 3.0)
    run.reclaimed(4.0, [1])
    assert run.over() is None
    run.empty(1, 5.0)
    assert run.over() == NOTHING_CAN_CHANGE


def test_a_finish_that_was_lost_strands_its_job() -> None:
    run = horizon(reclaims=True)
    run.claimed(1.0, 0, [ONE])
    run.finished(2.0, 0, [ONE], "unrecorded")
    run.empty(0, 3.0)
    assert run.over() is None


def test_a_finish_turned_away_by_a_fence_strands_nothing() -> None:
    run = horizon(reclaims=True)
    run.claimed(1.0, 0, [ONE])
    run.finished(2.0, 0, [ONE], "refused")
    run.empty(0, 3.0)
    assert run.over() == NOTHING_CAN_CHANGE
