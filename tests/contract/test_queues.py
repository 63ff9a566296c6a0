"""What every queue must do, and what each must not, on both drivers."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.faults import parse_fault
from jobsim.joblog import JobLog
from jobsim.policies.queue import CLAIMS, LOCKING
from tests.contract.conftest import Play, log_of, scenario

QUEUES = sorted(CLAIMS)
EXCLUSIVE = sorted(set(CLAIMS) - {"no-control", "taken-flag"})
KILL = parse_fault("kind=kill,worker=0,at=work,nth=2,when=during")


@pytest.mark.parametrize("queue", QUEUES)
def test_every_job_comes_to_its_end(queue: str, play_it: Play, burst: JobLog) -> None:
    played = play_it(scenario(queue=queue), burst)
    jobs = played.metrics["jobs"]
    assert (jobs["submitted"], jobs["completed"], jobs["unfinished"]) == (40, 40, 0)


@pytest.mark.parametrize("queue", EXCLUSIVE)
def test_a_claim_that_excludes_runs_no_job_twice(queue: str, play_it: Play, burst: JobLog) -> None:
    played = play_it(scenario(queue=queue), burst)
    assert played.metrics["integrity"]["duplicates"] == 0
    assert played.metrics["integrity"]["overlaps"] == 0
    assert played.metrics["jobs"]["attempts"] == 40


def test_without_control_every_worker_runs_the_same_jobs(play_it: Play, burst: JobLog) -> None:
    played = play_it(scenario(queue="no-control"), burst)
    assert played.metrics["integrity"]["duplicates"] >= 40


def test_between_reading_a_flag_and_putting_it_up_others_read_it(
    play_it: Play, burst: JobLog
) -> None:
    played = play_it(scenario(queue="taken-flag"), burst)
    assert 0 < played.metrics["integrity"]["duplicates"] < 120


@pytest.mark.parametrize("queue", QUEUES)
def test_jobs_that_fail_are_recorded_as_failed(queue: str, play_it: Play) -> None:
    outcomes = ["completed", "failed"] * 5
    played = play_it(scenario(queue=queue), log_of(np.arange(10) * 0.01, 0.002, outcomes))
    assert (played.metrics["jobs"]["completed"], played.metrics["jobs"]["failed"]) == (5, 5)


@pytest.mark.parametrize("finish", ["each", "batch"])
@pytest.mark.parametrize("queue", QUEUES)
def test_a_batch_is_worked_off_to_its_last_job(
    queue: str, finish: str, play_it: Play, burst: JobLog
) -> None:
    settings = {"queue": {"batch": 7, "finish": finish}}
    played = play_it(scenario(queue=queue, settings=settings), burst)
    assert played.metrics["jobs"]["completed"] == 40


@pytest.mark.parametrize("queue", EXCLUSIVE)
def test_a_job_whose_worker_died_stays_stuck_where_nobody_reclaims(
    queue: str, play_it: Play, burst: JobLog
) -> None:
    settings = {"queue": {"reclaim": "never"}}
    played = play_it(scenario(queue=queue, faults=(KILL,), settings=settings), burst)
    assert len(played.events_of("died")) == 1
    assert played.metrics["jobs"]["unfinished"] == 1
    assert (played.metrics["stuck"]["episodes"], played.metrics["stuck"]["still_stuck"]) == (1, 1)


def test_a_row_that_nobody_marked_is_never_stuck(play_it: Play, burst: JobLog) -> None:
    played = play_it(scenario(queue="no-control", faults=(KILL,)), burst)
    assert len(played.events_of("died")) == 1
    assert played.metrics["jobs"]["unfinished"] == 0


@pytest.mark.parametrize("queue", EXCLUSIVE)
def test_a_reclaimed_job_runs_again_and_ends(queue: str, play_it: Play, burst: JobLog) -> None:
    settings = {"queue": {"reclaim": "after", "reclaim_s": 0.5, "sweep_s": 0.1}}
    played = play_it(scenario(queue=queue, faults=(KILL,), settings=settings), burst)
    stuck = played.metrics["stuck"]
    assert played.metrics["jobs"]["completed"] == 40
    assert played.metrics["jobs"]["attempts"] == 41
    assert (stuck["episodes"], stuck["still_stuck"]) == (1, 0)
    assert 0.4 < stuck["max_s"] < 0.9  # the lease, less its age at the death, and up to one sweep


@pytest.mark.parametrize("queue", sorted(LOCKING))
def test_a_worker_that_dies_inside_the_claim_gives_the_row_back_at_once(
    queue: str, play_it: Play, burst: JobLog
) -> None:
    settings = {"queue": {"work": "inside", "reclaim": "never"}}
    played = play_it(scenario(queue=queue, faults=(KILL,), settings=settings), burst)
    assert played.metrics["jobs"]["completed"] == 40
    assert played.metrics["stuck"]["max_s"] < 0.3


@pytest.mark.parametrize("fence", ["state", "token"])
def test_a_fence_turns_a_late_finish_away(fence: str, play_it: Play) -> None:
    """The first attempt is reclaimed while it still works; its finish comes after another's."""
    pause = parse_fault("kind=pause,worker=0,at=work,nth=1,when=during,for=0.7")
    settings = {
        "queue": {"reclaim": "after", "reclaim_s": 0.3, "sweep_s": 0.05, "fence": fence},
    }
    played = play_it(
        scenario(queue="skip-locked", workers=2, faults=(pause,), settings=settings),
        log_of([0.0] + [1.5] * 3, [0.1] + [0.02] * 3),
    )
    first = played.attempts[played.attempts["job"] == 1]
    if 0 in set(first["worker"]):  # else the paused worker did not get the first job
        assert sorted(first["outcome"]) == ["completed", "refused"]
        assert played.metrics["integrity"]["zombie_finishes"] == 1
    assert played.metrics["jobs"]["completed"] == 4


def test_a_worker_that_renews_keeps_a_job_longer_than_the_age_limit(play_it: Play) -> None:
    settings = {"queue": {"reclaim": "renew", "reclaim_s": 0.3, "sweep_s": 0.05}}
    played = play_it(scenario(settings=settings, queue="skip-locked"), log_of([0.0], [0.9]))
    assert played.metrics["jobs"]["attempts"] == 1
    assert played.metrics["integrity"]["duplicates"] == 0


def test_an_age_limit_shorter_than_the_job_runs_it_twice(play_it: Play) -> None:
    settings = {"queue": {"reclaim": "after", "reclaim_s": 0.3, "sweep_s": 0.05}}
    log = log_of([0.0, 1.7], [0.9, 0.01])  # the run goes on until the last job is final
    played = play_it(scenario(settings=settings, queue="skip-locked"), log)
    assert played.metrics["integrity"]["duplicates"] >= 1
    assert played.metrics["integrity"]["overlaps"] >= 1


def test_a_raised_exception_ends_its_worker_and_nobody_else(play_it: Play, burst: JobLog) -> None:
    fault = parse_fault("kind=raise,worker=1,at=work,nth=2,when=during")
    settings = {"queue": {"reclaim": "never"}}
    played = play_it(scenario(queue="skip-locked", faults=(fault,), settings=settings), burst)
    assert len(played.events_of("raised")) == 1
    assert played.metrics["jobs"]["completed"] == 39


def test_workers_that_stop_when_the_queue_is_empty_leave_later_jobs(play_it: Play) -> None:
    settings = {"queue": {"on_empty": "stop"}}
    played = play_it(
        scenario(queue="skip-locked", settings=settings, until_s=3.0),
        log_of([0.0, 0.0, 1.0], [0.01] * 3),
    )
    assert played.metrics["jobs"]["unfinished"] >= 1


def test_notified_workers_wake_without_polling(play_it: Play) -> None:
    settings = {"trigger": {"wake": "notify", "poll_s": 5.0}}
    played = play_it(
        scenario(queue="skip-locked", settings=settings), log_of([0.0, 0.3, 0.6], [0.01] * 3)
    )
    assert played.metrics["jobs"]["completed"] == 3
    assert played.metrics["wait"]["max_s"] < 0.25
