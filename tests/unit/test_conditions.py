"""Conditions on metrics."""

from typing import Any

import pytest

from jobsim.conditions import Condition, parse_condition
from jobsim.errors import UsageError

RUN: dict[str, Any] = {
    "driver": "sim",
    "makespan_s": 70.0,
    "stuck": {"max_s": 61.0, "p99_s": None},
    "by_kind": {"zip-all": {"duplicates": 2}},
    "wait": {"p95_s": {"mean": 3.0, "low": 2.0, "high": 4.0}},
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("stuck.max_s > 60", True),
        ("stuck.max_s>1m", True),
        ("stuck.max_s <= 60", False),
        ("makespan_s == 70", True),
        ("makespan_s != 70", False),
        ("by_kind.zip-all.duplicates >= 2", True),
        ("wait.p95_s < 2.5", False),
    ],
)
def test_a_condition_is_judged_on_a_run(text: str, holds: bool) -> None:
    assert parse_condition(text).holds(RUN) is holds


def test_of_several_replications_the_mean_is_judged() -> None:
    assert parse_condition("wait.p95_s > 2.9").holds(RUN)


@pytest.mark.parametrize("text", ["stuck.p99_s > 0", "stuck.p99_s <= 0"])
def test_nothing_holds_of_what_was_not_measured(text: str) -> None:
    assert not parse_condition(text).holds(RUN)


@pytest.mark.parametrize("text", ["stuck.max_s", "stuck.max_s = 60", "> 60", ""])
def test_what_is_not_a_condition_is_answered_with_one(text: str) -> None:
    with pytest.raises(UsageError, match=r"stuck\.max_s > 60"):
        parse_condition(text)


def test_an_unknown_metric_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no metric 'stuck.maxs'.*stuck\.max_s"):
        parse_condition("stuck.maxs > 60").holds(RUN)


def test_a_condition_is_written_as_it_was_read() -> None:
    assert str(parse_condition("stuck.max_s>1m")) == "stuck.max_s > 60"
    assert parse_condition("a < 1") == Condition("a", "<", 1.0)
