"""A policy's statements as SQL that is ready to send."""

from datetime import datetime

import pytest

from jobsim.effects import (
    NOW,
    Ago,
    Column,
    Delete,
    Insert,
    More,
    Param,
    Select,
    Table,
    Update,
    all_of,
    any_of,
    column,
)
from jobsim.live.speech import MARIADB
from jobsim.live.statements import binder, insert_sql, to_datetime, to_seconds

ORIGIN = datetime(2026, 3, 1, 12, 0, 0)
T = Table(
    "t",
    (Column("id", "integer"), Column("s", "text"), Column("n", "integer"), Column("at", "instant")),
)


def sent(effect: Select | Update | Delete, *arguments: object) -> tuple[str, list[object]]:
    """What is sent for these arguments, in one line."""
    sql, values = binder(effect, MARIADB, ORIGIN)(arguments)
    return " ".join(sql.split()), list(values)


def test_a_select_has_its_columns_its_order_and_its_limit() -> None:
    effect = Select("x", T, ("id", "n"), column("s").equals("new"), ("at", "id"), Param("k"))
    assert sent(effect, 3) == (
        "SELECT id, n FROM t WHERE s = 'new' ORDER BY at, id LIMIT %s",
        [3],
    )


@pytest.mark.parametrize(
    ("on_locked", "says"),
    [("wait", "FOR UPDATE"), ("skip", "FOR UPDATE SKIP LOCKED"), ("fail", "FOR UPDATE NOWAIT")],
)
def test_a_locking_read_says_what_to_do_at_a_locked_row(on_locked: str, says: str) -> None:
    effect = Select("x", T, ("id",), lock=True, on_locked=on_locked)  # type: ignore[arg-type]
    assert sent(effect)[0] == f"SELECT id FROM t {says}"


def test_values_are_in_the_order_of_the_placeholders_whatever_that_of_the_arguments() -> None:
    where = all_of(column("id").is_in(Param("ids")), column("n").equals(Param("me")))
    effect = Update("x", T, (("s", "busy"), ("n", Param("me")), ("at", NOW)), where)
    assert effect.params == ("me", "ids")
    assert sent(effect, 7, [1, 2, 3]) == (
        "UPDATE t SET s='busy', n=%s, at=NOW(6) WHERE id IN (%s, %s, %s) AND n = %s",
        [7, 1, 2, 3, 7],
    )


def test_a_list_may_have_another_length_each_time() -> None:
    bind = binder(Delete("x", T, column("id").is_in(Param("ids"))), MARIADB, ORIGIN)
    for ids in ([4], [4, 5], [6]):
        sql, values = bind((ids,))
        assert sql.count("%s") == len(ids)
        assert list(values) == ids


def test_a_column_is_raised_by_a_number() -> None:
    assert sent(Update("x", T, (("n", More("n", 2)),)))[0] == "UPDATE t SET n=(n + 2)"


def test_a_column_is_emptied() -> None:
    assert sent(Update("x", T, (("at", None),)))[0] == "UPDATE t SET at=NULL"


@pytest.mark.parametrize(
    ("seconds_s", "says"), [(1800.0, "1800"), (0.25, "0.25"), (1e-6, "0.000001"), (0.0, "0")]
)
def test_an_age_may_have_a_fraction_of_a_second(seconds_s: float, says: str) -> None:
    effect = Select("x", T, ("id",), column("at").at_most(Ago(seconds_s)))
    assert sent(effect)[0] == f"SELECT id FROM t WHERE at <= NOW(6) - INTERVAL {says} SECOND"


def test_alternatives_and_nulls() -> None:
    effect = Select(
        "x", T, ("id",), all_of(any_of(column("s").equals("a"), column("at").is_null()))
    )
    assert sent(effect)[0] == "SELECT id FROM t WHERE s = 'a' OR at IS NULL"


def test_an_instant_is_sent_as_the_servers_clock_has_it() -> None:
    effect = Update("x", T, (("at", Param("t_s")),), column("at").more_than(Param("since_s")))
    assert sent(effect, 1.5, 0.000001)[1] == [
        datetime(2026, 3, 1, 12, 0, 1, 500000),
        datetime(2026, 3, 1, 12, 0, 0, 1),
    ]


def test_a_constant_with_a_quote_or_a_percent_sign_stays_what_it_is() -> None:
    sql, values = sent(Select("x", T, ("id",), column("s").equals("50% 'off'")))
    assert sql % tuple(values) == "SELECT id FROM t WHERE s = '50% ''off'''"


def test_an_insert_has_a_placeholder_a_column_and_its_constants() -> None:
    effect = Insert("x", T, ("id", "s"), constants=(("at", NOW), ("n", 0)))
    assert insert_sql(effect, MARIADB) == "INSERT INTO t (id, s, n, at) VALUES (%s, %s, 0, NOW(6))"


def test_instants_survive_the_way_there_and_back() -> None:
    for t_s in (0.0, 1e-6, 86400.123456):
        assert to_seconds(ORIGIN, to_datetime(ORIGIN, t_s)) == pytest.approx(t_s, abs=1e-9)
    assert to_datetime(ORIGIN, None) is None
    assert to_seconds(ORIGIN, None) is None
