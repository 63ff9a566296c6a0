"""The worker, the submitter and the reaper, played by hand."""

from typing import Any

import pytest

from jobsim import roles
from jobsim.effects import Attempt, ChangedSinceRead, Deadlock, LockTimeout
from jobsim.policies.queue import Queue
from jobsim.policies.registry import find
from jobsim.roles import queue as role
from tests.unit.byhand import Played, play

ME = 2
ONE, TWO = Attempt(11, 1), Attempt(12, 1)


def queue(name: str = "skip-locked", **settings: Any) -> Queue:
    built: Queue = find("queue", name).build(settings)
    return built


def claims(*rows: tuple[int, int]) -> tuple[tuple[str, Any], ...]:
    """The steps of a skip-locked claim that gives these rows."""
    return (("begin", None), ("select", [*rows]), ("mark", len(rows)), ("commit", None))


EMPTY = (("begin", None), ("select", []), ("rollback", None), ("empty", None))
LOST = [Deadlock(), ChangedSinceRead()]


def test_a_worker_claims_works_finishes_and_looks_again() -> None:
    script = roles.worker(queue(), ME, poll_s=1.0, notify=False)
    played = play(
        script,
        ("connect", None),
        *claims((11, 0)),
        *(("claimed", None), ("start", None), ("work", "completed")),
        *(("finish", 1), ("finished", None)),
        *EMPTY,
        ("poll", None),
        open_end=True,
    )
    assert played.arguments("claimed") == [([ONE],)]
    assert played.arguments("finished") == [([ONE], "completed")]


def test_a_worker_that_stops_on_an_empty_queue_closes_its_connection() -> None:
    script = roles.worker(queue(on_empty="stop"), ME, 1.0, notify=False)
    assert play(script, ("connect", None), *EMPTY, ("disconnect", None)).over


@pytest.mark.parametrize("thrown", LOST, ids=lambda one: type(one).__name__)
def test_a_claim_that_lost_a_deadlock_is_tried_again(thrown: Exception) -> None:
    first = (("begin", None), ("select", thrown))
    played = play(role.claim(queue(), ME), *first, *claims((11, 0)), ("claimed", None))
    assert played.result == [ONE]


def test_a_claim_that_waited_too_long_for_a_lock_rolls_back_first() -> None:
    first = (("begin", None), ("select", LockTimeout()), ("give up", None))
    played = play(role.claim(queue(), ME), *first, *claims((11, 0)), ("claimed", None))
    assert played.result == [ONE]


def test_a_claim_thrown_back_notes_nothing_until_it_is_had() -> None:
    first = (("begin", None), ("select", Deadlock()))
    played = play(role.claim(queue(), ME), *first, *EMPTY)
    assert [name for name, _ in played.asked].count("empty") == 1


@pytest.mark.parametrize("thrown", [*LOST, LockTimeout()], ids=lambda one: type(one).__name__)
def test_a_finish_that_lost_a_deadlock_is_sent_again(thrown: Exception) -> None:
    script = role.finish(queue(finish_retry=True), [ONE], "completed")
    played = play(script, ("finish", thrown), ("finish", 1), ("finished", None))
    assert played.arguments("finished") == [([ONE], "completed")]


def test_a_finish_that_may_not_be_sent_again_is_noted_as_unrecorded() -> None:
    script = role.finish(queue(finish_retry=False), [ONE], "completed")
    played = play(script, ("finish", Deadlock()), ("finished", None))
    assert played.arguments("finished") == [([ONE], "unrecorded")]


def test_what_the_fence_turned_away_is_noted_as_refused() -> None:
    script = role.finish(queue(fence="token"), [ONE, TWO], "completed")
    steps = (("finish", 1), ("finish", 0), ("finished", None), ("finished", None))
    assert play(script, *steps).arguments("finished") == [
        ([ONE], "completed"),
        ([TWO], "refused"),
    ]


def test_a_batch_finished_together_is_recorded_by_how_it_ended() -> None:
    script = role.work_through(queue(batch=2, finish="batch"), [ONE, TWO], ME)
    played = play(
        script,
        *(("start", None), ("work", "failed")),
        *(("start", None), ("work", "completed")),
        *(("finish", 1), ("finished", None)),
        *(("finish", 1), ("finished", None)),
    )
    assert played.arguments("finished") == [([TWO], "completed"), ([ONE], "failed")]


def test_a_batch_finished_each_records_an_end_before_the_next_begins() -> None:
    each = (("start", None), ("work", "completed"), ("finish", 1), ("finished", None))
    assert play(role.work_through(queue(batch=2), [ONE, TWO], ME), *each, *each).over


def test_work_inside_the_claim_is_committed_once_and_noted_after_it() -> None:
    inside = (("start", None), ("work", "completed"), ("finish", 1))
    played = play(
        role.work_inside(queue(work="inside", batch=2), [ONE, TWO], ME),
        *(*inside, *inside, ("commit work", None)),
        *(("finished", None), ("finished", None)),
    )
    assert played.arguments("finished") == [([ONE], "completed"), ([TWO], "completed")]


@pytest.mark.parametrize(
    ("thrown", "then"),
    [(Deadlock(), ()), (LockTimeout(), (("give up", None),))],
    ids=["deadlock", "lock timeout"],
)
def test_work_inside_a_claim_that_was_thrown_back_leaves_nothing_recorded(
    thrown: Exception, then: tuple[tuple[str, Any], ...]
) -> None:
    played = play(
        role.work_inside(queue(work="inside", batch=2), [ONE, TWO], ME),
        *(("start", None), ("work", "completed"), ("finish", thrown), *then),
        *(("finished", None), ("finished", None)),
    )
    assert [outcome for _, outcome in played.arguments("finished")] == ["unrecorded"] * 2


def renewing(*steps: tuple[str, Any]) -> Played:
    made = queue(reclaim="renew", reclaim_s=90)
    return play(role.work(made, ONE, [ONE, TWO], ME), ("start", None), *steps)


def test_a_worker_that_renews_waits_a_third_of_the_age_limit_and_renews_all_it_holds() -> None:
    played = renewing(("work", "time"), ("renew", 2), ("work", "completed"))
    assert played.result == "completed"
    assert played.arguments("work") == [(30.0,), (30.0,)]
    assert played.arguments("renew") == [([11, 12], ME)]


@pytest.mark.parametrize("thrown", [*LOST, LockTimeout()], ids=lambda one: type(one).__name__)
def test_a_renewal_that_lost_a_deadlock_is_sent_again_and_the_work_goes_on(
    thrown: Exception,
) -> None:
    played = renewing(("work", "time"), ("renew", thrown), ("renew", 2), ("work", "completed"))
    assert played.result == "completed"


def test_a_worker_that_does_not_renew_waits_for_the_end() -> None:
    played = play(role.work(queue(), ONE, [ONE], ME), ("start", None), ("work", "failed"))
    assert played.arguments("work") == [(None,)]


def test_the_submitter_inserts_each_row_when_it_falls_due() -> None:
    first, second = [(1, "zip", 0, 0.0), (2, "zip", 0, 0.0)], [(3, "zip", 0, 5.0)]
    script = roles.submitter(queue(), [(0.0, first), (5.0, second)])
    played = play(
        script,
        ("connect", None),
        *(("sleep", None), ("submit", 2), ("submitted", None)),
        *(("sleep", None), ("submit", Deadlock()), ("submit", 1), ("submitted", None)),
        ("disconnect", None),
    )
    assert played.arguments("sleep") == [(0.0,), (5.0,)]
    assert played.arguments("submitted") == [([1, 2],), ([3],)]


def test_the_reaper_notes_only_what_it_gave_back() -> None:
    script = roles.reaper(queue())
    sweep = ("begin sweep", None), ("select expired", [(11,)]), ("free", 1), ("commit sweep", None)
    nothing = ("begin sweep", None), ("select expired", []), ("commit sweep", None)
    played = play(
        script,
        *(("connect", None), *sweep, ("reclaimed", None), ("sweep", None)),
        *(*nothing, ("sweep", None)),
        open_end=True,
    )
    assert played.arguments("reclaimed") == [([11],)]


def test_a_sweep_that_waited_too_long_for_a_lock_rolls_back_and_looks_again() -> None:
    played = play(
        role.sweep(queue()),
        *(("begin sweep", None), ("select expired", LockTimeout()), ("give up", None)),
        *(("begin sweep", None), ("select expired", []), ("commit sweep", None)),
    )
    assert played.result == []
