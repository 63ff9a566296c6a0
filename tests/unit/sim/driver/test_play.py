"""What holds of every simulated run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import UsageError
from jobsim.faults import parse_fault
from jobsim.joblog import JobLog, read_log
from jobsim.run import Run
from jobsim.scenario import Scenario
from jobsim.sim.costs import DEFAULT, ZERO, Costs
from jobsim.sim.driver import play

SPARSE = "mmc:arrival=0.5,service=1,servers=3,jobs=200,seed={seed}"


def records(run: Run, costs: Costs = DEFAULT, **how: bool) -> tuple[pd.DataFrame, Any, Any]:
    recorder = play(run, costs, **how).recorder
    attempts, events, _ = recorder.frames()
    return attempts, events, recorder


def log_of(submit_s: list[float], run_s: list[float]) -> JobLog:
    return JobLog.of(pd.DataFrame({"submit_s": submit_s, "run_s": run_s}), name="made")


@pytest.mark.parametrize("queue", ["no-control", "taken-flag", "for-update", "skip-locked"])
def test_one_seed_gives_identical_records_twice(queue: str) -> None:
    fault = parse_fault("kind=kill,rate=40/h")
    run = Scenario(queue=queue, faults=(fault,)).resolve(read_log(SPARSE.format(seed=1)))
    first, second = records(run), records(run)
    pd.testing.assert_frame_equal(first[0], second[0])
    pd.testing.assert_frame_equal(first[1], second[1])


def test_another_seed_draws_other_service_times() -> None:
    log = read_log(SPARSE.format(seed=1))
    one, other = (records(Scenario(seed=seed).resolve(log))[0] for seed in (1, 2))
    assert not one["started_s"].equals(other["started_s"])


@pytest.mark.parametrize("costs", [ZERO, DEFAULT], ids=["zero", "default"])
@pytest.mark.parametrize("wake", ["poll", "notify"])
@pytest.mark.parametrize("queue", ["taken-flag", "for-update", "skip-locked"])
def test_skipping_idle_looks_changes_nothing(queue: str, wake: str, costs: Costs) -> None:
    """Half the time is idle, one worker dies, and the reaper finds its job."""
    given_settings = {
        "trigger": {"wake": wake, "poll_s": 0.7},
        "queue": {"reclaim": "after", "reclaim_s": 20, "sweep_s": 3},
    }
    fault = parse_fault("kind=kill,worker=1,at=work,nth=3,when=during")
    run = Scenario(queue=queue, settings=given_settings, faults=(fault,)).resolve(
        read_log(SPARSE.format(seed=2))
    )
    skipped, skipped_events, skipping = records(run, costs, skip=True)
    played, played_events, playing = records(run, costs, skip=False)
    pd.testing.assert_frame_equal(skipped, played)
    pd.testing.assert_frame_equal(skipped_events, played_events)
    assert skipping.counts["statements"] == playing.counts["statements"]
    assert looks(skipping) == looks(playing)


def looks(recorder: Any) -> float:
    """Claims that found nothing, performed or skipped."""
    return len(recorder.empty) / 3 + recorder.counts["idle_looks"]


@pytest.mark.parametrize("queue", ["taken-flag", "guarded-flag"])
def test_statements_that_commit_by_themselves_never_meet_on_one_processor(queue: str) -> None:
    """A lock is held within one statement, which runs to its end before another can."""
    log = log_of([0.0] * 100, [0.0] * 100)
    run = Scenario(queue=queue, workers=8).resolve(log)
    alone, two = (
        records(run, replace(DEFAULT, processors=processors))[2].counts["lock_waits"]
        for processors in (1, 2)
    )
    assert (alone, two > 0) == (0, True)


def test_the_longer_a_statement_holds_its_locks_the_more_wait_for_them() -> None:
    log = log_of([0.0] * 200, [0.0] * 200)
    run = Scenario(queue="taken-flag", workers=8).resolve(log)
    waits = [
        records(run, replace(DEFAULT, held_s=held_s))[2].counts["lock_waits"]
        for held_s in (0.0, 70e-6, DEFAULT.update_s)
    ]
    assert waits == sorted(waits)
    assert waits[0] < waits[-1] / 2


def test_a_month_of_idle_polling_takes_no_time() -> None:
    """40 workers that poll each second for 30 days would look 103,680,000 times."""
    month_s = 30 * 86400.0
    run = Scenario(workers=40).resolve(log_of([0.0, month_s], [1.0, 1.0]))
    record = play(run)
    assert record.recorder.counts["idle_looks"] > 100_000_000
    assert record.wall_s < 20


def test_a_finish_comes_before_an_expiry_at_the_same_instant() -> None:
    """The job ends exactly when its claim comes of age and the reaper sweeps."""
    given_settings = {
        "queue": {"reclaim": "after", "reclaim_s": 5.0, "sweep_s": 5.0},
        "trigger": {"wake": "notify"},
    }
    run = Scenario(workers=1, settings=given_settings).resolve(log_of([0.0, 20.0], [5.0, 1.0]))
    attempts, events, _ = records(run, ZERO)
    assert len(attempts) == 2
    assert not (events["kind"] == "reclaimed").any()


@pytest.mark.parametrize(
    ("lease_s", "duration_s", "workers"), [(5, 20, 4), (5, 20, 2), (7, 20, 8), (30, 20, 4)]
)
def test_an_age_limit_shorter_than_the_job_starts_it_so_many_times(
    lease_s: float, duration_s: float, workers: int
) -> None:
    """starts = min(W, ceil(D / L)), where nothing costs time and sweeps are dense."""
    given_settings = {
        "queue": {"reclaim": "after", "reclaim_s": lease_s, "sweep_s": lease_s / 1000},
        "trigger": {"wake": "notify"},
    }
    log = log_of([0.0, 10 * duration_s], [duration_s, 1.0])
    run = Scenario(workers=workers, settings=given_settings).resolve(log)
    attempts, _, _ = records(run, ZERO)
    starts = int((attempts["job"] == 1).sum())
    assert starts == min(workers, int(np.ceil(duration_s / lease_s)))


@pytest.mark.parametrize(("every_s", "duration_s"), [(10, 25), (10, 10), (10, 5), (4, 9.5)])
def test_unguarded_firings_overlap_as_often_as_the_interval_fits_the_duration(
    every_s: float, duration_s: float
) -> None:
    """concurrency = ceil(D / I) without a guard."""
    firings = 20
    log = log_of([every_s * n for n in range(firings)], [duration_s] * firings)
    attempts, _, _ = records(Scenario(lease="process-watcher").resolve(log), ZERO)
    starts, ends = attempts["started_s"].to_numpy(), attempts["ended_s"].to_numpy()
    at_once = max(int(((starts <= t) & (ends > t)).sum()) for t in starts)
    assert at_once == int(np.ceil(duration_s / every_s))


jobs = st.lists(
    st.tuples(st.floats(0, 50), st.floats(0, 5)).map(lambda pair: tuple(round(x, 3) for x in pair)),
    min_size=1,
    max_size=25,
)


@settings(max_examples=40, deadline=None)
@given(
    jobs=jobs,
    queue=st.sampled_from(["guarded-flag", "for-update", "skip-locked"]),
    workers=st.integers(1, 5),
    batch=st.integers(1, 4),
    isolation=st.sampled_from(["repeatable-read", "read-committed"]),
    index=st.sampled_from(["composite", "status", "none"]),
)
def test_an_exclusive_queue_runs_each_job_once_and_finishes_all(
    jobs: list[tuple[float, float]],
    queue: str,
    workers: int,
    batch: int,
    isolation: str,
    index: str,
) -> None:
    submit_s, run_s = map(list, zip(*sorted(jobs), strict=True))
    given_settings = {
        "queue": {"batch": batch},
        "database": {"isolation": isolation, "index": index},
    }
    run = Scenario(queue=queue, workers=workers, settings=given_settings, until_s=1e6).resolve(
        log_of(submit_s, run_s)
    )
    attempts, _, recorder = records(run)
    assert sorted(attempts["job"]) == list(range(1, len(jobs) + 1))
    assert set(attempts["outcome"]) == {"completed"}
    assert len(recorder.submitted) == len(jobs)
    due_s = run.load.submit_s[attempts["job"] - 1]
    assert (attempts["started_s"] >= due_s).all()
    steps = attempts[["claiming_s", "claimed_s", "started_s", "ended_s", "finished_s"]].to_numpy()
    assert (np.diff(steps, axis=1) >= 0).all()


@settings(max_examples=25, deadline=None)
@given(
    jobs=jobs,
    nth=st.integers(1, 6),
    step=st.sampled_from(["begin", "select", "mark", "commit", "start", "work", "finish"]),
    when=st.sampled_from(["before", "during", "after"]),
)
def test_wherever_a_worker_dies_no_job_is_lost(
    jobs: list[tuple[float, float]], nth: int, step: str, when: str
) -> None:
    submit_s, run_s = map(list, zip(*sorted(jobs), strict=True))
    fault = parse_fault(f"kind=kill,worker=0,at={step},nth={nth},when={when}")
    given_settings = {"queue": {"reclaim_s": 30, "sweep_s": 5}}
    run = Scenario(
        queue="skip-locked", workers=2, faults=(fault,), settings=given_settings, until_s=1e5
    ).resolve(log_of(submit_s, run_s))
    attempts, _, _ = records(run)
    completed = attempts.loc[attempts["outcome"] == "completed", "job"]
    assert set(completed) == set(range(1, len(jobs) + 1))


def test_victims_that_try_again_for_ever_in_no_time_end_in_a_clear_refusal():
    log = log_of([0.0, 0.5, 0.5, 0.5, 0.5], [1.0] * 5)
    run = Scenario(queue="for-update", settings={"queue": {"work": "inside"}}).resolve(log)
    with pytest.raises(UsageError, match=r"no end.*--costs default"):
        play(run, ZERO)
