"""Which policies are compared."""

import pytest

from jobsim.cli.compare import combined
from jobsim.errors import UsageError


def test_several_of_one_family_are_compared_and_one_of_another_goes_with_each() -> None:
    assert combined(["a", "b"], None, ["k"]) == [("a", None, "k"), ("b", None, "k")]
    assert combined(None, ["l", "m"], None) == [(None, "l", None), (None, "m", None)]


def test_without_a_policy_the_three_usual_queues_are_compared() -> None:
    names = [queue for queue, _, _ in combined(None, None, None)]
    assert names == ["taken-flag", "for-update", "skip-locked"]


def test_several_of_two_families_are_refused() -> None:
    with pytest.raises(UsageError, match="several policies of one family"):
        combined(["a", "b"], ["l", "m"], None)
