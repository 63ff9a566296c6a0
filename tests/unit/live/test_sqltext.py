"""What an effect sends, for people to read."""

import pytest

from jobsim.effects import Begin, Clock, Commit, Param, Rollback, Start, Update
from jobsim.errors import DatabaseError, UsageError
from jobsim.live.speech import SPEECHES
from jobsim.live.sqltext import sql_text
from jobsim.policies.registry import find

QUEUE = find("queue", "skip-locked").build()


def test_what_comes_with_each_asking_is_shown_by_its_name() -> None:
    assert sql_text(QUEUE.lock_ready_skipping, "mariadb") == (
        "SELECT id, attempts FROM jobsim_jobs WHERE status = 'pending' "
        "ORDER BY created_at, id LIMIT :batch FOR UPDATE SKIP LOCKED"
    )


def test_or_by_its_value_where_that_is_given() -> None:
    text = sql_text(QUEUE.mark, "mariadb", {"ids": [1, 2], "worker": 3})
    assert text is not None
    assert text.endswith("claimed_by=3, attempts=(attempts + 1) WHERE id IN (1, 2)")


@pytest.mark.parametrize("dialect", list(SPEECHES))
def test_every_dialect_can_say_every_statement_of_a_queue(dialect: str) -> None:
    for name in ("submit", "lock_ready", "mark", "complete", "lock_expired", "free"):
        text = sql_text(getattr(QUEUE, name), dialect)
        assert text is not None
        assert "\n" not in text
        assert "?" not in text


def test_each_says_in_its_own_way_how_it_steps_past_a_locked_row() -> None:
    skips = {name: sql_text(QUEUE.lock_ready_skipping, name) or "" for name in SPEECHES}
    assert all("SKIP LOCKED" in skips[name] for name in ("mariadb", "mysql", "postgresql"))
    assert "WITH (UPDLOCK, ROWLOCK, READPAST)" in skips["mssql"]
    assert "LOCK" not in skips["sqlite"]


def test_a_transaction_begins_as_the_dialect_has_it() -> None:
    assert sql_text(Begin(), "mariadb") == "BEGIN"
    assert sql_text(Begin(), "sqlite") == "BEGIN IMMEDIATE"
    assert sql_text(Commit(), "mssql") == "COMMIT"
    assert sql_text(Rollback(), "mysql") == "ROLLBACK"


def test_the_databases_clock_is_asked_and_the_workers_is_not() -> None:
    assert sql_text(Clock(), "postgresql") == "SELECT statement_timestamp()"
    assert sql_text(Clock(of="worker"), "mariadb") is None


def test_an_effect_that_is_not_of_the_database_has_no_sql() -> None:
    assert sql_text(Start(), "mariadb") is None


def test_an_unknown_dialect_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean mariadb"):
        sql_text(Begin(), "mariabd")


def test_an_ordered_update_is_said_where_the_dialect_has_one() -> None:
    first = Update("x", QUEUE.jobs, (("status", "a"),), None, ("created_at", "id"), Param("n"))
    assert sql_text(first, "mariadb") == (
        "UPDATE jobsim_jobs SET status='a' ORDER BY created_at, id LIMIT :n"
    )
    with pytest.raises(DatabaseError, match=r"postgresql has no UPDATE .* LIMIT"):
        sql_text(first, "postgresql")
