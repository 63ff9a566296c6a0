"""Which columns are watched, and what their words mean."""

from __future__ import annotations

import pytest

from jobsim.errors import UsageError
from jobsim.record.columns import RUNNING, WAITING, Columns, States, choose


def test_columns_are_guessed_by_name_and_the_key_tells_rows_apart() -> None:
    names = ["no", "status", "queue", "payload", "created_at", "claimed_at", "processed_at"]
    assert choose("jobs", names, ["no"], {}) == Columns(
        "no", "status", "queue", "created_at", "claimed_at", "processed_at"
    )


def test_what_the_user_says_holds_and_takes_the_column_from_the_guess() -> None:
    names = ["id", "state", "done", "created_at", "updated_at"]
    found = choose("jobs", names, [], {"outcome": "done", "submit": "updated_at"})
    assert found == Columns("id", "done", submit="updated_at")


def test_the_column_of_due_times_is_no_submission_unless_the_user_says_so() -> None:
    names = ["id", "status", "run_at", "created_at"]
    assert choose("jobs", names, ["id"], {}) == Columns(
        "id", "status", submit="created_at", due="run_at"
    )
    said = choose("jobs", names, ["id"], {"submit": "run_at"})
    assert (said.submit, said.due) == ("run_at", None)


def test_of_two_columns_that_fit_as_well_none_is_guessed() -> None:
    assert choose("jobs", ["id", "status", "state"], ["id"], {}).status is None


def test_a_column_that_may_be_large_is_not_read_unasked() -> None:
    assert choose("jobs", ["id", "handler"], ["id"], {}, too_large=["handler"]).kind is None


@pytest.mark.parametrize(
    ("names", "key", "said", "message"),
    [
        (["a", "b"], [], {}, "no primary key.*--map id=COLUMN, one of a, b"),
        (["a", "b"], ["a", "b"], {}, "key is a, b"),
        (["id", "state"], ["id"], {"status": "stats"}, "no such column; did you mean state"),
        (["id"], ["id"], {"sumbit": "id"}, "did you mean submit"),
    ],
)
def test_a_column_that_cannot_be_is_refused_with_the_right_one(
    names: list[str], key: list[str], said: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        choose("jobs", names, key, said)


def test_words_for_a_status_are_known_said_or_unknown() -> None:
    states = States(Columns("id", "status"), {"2": "failed", "on hold": "waiting"})
    words = ["pending", "Processing", "done", "ERRORED", "timed-out", "2", "On-Hold", "7"]
    found = [states.of({"id": "1", "status": word}) for word in words]
    assert found == [
        WAITING, RUNNING, "completed", "failed", "timeout", "failed", WAITING, WAITING,
    ]  # fmt: skip
    assert list(states.unknown) == ["7"]


def test_without_a_status_the_times_tell_the_state() -> None:
    states = States(Columns("id", start="reserved_at", end="done_at"), {})
    rows = [{"start": "", "end": ""}, {"start": "5", "end": ""}, {"start": "5", "end": "6"}]
    assert [states.of({"id": "1", **row}) for row in rows] == [WAITING, RUNNING, "unknown"]


def test_a_state_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean completed"):
        States(Columns("id", "status"), {"1": "complete"})
