"""Which policies are compared."""

from jobsim.cli.compare import Policies


def test_without_a_policy_the_three_usual_queues_are_compared() -> None:
    assert Policies().said()["queue"] == ["taken-flag", "for-update", "skip-locked"]


def test_with_a_policy_of_any_family_only_what_is_named_is_compared() -> None:
    assert Policies(lease=["heartbeat"]).said() == {
        "queue": [],
        "lease": ["heartbeat"],
        "killer": [],
    }
