"""Parameters from words and numbers."""

from typing import Any

import pytest

from jobsim.errors import UsageError
from jobsim.policies.killer import KillerSettings
from jobsim.policies.lease import LeaseSettings
from jobsim.policies.queue import QueueSettings
from jobsim.policies.settings import read_settings

FAMILY = {"queue": QueueSettings, "lease": LeaseSettings, "killer": KillerSettings}


def read(name: str, value: Any) -> Any:
    family, parameter = name.split(".")
    return getattr(read_settings(family, FAMILY[family], {parameter: value}), parameter)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("250ms", 0.25), ("90s", 90.0), ("15m", 900.0), ("3h", 10800.0), (2.5, 2.5), (7, 7.0)],
)
def test_durations_are_read_as_people_write_them(text: Any, seconds: float) -> None:
    assert read("queue.reclaim_s", text) == pytest.approx(seconds)


@pytest.mark.parametrize(("text", "truth"), [("true", True), ("No", False), (True, True)])
def test_truths_are_read(text: Any, truth: bool) -> None:
    assert read("lease.enforced", text) is truth


@pytest.mark.parametrize("given", ["web, batch", ["web", "batch"]])
def test_lists_are_read_from_commas_or_from_lists(given: Any) -> None:
    assert read("killer.ignore_users", given) == ("web", "batch")


@pytest.mark.parametrize("given", ["none", None])
def test_a_parameter_that_may_be_absent_can_be_switched_off(given: Any) -> None:
    assert read("lease.renew_s", given) is None


def test_whole_numbers_are_read_from_text() -> None:
    assert read("queue.batch", "100") == 100


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("queue.visibility_timeout", "queue.reclaim_s"),
        ("queue.retry_after", "queue.reclaim_s"),
        ("queue.rescue_after", "queue.reclaim_s"),
        ("lease.timeout", "lease.timeout_s"),
    ],
)
def test_other_systems_words_are_answered_with_ours(name: str, ours: str) -> None:
    with pytest.raises(UsageError, match=f"here it is called {ours}"):
        read(name, "30s")


@pytest.mark.parametrize(
    ("name", "right"),
    [("queue.bacth", "queue.batch"), ("queue.reclaim_sec", "queue.reclaim_s")],
)
def test_an_unknown_parameter_is_answered_with_the_nearest(name: str, right: str) -> None:
    with pytest.raises(UsageError, match=f"unknown parameter {name}; did you mean {right}"):
        read(name, 1)


def test_a_parameter_without_its_unit_is_answered_with_it() -> None:
    with pytest.raises(UsageError, match=r"did you mean queue\.sweep_s"):
        read("queue.sweep", 1)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("queue.finish", "eech", "did you mean each"),
        ("queue.order", "random", "one of due, id, none"),
        ("queue.batch", "1.5", "a whole number from 0"),
        ("queue.batch", -1, "a whole number from 0"),
        ("queue.batch", "inf", "a whole number from 0"),
        ("queue.batch", [1], "a whole number from 0"),
        ("queue.reclaim_s", "soon", "write 250ms"),
        ("lease.enforced", "maybe", "true or false"),
        ("killer.ignore_users", 5, "words"),
    ],
)
def test_a_value_that_does_not_fit_is_answered_with_what_would(
    name: str, value: Any, told: str
) -> None:
    with pytest.raises(UsageError, match=told) as refused:
        read(name, value)
    assert name in str(refused.value)
