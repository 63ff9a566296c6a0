"""What the numbers mean in words."""

from __future__ import annotations

import pytest

from jobsim.comparison import sentences
from jobsim.outcomes import replicated

from .made import run


def told(*runs) -> str:
    (sentence,) = sentences(runs)
    return sentence


def test_a_policy_that_did_nothing_wrong():
    assert told(run()) == (
        "skip-locked ran no job twice, never waited for a lock, "
        "and began 95 % of the jobs within 3.85 s."
    )


def test_jobs_that_ran_twice():
    double = {"integrity__duplicates": 212, "integrity__duplicate_s": 90.0}
    text = told(run("taken-flag", **double, integrity__duplicated_jobs=212))
    assert text.startswith("taken-flag ran 212 jobs twice, 90 s of work for nothing, ")


def test_jobs_that_ran_more_often_than_twice():
    text = told(run("no-control", integrity__duplicates=300, integrity__duplicated_jobs=100))
    assert text.startswith("no-control ran 100 jobs more than once, 300 runs too many, ")


def test_a_job_that_was_stuck_and_run_again():
    text = told(run(stuck__episodes=1, stuck__max_s=31.0))
    assert (
        "left 1 job stuck for 31 s after a worker was gone, until somebody else could have it"
        in text
    )


def test_jobs_of_which_some_were_stuck_to_the_end():
    text = told(run(stuck__episodes=3, stuck__max_s=31.0, stuck__still_stuck=1))
    assert (
        "left 3 jobs stuck for up to 31 s after a worker was gone, 1 of them to the end of the run"
        in text
    )


def test_a_job_stuck_to_the_end_is_not_told_a_second_time_as_unfinished():
    stuck = {"stuck__episodes": 1, "stuck__max_s": 31.0, "stuck__still_stuck": 1}
    text = told(run(**stuck, jobs__unfinished=1))
    assert "left 1 job stuck from a worker's end to the end of the run, 31 s" in text
    assert "unfinished" not in text
    assert "left 3 jobs unfinished" in told(run(**stuck, jobs__unfinished=3))


def test_lock_waits_and_deadlocks():
    locks = {"contention__lock_waits": 1204, "contention__lock_wait_s": 12.0}
    text = told(run(**locks, contention__deadlocks=40))
    assert "waited for locks 1,204 times (12 s in all, 40 deadlocks)" in text


def test_lock_waits_too_short_for_the_servers_counter_are_told_as_such():
    assert "waited for locks 94 times (each time less than 1 ms)" in told(
        run(contention__lock_waits=94)
    )


def test_lock_waits_that_were_not_measured_are_not_told():
    assert "lock" not in told(run("x", contention__lock_waits=None, contention__lock_wait_s=None))


def test_lost_jobs_and_starved_claims_are_told():
    text = told(run(integrity__lost=2, contention__starved_claims=7))
    assert "lost 2 jobs, sent 7 claims away empty while jobs lay there" in text


def test_times_are_also_told_in_the_logs_time():
    assert "within 3.85 s (log: 3.85 min)" in told(run(speedup=60))


def test_the_simulation_is_compared_with_the_live_run_that_is_told():
    live = run(driver="live", wait__p95_s=9.0)
    assert told(live, run(wait__p95_s=8.0)).endswith(
        "began 95 % of the jobs within 9 s; the simulation agrees."
    )
    assert told(run(wait__p95_s=3.0), live).endswith(
        "; the simulation differs in the p95 wait (3 s; live 9 s)."
    )


@pytest.mark.parametrize(("ours", "agrees"), [(10, True), (30, False)])
def test_small_counts_agree_within_their_noise(ours: int, agrees: bool):
    live = run(driver="live", integrity__duplicates=13)
    assert ("agrees" in told(live, run(integrity__duplicates=ours))) is agrees


def test_a_lease_is_told_by_its_overlaps():
    text = told(run("process-watcher", family="lease", integrity__overlaps=3, jobs__skipped=2))
    assert text.startswith("process-watcher let 3 runs overlap, skipped 2 firings, ")


def test_a_killer_is_told_by_its_victims():
    kills = {"killer__kills": 5, "killer__innocent": 2, "killer__stall_s": 90.0}
    text = told(run("busy-time", family="killer", **kills))
    assert text.startswith(
        "busy-time killed 5 statements, 2 of them innocent, let statements stall for 90 s in all, "
    )


def test_replications_are_told_as_means():
    assert told(replicated([run(), run()])).startswith("skip-locked (mean of 2 runs) ran no job")


def test_what_the_log_says_of_itself_gets_no_sentence():
    assert sentences([run("as-logged", "log"), run()]) == sentences([run()])
