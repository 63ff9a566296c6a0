"""Predicates and values over rows, against what SQL says."""

from __future__ import annotations

from typing import Any

import pytest

from jobsim.effects import NOW, Ago, Column, More, Param, Table, all_of, any_of, column
from jobsim.errors import UsageError
from jobsim.sim.database.expression import Compiler

TABLE = Table(
    "jobs",
    (
        Column("id", "integer"),
        Column("status", "text"),
        Column("claimed_at", "instant", nullable=True),
        Column("attempts", "integer", nullable=True),
    ),
)
ROW = (1, "pending", 10.0, 2)
NULLS = (2, "pending", None, None)
STATUS, CLAIMED, ATTEMPTS = column("status"), column("claimed_at"), column("attempts")


@pytest.mark.parametrize(
    ("predicate", "args", "row", "fits"),
    [
        (STATUS.equals("pending"), (), ROW, True),
        (STATUS.equals("running"), (), ROW, False),
        (STATUS.equals(Param("s")), ("pending",), ROW, True),
        (STATUS.equals(Param("s")), (None,), ROW, False),
        (STATUS.less_than("q"), (), ROW, True),
        (column("id").is_in(Param("ids")), ([3, 1],), ROW, True),
        (column("id").is_in(Param("ids")), ([],), ROW, False),
        (CLAIMED.at_most(NOW), (), ROW, True),
        (CLAIMED.at_most(Ago(90.0)), (), ROW, True),
        (CLAIMED.at_most(Ago(90.5)), (), ROW, False),
        (CLAIMED.less_than(Ago(90.0)), (), ROW, False),
        (CLAIMED.more_than(Ago(90.5)), (), ROW, True),
        (CLAIMED.at_most(NOW), (), NULLS, False),
        (CLAIMED.at_least(NOW), (), NULLS, False),
        (CLAIMED.equals(None), (), NULLS, False),
        (CLAIMED.is_null(), (), NULLS, True),
        (CLAIMED.is_null(), (), ROW, False),
        (ATTEMPTS.equals(More("id")), (), ROW, True),
        (ATTEMPTS.equals(More("attempts")), (), NULLS, False),
        (all_of(STATUS.equals("pending"), CLAIMED.is_null()), (), NULLS, True),
        (all_of(STATUS.equals("pending"), CLAIMED.is_null()), (), ROW, False),
        (any_of(STATUS.equals("running"), CLAIMED.is_null()), (), NULLS, True),
        (any_of(), (), ROW, False),
        (all_of(), (), ROW, True),
        (None, (), ROW, True),
    ],
)
def test_which_rows_fit(predicate: Any, args: Any, row: Any, fits: bool) -> None:
    test = Compiler(TABLE, ("s",) if len(args) == 1 else ()).test
    if predicate is not None and "ids" in repr(predicate):
        test = Compiler(TABLE, ("ids",)).test
    assert bool(test(predicate)(row, args, 100.0)) is fits


def test_assignments_are_made_from_left_to_right() -> None:
    change = Compiler(TABLE, ("a",)).change(
        (("attempts", Param("a")), ("attempts", More("attempts", 5)), ("claimed_at", Ago(1.0)))
    )
    assert change(ROW, (10,), 100.0) == (1, "pending", 99.0, 15)


def test_null_and_a_number_is_null() -> None:
    change = Compiler(TABLE, ()).change((("attempts", More("attempts")),))
    assert change(NULLS, (), 0.0) == NULLS


def test_an_unknown_column_is_named_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no column 'state'; it has id, status"):
        Compiler(TABLE, ()).test(column("state").equals("x"))
