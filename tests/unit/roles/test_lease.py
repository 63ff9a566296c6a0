"""Scheduled runs under a lease, played by hand."""

from typing import Any

import pytest

from jobsim import roles
from jobsim.effects import Attempt, Deadlock, LockTimeout, Raised
from jobsim.policies.lease import Lease
from jobsim.policies.registry import find
from jobsim.roles import lease as role
from tests.unit.byhand import play

KIND, ME = "nightly", 7
RUN = Attempt(ME, 1)
GRANTED = (("connect", None), ("look", []), ("insert start", 1), ("claimed", None), ("held", None))
REFUSED = (("connect", None), ("look", [(1,)]), ("look for stale", []))


def lease(name: str = "process-watcher", **settings: Any) -> Lease:
    built: Lease = find("lease", name).build(settings)
    return built


def test_cron_starts_a_process_for_each_firing_at_its_instant() -> None:
    start = ("spawn", None)
    played = play(
        roles.cron([(1.0, [1, 2]), (9.0, [3])], "firing"),
        *(("sleep", None), start, start, ("sleep", None), start),
    )
    assert played.arguments("sleep") == [(1.0,), (9.0,)]
    assert played.arguments("spawn") == [("firing", 1), ("firing", 2), ("firing", 3)]


def test_a_run_takes_the_lease_works_and_gives_it_back() -> None:
    played = play(
        roles.firing(lease(), KIND, ME),
        *(*GRANTED, ("start", None), ("work", "completed"), ("stamp end", 1)),
        *(("released", None), ("finished", None), ("disconnect", None)),
    )
    assert played.arguments("held") == [(ME, 180 * 60.0)]
    assert played.arguments("finished") == [([RUN], "completed")]


def test_a_refused_run_works_all_the_same_where_nobody_looks_at_the_answer() -> None:
    played = play(
        roles.firing(lease(), KIND, ME),
        *(*REFUSED, ("claimed", None), ("start", None), ("work", "completed"), ("stamp end", 1)),
        *(("released", None), ("finished", None), ("disconnect", None)),
    )
    assert played.arguments("held") == []
    assert played.arguments("finished") == [([RUN], "completed")]


def test_a_refused_run_stays_away_where_the_answer_is_enforced() -> None:
    ends = (("finished", None), ("disconnect", None))
    played = play(roles.firing(lease(enforced=True), KIND, ME), *REFUSED, *ends)
    assert played.arguments("finished") == [([RUN], "skipped")]


def test_an_exception_leaves_the_lease_behind() -> None:
    with pytest.raises(Raised):
        play(roles.firing(lease(), KIND, ME), *GRANTED, ("start", None), ("work", Raised()))


def test_an_exception_gives_the_lease_back_where_it_is_released_in_a_finally() -> None:
    script = roles.firing(lease(release="finally"), KIND, ME)
    steps = (*GRANTED, ("start", None), ("work", Raised()), ("stamp end", 1), ("released", None))
    with pytest.raises(Raised):
        play(script, *steps)


def test_a_heartbeat_renews_while_it_works_and_a_late_finish_is_refused() -> None:
    script = roles.firing(lease("heartbeat"), KIND, ME)
    played = play(
        script,
        *(("connect", None), ("take over", 1), ("claimed", None), ("held", None)),
        *(("start", None), ("work", "time"), ("renew", 1), ("held", None)),
        *(("work", "time"), ("renew", 0), ("work", "completed"), ("stamp end", 0)),
        *(("released", None), ("finished", None), ("disconnect", None)),
    )
    assert len(played.arguments("held")) == 2
    assert played.arguments("finished") == [([RUN], "refused")]


@pytest.mark.parametrize("thrown", [Deadlock(), LockTimeout()], ids=lambda o: type(o).__name__)
def test_asking_for_the_lease_is_repeated_when_it_was_thrown_back(thrown: Exception) -> None:
    script = role.acquire(lease(), KIND, ME)
    played = play(script, ("look", []), ("insert start", thrown), ("look", []), ("insert start", 1))
    assert played.result is True


@pytest.mark.parametrize("thrown", [Deadlock(), LockTimeout()], ids=lambda o: type(o).__name__)
def test_a_renewal_that_was_thrown_back_is_sent_again(thrown: Exception) -> None:
    played = play(
        role.work(lease("heartbeat"), KIND, RUN),
        *(("start", None), ("work", "time"), ("renew", thrown), ("renew", 1), ("held", None)),
        ("work", "completed"),
    )
    assert played.result == "completed"
