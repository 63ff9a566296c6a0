"""Effects made ready, or refused."""

from __future__ import annotations

from typing import Any

import pytest

from jobsim.effects import (
    NOW,
    Begin,
    Column,
    Delete,
    Index,
    Insert,
    Param,
    Select,
    Table,
    Update,
    column,
)
from jobsim.errors import UsageError
from jobsim.sim.database import Engine

COLUMNS = (
    Column("id", "integer"),
    Column("status", "text"),
    Column("priority", "integer"),
    Column("due", "instant"),
    Column("claimed_at", "instant", nullable=True),
)
PENDING = column("status").equals("pending")
BY_ID = column("id").equals(Param("id"))
DUE = column("due").at_most(NOW)
ORDER = ("due", "id")


def plan(effect: Any) -> Any:
    return Engine([effect.table]).compile(effect)


def table(*indexes: tuple[str, ...]) -> Table:
    return Table("jobs", COLUMNS, tuple(map(Index, indexes)))


def select(where: Any, *indexes: tuple[str, ...], order: Any = ORDER, limit: Any = 1) -> Any:
    return plan(Select("s", table(*indexes), ("id",), where, order, limit, lock=True))


def test_without_order_nothing_is_sorted() -> None:
    assert select(PENDING, order=()).sort_key is None


def test_an_update_that_moves_its_own_index_collects_its_rows_first() -> None:
    claim = Update("u", table(("status",)), (("status", "running"),), PENDING)
    count = Update("u", table(("status",)), (("priority", 1),), PENDING)
    assert plan(claim).collects
    assert not plan(count).collects


def test_a_statement_that_cannot_be_planned_is_refused() -> None:
    known, unknown = table(), Table("other", COLUMNS)
    engine = Engine([known])
    with pytest.raises(UsageError, match="no table 'other'; there are jobs"):
        engine.compile(Delete("d", unknown))
    with pytest.raises(UsageError, match="no column 'state'"):
        engine.compile(Delete("d", known, column("state").equals(1)))
    with pytest.raises(UsageError, match="no id given"):
        engine.compile(Insert("i", known, ("status",)))
    with pytest.raises(UsageError, match="Begin is not a statement"):
        engine.compile(Begin())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="first column must be the primary key"):
        Engine([Table("odd", COLUMNS[1:])])
