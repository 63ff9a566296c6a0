"""What is told of the trigger and of the database."""

from dataclasses import dataclass

import pytest

from jobsim.effects import Index
from jobsim.errors import UsageError
from jobsim.policies.queue import JOBS
from jobsim.scenario import DatabaseSettings, parse_assignments
from jobsim.scenario.settings import check_index, faster


@dataclass(frozen=True)
class Told:
    wait_s: float = 10.0
    renew_s: float | None = None
    batch: int = 10


def test_assignments_are_gathered_by_family() -> None:
    given = parse_assignments(["queue.batch=10", "queue.order = id", "killer.match_info=a=b"])
    assert given == {"queue": {"batch": "10", "order": "id"}, "killer": {"match_info": "a=b"}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("batch=10", r"write family\.parameter=value"),
        ("queue.batch", r"write family\.parameter=value"),
        ("visibility_timeout=30", r"here it is called queue\.reclaim_s"),
        ("timeout=30", r"here it is called lease\.timeout_s"),
        ("queu.batch=10", "unknown family 'queu'; did you mean queue"),
    ],
)
def test_what_is_not_an_assignment_is_answered_with_one(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_assignments([text])


@pytest.mark.parametrize(
    ("words", "indexes"),
    [
        (("none",), ()),
        (("status",), (Index(("status",)),)),
        (("composite",), (Index(("status", "created_at", "id")),)),
        (("kind", "status"), (Index(("kind", "status")),)),
    ],
)
def test_indexes_are_named_or_spelled_out(
    words: tuple[str, ...], indexes: tuple[Index, ...]
) -> None:
    assert DatabaseSettings(index=words).indexes == indexes


def test_an_index_on_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown column 'sttus'; did you mean status"):
        check_index(JOBS.columns, (Index(("sttus",)),))


def test_only_times_are_divided_and_what_is_absent_stays_so() -> None:
    assert faster(Told(), 10.0) == Told(wait_s=1.0)
