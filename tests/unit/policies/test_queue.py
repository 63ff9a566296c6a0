"""The claims, played by hand: what each asks, step by step."""

from typing import Any

import pytest

from jobsim.effects import Attempt
from jobsim.policies.queue import Queue
from jobsim.policies.registry import find
from tests.unit.byhand import play

ME = 3
ONE, TWO = Attempt(11, 1), Attempt(12, 2)
ROWS = [(11, 0), (12, 1)]


def queue(name: str, **settings: Any) -> Queue:
    built: Queue = find("queue", name).build({"batch": 2, **settings})
    return built


def test_no_control_takes_what_it_read_and_tells_nobody() -> None:
    played = play(queue("no-control").claim(ME), ("select", ROWS))
    assert played.result == [ONE, TWO]
    assert played.arguments("select") == [(2,)]


def test_taken_flag_reads_and_then_flips_whatever_happened_in_between() -> None:
    played = play(queue("taken-flag").claim(ME), ("select", ROWS), ("mark", 0))
    assert played.result == [ONE, TWO]
    assert played.arguments("mark") == [(ME, [11, 12])]


def test_taken_flag_flips_nothing_where_nothing_was_read() -> None:
    assert play(queue("taken-flag").claim(ME), ("select", [])).result == []


def test_guarded_flag_keeps_only_the_rows_that_it_changed() -> None:
    played = play(queue("guarded-flag").claim(ME), ("select", ROWS), ("mark", 0), ("mark", 1))
    assert played.result == [TWO]
    assert played.arguments("mark") == [(ME, [11]), (ME, [12])]


def test_guarded_flag_looks_again_when_it_lost_every_row() -> None:
    played = play(
        queue("guarded-flag").claim(ME),
        *(("select", ROWS), ("mark", 0), ("mark", 0)),
        *(("select", [(13, 0)]), ("mark", 1)),
    )
    assert played.result == [Attempt(13, 1)]


def test_guarded_flag_gives_up_when_nothing_is_pending_any_more() -> None:
    played = play(
        queue("guarded-flag", batch=1).claim(ME), ("select", [(11, 0)]), ("mark", 0), ("select", [])
    )
    assert played.result == []


@pytest.mark.parametrize("name", ["for-update", "skip-locked"])
def test_a_locked_claim_selects_marks_and_commits_in_one_transaction(name: str) -> None:
    played = play(
        queue(name).claim(ME), ("begin", None), ("select", ROWS), ("mark", 2), ("commit", None)
    )
    assert played.result == [ONE, TWO]


@pytest.mark.parametrize("name", ["for-update", "skip-locked"])
def test_a_locked_claim_rolls_back_when_it_found_nothing(name: str) -> None:
    played = play(queue(name).claim(ME), ("begin", None), ("select", []), ("rollback", None))
    assert played.result == []


def test_a_claim_to_work_inside_of_stays_open() -> None:
    claim = queue("skip-locked", work="inside").claim(ME)
    assert play(claim, ("begin", None), ("select", ROWS), ("mark", 2)).result == [ONE, TWO]


def test_the_two_locked_claims_differ_in_what_they_do_at_a_locked_row() -> None:
    made = queue("skip-locked")
    assert (made.lock_ready.lock, made.lock_ready.on_locked) == (True, "wait")
    assert (made.lock_ready_skipping.lock, made.lock_ready_skipping.on_locked) == (True, "skip")


def test_a_finish_without_a_fence_is_one_statement_and_always_accepted() -> None:
    played = play(queue("skip-locked").finish([ONE, TWO], "completed"), ("finish", 0))
    assert played.result == [ONE, TWO]
    assert played.arguments("finish") == [([11, 12],)]


def test_a_fence_by_token_finishes_one_by_one_and_names_the_attempt() -> None:
    made = queue("skip-locked", fence="token")
    played = play(made.finish([ONE, TWO], "completed"), ("finish", 0), ("finish", 1))
    assert played.result == [TWO]
    assert played.arguments("finish") == [([11], 1), ([12], 2)]


def test_a_fence_by_state_asks_only_whether_the_job_is_still_claimed() -> None:
    made = queue("skip-locked", fence="state")
    played = play(made.finish([ONE], "failed"), ("finish", 1))
    assert played.result == [ONE]
    assert played.arguments("finish") == [([11],)]


def test_completed_and_failed_are_different_ends() -> None:
    made = queue("skip-locked")
    assert dict(made.complete.changes)["status"] == "completed"
    assert dict(made.fail.changes)["status"] == "failed"
    effect, _ = next(made.finish([ONE], "failed"))
    assert effect is made.fail


def test_reclaiming_frees_what_has_expired() -> None:
    played = play(
        queue("skip-locked").reclaim(),
        ("begin sweep", None),
        ("select expired", [(11,), (12,)]),
        ("free", 2),
        ("commit sweep", None),
    )
    assert played.result == [11, 12]
    assert played.arguments("free") == [([11, 12],)]


def test_reclaiming_writes_nothing_where_nothing_has_expired() -> None:
    sweep = (("begin sweep", None), ("select expired", []), ("commit sweep", None))
    assert play(queue("skip-locked").reclaim(), *sweep).result == []


def test_renewing_names_the_jobs_and_whose_they_are() -> None:
    played = play(queue("skip-locked", reclaim="renew").renew([ONE, TWO], ME), ("renew", 2))
    assert played.arguments("renew") == [([11, 12], ME)]


def test_a_worker_renews_three_times_in_the_age_limit() -> None:
    assert queue("skip-locked", reclaim_s=90).settings.renew_s == 30.0


def test_the_name_of_a_claimed_row_is_the_users() -> None:
    made = queue("skip-locked", claimed_name="running")
    assert dict(made.mark.changes)["status"] == "running"
