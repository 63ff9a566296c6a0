"""``UPDATE ... ORDER BY ... LIMIT``, which MariaDB and MySQL have and SQLAlchemy has half of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.base import SyntaxExtension
from sqlalchemy.sql.compiler import SQLCompiler

from jobsim.errors import DatabaseError


class OrderAndLimit(SyntaxExtension, ClauseElement):
    """Goes behind the WHERE of an UPDATE."""

    inherit_cache = False

    def __init__(
        self, order: Sequence[sa.ColumnElement[Any]], limit: sa.ColumnElement[int] | None
    ) -> None:
        self.order = order
        self.limit = limit

    def apply_to_update(self, update_stmt: sa.Update) -> None:
        update_stmt.apply_syntax_extension_point(self.append_replacing_same_type, "post_criteria")


def ordered(
    order: Sequence[sa.ColumnElement[Any]], limit: sa.ColumnElement[int] | None
) -> OrderAndLimit:
    """What to hand to ``update(...).ext(...)``."""
    return OrderAndLimit(order, limit)


@compiles(OrderAndLimit)
def _refused(element: OrderAndLimit, compiler: SQLCompiler, **kw: Any) -> str:
    raise DatabaseError(f"{compiler.dialect.name} has no UPDATE ... ORDER BY ... LIMIT")


@compiles(OrderAndLimit, "mysql")
def _mysql(element: OrderAndLimit, compiler: SQLCompiler, **kw: Any) -> str:
    columns = ", ".join(compiler.process(column, **kw) for column in element.order)
    order = f"ORDER BY {columns}" if columns else ""
    limit = "" if element.limit is None else f"LIMIT {compiler.process(element.limit, **kw)}"
    return " ".join(filter(None, (order, limit)))
