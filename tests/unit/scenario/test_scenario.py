"""The run that a scenario makes of a log."""

from dataclasses import fields
from typing import Any

import pytest

from jobsim.errors import UsageError
from jobsim.faults import Fault
from jobsim.run import FIRING, JOB, STATEMENT
from jobsim.scenario import Scenario
from tests.unit.scenario.made import log_of

LOG = log_of([0, 10, 20], [1, 2, 3])


def test_the_first_family_given_names_the_run_and_says_what_a_row_is() -> None:
    both = Scenario(lease="heartbeat", killer="busy-time")
    assert (both.family, both.name, both.what) == ("lease", "heartbeat", "firings")
    assert (Scenario().family, Scenario().name, Scenario().what) == ("queue", "skip-locked", "jobs")
    assert Scenario(killer="busy-time", rows="jobs").what == "jobs"


@pytest.mark.parametrize(
    ("given", "family"),
    [({"queue": "skip-locked"}, "queue"), ({"lease": "heartbeat"}, "lease")],
)
def test_speedup_divides_every_time_of_a_policy(given: dict[str, Any], family: str) -> None:
    slow, fast = (Scenario(**given, speedup=x).resolve(LOG) for x in (1.0, 10.0))
    before, after = getattr(slow, family).settings, getattr(fast, family).settings
    for field in fields(before):
        value = getattr(before, field.name)
        if field.name.endswith("_s") and value is not None:
            value = pytest.approx(value / 10)
        assert getattr(after, field.name) == value, field.name


def test_speedup_divides_the_times_of_the_log_the_faults_and_the_looks() -> None:
    faults = (Fault("pause", time_s=60.0, for_s=30.0),)
    run = Scenario(speedup=10.0, faults=faults, settings={"trigger": {"poll_s": 5}}).resolve(LOG)
    assert run.load.submit_s.tolist() == [0.0, 1.0, 2.0]
    assert run.load.run_s.tolist() == pytest.approx([0.1, 0.2, 0.3])
    assert run.poll_s == 0.5
    assert (run.faults[0].time_s, run.faults[0].for_s) == (6.0, 3.0)


def test_speedup_leaves_what_the_network_costs() -> None:
    run = Scenario(speedup=10.0, settings={"database": {"round_trip_s": "2ms"}}).resolve(LOG)
    assert run.round_trip_s == pytest.approx(0.002)


def test_the_horizon_is_last_submission_longest_run_and_three_time_outs() -> None:
    run = Scenario(settings={"queue": {"reclaim_s": 100}}).resolve(LOG)
    assert run.until_s == 20 + 3 + 3 * 100
    fast = Scenario(settings={"queue": {"reclaim_s": 100}}, speedup=10.0).resolve(LOG)
    assert fast.until_s == pytest.approx(run.until_s / 10)


def test_the_horizon_may_be_given_in_log_time() -> None:
    assert Scenario(until_s=90.0, speedup=10.0).resolve(LOG).until_s == 9.0


def test_a_denser_load_moves_arrivals_and_leaves_run_times() -> None:
    run = Scenario(load=2.0).resolve(LOG)
    assert run.load.submit_s.tolist() == [0.0, 5.0, 10.0]
    assert run.load.run_s.tolist() == [1.0, 2.0, 3.0]


def test_several_logs_are_merged_by_when_their_rows_fall_due() -> None:
    scenario = Scenario(queue="skip-locked", lease="heartbeat", killer="busy-time")
    run = scenario.resolve(
        {
            "jobs": log_of([0, 10], [1, 1]),
            "firings": log_of([100, 105], [1, 1], kind="nightly"),
            "statements": log_of([0, 1], [1, 1], kind="read", owner="web"),
        }
    )
    assert run.load.submit_s.tolist() == [0, 0, 0, 1, 5, 10]
    assert run.load.what.tolist() == [JOB, FIRING, STATEMENT, STATEMENT, FIRING, JOB]
    assert [run.load.kinds[k] for k in run.load.kind] == [
        *("zip", "nightly", "read", "read", "nightly", "zip")
    ]
    assert {table.name for table in run.tables} == {
        *("jobsim_jobs", "jobsim_process_watch", "jobsim_shared")
    }


def test_workers_are_those_given_else_the_logs_own_else_four() -> None:
    assert Scenario(workers=7).resolve(LOG).workers == 7
    assert Scenario().resolve(LOG).workers == 4


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"queue": "skiplocked"}, "skip-locked"),
        ({"settings": {"queue": {"bacth": 3}}}, "did you mean queue.batch"),
        ({"settings": {"trigger": {"poll": 3}}}, "did you mean trigger.poll_s"),
        ({"settings": {"trigger": {"poll_s": 0}}}, "trigger.poll_s"),
        ({"settings": {"database": {"index": "status,crated_at"}}}, "created_at"),
        ({"killer": "busy-time", "rows": "firings"}, "need a lease"),
        ({"queue": "skip-locked", "rows": "statements"}, "no jobs"),
    ],
)
def test_what_cannot_be_run_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Scenario(**given).resolve(LOG)
