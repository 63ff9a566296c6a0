"""The regime in words."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.comparison import regime

from .made import run


def told(per_second: int, run_s: float = 0.001, **rest) -> str:
    due_s = np.repeat(np.arange(10.0), per_second)
    runs = rest.pop("runs", [run()])
    return regime(due_s, np.full(len(due_s), run_s), 1000, runs, **rest)


@pytest.mark.parametrize(
    ("per_second", "verdict"),
    [(5, "no problem here"), (100, "in bursts"), (400, "the policy decides")],
)
def test_it_says_whether_lock_contention_can_be_a_problem(per_second: int, verdict: str):
    text = told(per_second)
    assert verdict in text
    assert f"the busiest second needs {per_second} claims, about 500 can be made one by one" in text


def test_locks_that_are_held_longer_than_a_claim_are_named():
    slow = run("for-update", contention__lock_wait_s=4.0)
    assert "for-update waited 4 s for locks held longer" in told(5, runs=[run(), slow])


def test_it_says_how_many_jobs_are_very_short():
    assert "100 % of the jobs are shorter than 10 ms" in told(5)
    assert "None of the jobs is shorter than 10 ms" in told(5, run_s=1.0)


def test_a_measured_utilisation_is_told_as_such():
    assert "statements kept the database busy 25 % of the time" in told(5, database_share=0.25)
    assert "claims alone kept the database busy" in told(5)


def test_the_pace_of_the_run_is_told():
    assert told(5, runs=[run(speedup=60)]).startswith("Regime, at 60 times the log's pace: ")


def test_claims_that_cost_nothing_or_were_not_timed_are_no_problem():
    free = [run(contention__claim_p50_s=0.0)]
    assert "which cost nothing" in told(400, runs=free)
    assert "no claim was timed" in told(400, runs=[run(contention__claim_p50_s=None)])
