"""What a scenario file says."""

from __future__ import annotations

import pytest

from jobsim.errors import UsageError
from jobsim.joblog import LogSpec
from jobsim.scenario import Scenario, Trial, combined

LOGS = {"jobs": LogSpec("media-batch")}


def test_several_of_one_family_are_compared_and_one_of_another_goes_with_each() -> None:
    assert combined({"queue": ["a", "b"], "lease": [], "killer": ["k"]}) == [
        {"queue": "a", "lease": None, "killer": "k"},
        {"queue": "b", "lease": None, "killer": "k"},
    ]


def test_one_of_each_family_or_none_is_one_run() -> None:
    assert combined({"queue": ["a"], "lease": ["l"]}) == [{"queue": "a", "lease": "l"}]
    assert combined({"queue": [], "lease": []}) == [{"queue": None, "lease": None}]


def test_several_of_two_families_are_refused() -> None:
    with pytest.raises(UsageError, match="several policies of one family"):
        combined({"queue": ["a", "b"], "lease": ["l", "m"]})


@pytest.mark.parametrize(
    ("scenarios", "files"),
    [
        ([Scenario(queue="a")], 1),
        ([Scenario(queue="a"), Scenario(queue="b"), Scenario(queue="a")], 1),
        ([Scenario(), Scenario()], 1),
        ([Scenario(queue="a", killer="k"), Scenario(queue="a", killer="m")], 1),
        ([Scenario(queue="a", killer="k"), Scenario(queue="b", killer="m")], 2),
        ([Scenario(queue="a"), Scenario(queue="a", killer="m")], 2),
        ([Scenario(queue="a"), Scenario(queue="b", workers=3)], 2),
        ([Scenario(queue="a"), Scenario(lease="b")], 2),
    ],
)
def test_one_file_says_what_differs_in_the_policies_of_one_family_alone(
    scenarios: list[Scenario], files: int
) -> None:
    trial = Trial(tuple(scenarios), LOGS)
    assert len(trial.files()) == files
    assert [one for file in trial.files() for one in file.scenarios] == scenarios
    assert all(file.to_toml() for file in trial.files())
