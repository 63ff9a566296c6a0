"""What every lease must do, on both drivers: kill the job at step N, and see the lock."""

from __future__ import annotations

import pytest

from jobsim.faults import parse_fault
from jobsim.joblog import JobLog
from tests.contract.conftest import Play, log_of, scenario


@pytest.fixture
def apart() -> JobLog:
    """Five firings of one kind that do not overlap."""
    return log_of([0.0, 0.3, 0.6, 0.9, 1.2], 0.05)


@pytest.fixture
def overlapping() -> JobLog:
    """Firings each 0.2 s that take 0.5 s."""
    return log_of([0.0, 0.2, 0.4, 0.6, 0.8], 0.5)


def watched(**lease: object) -> dict[str, object]:
    return {"lease": "process-watcher", "settings": {"lease": lease}}


@pytest.mark.parametrize("lease", ["process-watcher", "heartbeat"])
def test_runs_that_do_not_meet_all_run(lease: str, play_it: Play, apart: JobLog) -> None:
    settings = {"lease": {"timeout_s": 5.0} | ({"renew_s": 1.0} if lease == "heartbeat" else {})}
    played = play_it(scenario(lease=lease, settings=settings), apart)
    assert played.metrics["jobs"]["completed"] == 5
    assert played.metrics["integrity"]["overlaps"] == 0


def test_a_lock_that_nobody_consults_stops_nobody(play_it: Play, overlapping: JobLog) -> None:
    """The second article's caller ignores the answer: ceil(0.5 / 0.2) = 3 are at work at once."""
    played = play_it(scenario(**watched(timeout_s=5.0)), overlapping)
    assert played.metrics["jobs"]["completed"] == 5
    assert played.metrics["integrity"]["overlaps"] >= 4


def test_a_lock_that_is_enforced_keeps_the_others_away(play_it: Play, overlapping: JobLog) -> None:
    played = play_it(scenario(**watched(timeout_s=5.0, enforced=True)), overlapping)
    assert played.metrics["integrity"]["overlaps"] == 0
    outcomes = played.attempts["outcome"].value_counts()
    assert (outcomes["completed"], outcomes["skipped"]) == (2, 3)


@pytest.mark.parametrize(
    ("release", "skipped"), [("end", 3), ("finally", 0)], ids=["at the end", "finally"]
)
def test_an_exception_leaves_the_lock_behind_unless_it_is_released_in_a_finally(
    release: str, skipped: int, play_it: Play, apart: JobLog
) -> None:
    fault = parse_fault("kind=raise,at=work,nth=2,when=during")
    lease = watched(timeout_s=5.0, enforced=True, release=release)
    played = play_it(scenario(**lease, faults=(fault,)), apart)
    outcomes = played.attempts["outcome"].value_counts()
    assert outcomes["raised"] == 1
    assert outcomes["skipped"] == skipped


def test_a_crash_holds_the_lock_until_the_time_out(play_it: Play, apart: JobLog) -> None:
    """Killed in the second run, 0.6 s of time-out: the third is refused, the fourth begins anew."""
    fault = parse_fault("kind=kill,at=work,nth=2,when=during")
    played = play_it(scenario(**watched(timeout_s=0.5, enforced=True), faults=(fault,)), apart)
    outcomes = played.attempts.sort_values("job")["outcome"].tolist()
    assert outcomes == ["completed", "died", "skipped", "completed", "completed"]
    assert 0.4 < played.metrics["stuck"]["max_s"] < 0.6


def test_a_holder_that_renews_keeps_the_lease_beyond_the_time_out(play_it: Play) -> None:
    settings = {"lease": {"timeout_s": 0.3, "renew_s": 0.1}}
    log = log_of([0.0, 0.5], [1.0, 0.1])
    played = play_it(scenario(lease="heartbeat", settings=settings), log)
    assert played.attempts.sort_values("job")["outcome"].tolist() == ["completed", "skipped"]


def test_a_paused_holder_loses_the_lease_and_is_turned_away(play_it: Play) -> None:
    pause = parse_fault("kind=pause,at=work,nth=1,when=during,for=1s")
    settings = {"lease": {"timeout_s": 0.3, "renew_s": 0.1}}
    log = log_of([0.0, 0.8], [0.2, 1.0])
    played = play_it(scenario(lease="heartbeat", settings=settings, faults=(pause,)), log)
    outcomes = played.attempts.sort_values("job")["outcome"].tolist()
    assert outcomes == ["refused", "completed"]
