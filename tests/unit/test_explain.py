"""What a policy does, as explain shows it."""

import pytest

from jobsim.errors import UsageError
from jobsim.explain import Step, explain_policy, table_ddl
from jobsim.policies.registry import POLICIES


def labels(name: str, part: str, *settings: str) -> list[str]:
    return [s.label for s in explain_policy(name, "mariadb", list(settings)) if s.part == part]


def step(name: str, label: str, *settings: str, dialect: str = "mariadb") -> Step:
    return next(s for s in explain_policy(name, dialect, list(settings)) if s.label == label)


def test_skip_locked_shows_its_steps_in_order_by_the_labels_that_faults_name() -> None:
    assert labels("skip-locked", "worker") == [
        *("connect", "begin", "select", "mark", "commit", "start", "work", "finish"),
        *("rollback", "poll"),
    ]


def test_taken_flag_has_no_transaction_around_its_two_steps() -> None:
    assert labels("taken-flag", "worker") == [
        *("connect", "select", "mark", "start", "work", "finish", "poll")
    ]


def test_only_skip_locked_skips_locked_rows() -> None:
    assert "FOR UPDATE SKIP LOCKED" in str(step("skip-locked", "select").sql)
    assert str(step("for-update", "select").sql).endswith("FOR UPDATE")
    assert "FOR UPDATE" not in str(step("taken-flag", "select").sql)


def test_a_guarded_flag_is_flipped_only_where_it_is_still_down() -> None:
    guarded, taken = (str(step(name, "mark").sql) for name in ("guarded-flag", "taken-flag"))
    assert "pending" in guarded.partition("WHERE")[2]
    assert "pending" not in taken.partition("WHERE")[2]


def test_a_reaper_is_shown_where_there_is_one() -> None:
    assert labels("taken-flag", "reaper") == []
    assert labels("skip-locked", "reaper") == [
        *("connect", "begin sweep", "select expired", "free", "commit sweep", "sweep")
    ]


def test_settings_change_what_is_shown() -> None:
    assert "renew" in labels("skip-locked", "worker", "queue.reclaim=renew")
    assert "commit work" in labels("skip-locked", "worker", "queue.work=inside")
    assert "'running'" in str(step("skip-locked", "mark", "queue.claimed_name=running").sql)


def test_a_lease_is_shown_by_one_firing() -> None:
    assert labels("process-watcher", "firing") == [
        *("connect", "look", "look for stale", "delete stale", "insert start"),
        *("start", "work", "stamp end", "disconnect"),
    ]


@pytest.mark.parametrize("settings", [(), ("killer.busy_s=10m",), ("killer.ignore_users=web",)])
def test_a_killer_is_shown_killing_whatever_its_limits(settings: tuple[str, ...]) -> None:
    assert labels("busy-time", "killer", *settings)[:4] == [
        *("connect", "sleep", "process list", "kill")
    ]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
@pytest.mark.parametrize("dialect", ["mariadb", "mysql"])
def test_every_policy_is_explained_and_each_step_says_what_it_asks(
    policy: object, dialect: str
) -> None:
    shown = explain_policy(policy.name, dialect, [])  # type: ignore[attr-defined]
    assert shown
    assert all(one.sql or one.asks for one in shown)
    assert len({(one.part, one.label, one.sql) for one in shown}) == len(shown)


def test_an_unknown_policy_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean skip-locked"):
        explain_policy("skiplocked", "mariadb", [])


def test_the_table_is_shown_with_the_index_that_was_asked_for() -> None:
    assert "jobsim_jobs" in table_ddl("skip-locked", "mariadb", [])
    plain = table_ddl("skip-locked", "mariadb", ["database.index=none"])
    indexed = table_ddl("skip-locked", "mariadb", ["database.index=status"])
    assert "INDEX" not in plain.upper()
    assert "INDEX" in indexed.upper()
    assert table_ddl("busy-time", "mariadb", []) == ""
