"""Policies by name, and what they cannot be told."""

from typing import Any

import pytest

from jobsim.errors import UsageError
from jobsim.policies.registry import POLICIES, families, find


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_every_policy_can_be_built_from_its_own_defaults(policy: Any) -> None:
    built = policy.build()
    assert built.name == policy.name
    assert {n: getattr(built.settings, n) for n in policy.parameters()} == policy.parameters()


def test_the_families_come_in_the_order_in_which_they_rule_a_load() -> None:
    assert families() == ["queue", "lease", "killer"]


def test_names_are_not_shared_between_families() -> None:
    assert len({policy.name for policy in POLICIES}) == len(POLICIES)


@pytest.mark.parametrize(
    ("family", "name", "right"),
    [
        ("queue", "skip-lock", "skip-locked"),
        ("queue", "forupdate", "for-update"),
        ("lease", "hartbeat", "heartbeat"),
        ("killer", "busytime", "busy-time"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(family: str, name: str, right: str) -> None:
    with pytest.raises(UsageError, match=f"unknown {family} policy '{name}'.*{right}"):
        find(family, name)


def test_a_policy_of_another_family_is_answered_with_that_family() -> None:
    with pytest.raises(UsageError, match=r"heartbeat.*lease policy"):
        find("queue", "heartbeat")


@pytest.mark.parametrize(
    ("family", "name", "given", "told"),
    [
        ("queue", "skip-locked", {"batch": 0}, "at least one job"),
        ("queue", "taken-flag", {"work": "inside"}, "no claim transaction"),
        ("queue", "skip-locked", {"work": "inside", "reclaim": "after"}, "nothing to fence"),
        ("queue", "for-update", {"work": "inside", "fence": "token"}, "nothing to fence"),
        ("queue", "skip-locked", {"claimed_name": "pending"}, "another status's name"),
        ("queue", "skip-locked", {"claimed_name": "p" * 33}, "32"),
        ("queue", "skip-locked", {"sweep_s": 0}, "sweep_s"),
        ("lease", "heartbeat", {"timeout_s": 60, "renew_s": 60}, "loses its lease each time"),
        ("lease", "heartbeat", {"renew_s": 0}, "renew_s"),
        ("killer", "busy-time", {"interval_s": 0}, "interval_s.*time between two looks"),
        ("killer", "busy-time", {"match_info": "("}, "match_info: no regular expression"),
    ],
)
def test_contradictions_are_refused(
    family: str, name: str, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        find(family, name).build(given)


def test_work_inside_the_claim_needs_no_reclaim_to_be_switched_off() -> None:
    built = find("queue", "skip-locked").build({"work": "inside"})
    assert (built.settings.work, built.settings.reclaim) == ("inside", "never")


def test_skip_locked_says_which_servers_can() -> None:
    assert find("queue", "skip-locked").needs["mariadb"] == "10.6"
    assert not find("queue", "for-update").needs
