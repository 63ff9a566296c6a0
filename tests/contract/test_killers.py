"""What the query killer does to holders of locks and to those who wait, on both drivers."""

from __future__ import annotations

from jobsim.scenario import Scenario
from tests.contract.conftest import Play, log_of


def killing(
    busy_s: float, interval_s: float = 0.1, touching: float = 0.0, **given: object
) -> Scenario:
    settings = {"killer": {"busy_s": busy_s, "interval_s": interval_s, **given}}
    return Scenario(killer="busy-time", settings=settings, until_s=10.0, touching=touching)


def test_only_statements_over_the_limit_die(play_it: Play) -> None:
    log = log_of([0.0, 0.1, 0.2], [2.0, 0.05, 0.05])
    played = play_it(killing(0.5), log)
    assert played.attempts.sort_values("job")["outcome"].tolist() == [
        "killed",
        "completed",
        "completed",
    ]


def test_a_killed_statement_lived_up_to_one_interval_longer_than_its_limit(play_it: Play) -> None:
    played = play_it(killing(0.5, interval_s=0.3), log_of([0.05], [3.0]))
    lived_s = played.attempts["finished_s"].iloc[0] - played.attempts["started_s"].iloc[0]
    assert 0.5 <= lived_s < 0.5 + 0.3 + 0.15


def test_killing_the_holder_of_a_lock_lets_the_waiting_statement_run(play_it: Play) -> None:
    log = log_of([0.0, 0.4], [5.0, 0.05])
    played = play_it(killing(0.5, touching=1.0), log)
    assert played.attempts.sort_values("job")["outcome"].tolist() == ["killed", "completed"]


def test_a_waiting_statement_is_killed_though_its_own_work_was_short(play_it: Play) -> None:
    """The oldest alone dies each round; the holder is young enough, the waiter is not at fault."""
    log = log_of([0.0, 0.1, 0.2], [1.0, 1.0, 0.05])
    played = play_it(killing(1.05, interval_s=0.1, touching=1.0), log)
    assert "killed" in set(played.attempts["outcome"])


def test_an_ignored_user_is_never_killed(play_it: Play) -> None:
    log = log_of([0.0], [1.0], owner="batch")
    played = play_it(killing(0.3, ignore_users=("batch",)), log)
    assert played.attempts["outcome"].tolist() == ["completed"]
