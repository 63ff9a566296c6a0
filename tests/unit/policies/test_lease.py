"""Leases, played by hand."""

from typing import Any

import pytest

from jobsim.effects import Ago
from jobsim.effects.predicate import comparisons
from jobsim.policies.lease import Lease
from jobsim.policies.registry import find
from tests.unit.byhand import play

KIND, ME = "nightly", 5


def lease(name: str, **settings: Any) -> Lease:
    built: Lease = find("lease", name).build(settings)
    return built


def test_the_process_watcher_starts_where_nobody_runs() -> None:
    played = play(lease("process-watcher").acquire(KIND, ME), ("look", []), ("insert start", 1))
    assert played.result is True
    assert played.arguments("insert start") == [([(KIND, ME)],)]


def test_the_process_watcher_deletes_a_run_that_is_too_old_and_starts_afresh() -> None:
    played = play(
        lease("process-watcher").acquire(KIND, ME),
        *(("look", [(1,)]), ("look for stale", [(1,)])),
        *(("delete stale", 1), ("insert start", 1)),
    )
    assert played.result is True


def test_the_process_watcher_refuses_while_somebody_runs() -> None:
    claim = lease("process-watcher").acquire(KIND, ME)
    assert play(claim, ("look", [(1,)]), ("look for stale", [])).result is False


def test_the_process_watcher_takes_a_run_for_dead_after_three_hours() -> None:
    stale = comparisons(lease("process-watcher").stale.where)
    assert [c.value for c in stale if c.column == "seen_at"] == [Ago(3 * 3600.0)]


def test_the_process_watchers_caller_may_run_though_refused() -> None:
    assert lease("process-watcher").settings.enforced is False
    assert lease("heartbeat").settings.enforced is True


def test_the_process_watcher_stamps_whatever_row_is_open() -> None:
    played = play(lease("process-watcher").release(KIND, ME), ("stamp end", 1))
    assert played.result is True
    assert played.arguments("stamp end") == [(KIND,)]


@pytest.mark.parametrize(("rows", "owned"), [(1, True), (0, False)])
def test_a_heartbeat_stamps_only_its_own_end(rows: int, owned: bool) -> None:
    played = play(lease("heartbeat").release(KIND, ME), ("stamp end", rows))
    assert played.result is owned
    assert played.arguments("stamp end") == [(KIND, ME)]


def test_a_heartbeat_takes_a_dead_holders_place_by_one_guarded_update() -> None:
    played = play(lease("heartbeat").acquire(KIND, ME), ("take over", 1))
    assert played.result is True
    assert played.arguments("take over") == [(ME, KIND)]


def test_a_heartbeat_starts_where_nobody_runs() -> None:
    claim = lease("heartbeat").acquire(KIND, ME)
    assert play(claim, ("take over", 0), ("look", []), ("insert start", 1)).result is True


def test_a_heartbeat_is_refused_while_the_holder_was_seen_lately() -> None:
    claim = lease("heartbeat").acquire(KIND, ME)
    assert play(claim, ("take over", 0), ("look", [(1,)])).result is False


@pytest.mark.parametrize(("rows", "holds"), [(1, True), (0, False)])
def test_renewing_tells_whether_the_lease_is_still_held(rows: int, holds: bool) -> None:
    played = play(lease("heartbeat").renew(KIND, ME), ("renew", rows))
    assert played.result is holds
    assert played.arguments("renew") == [(KIND, ME)]
