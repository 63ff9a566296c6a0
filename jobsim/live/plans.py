"""How the server reaches the rows of each statement, and how one would expect it to.

Which rows a claim locks is decided by the index that the optimiser takes. On a small table it may
scan where an index would serve, so each live run records the plans, taken in the midst of the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pymysql
import sqlalchemy as sa

from jobsim.effects import AllOf, Compare, Delete, Predicate, Select, Update
from jobsim.live.schema import index_name

PRIMARY = "PRIMARY"


@dataclass(frozen=True, slots=True)
class Plan:
    """What EXPLAIN says of a statement.

    ``index`` is the one that is used, None for a scan of the table; ``expected`` the one that fits
    the statement best, None where none does; ``rows`` the server's guess of the rows to examine.
    """

    t_s: float
    label: str
    sql: str
    access: str
    index: str | None
    expected: str | None
    rows: int
    extra: str

    @property
    def as_expected(self) -> bool:
        return self.index == self.expected


@dataclass
class Plans:
    """The statements of a run, each under its label, and their plans once they were asked for."""

    statements: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)

    def add(self, label: str, sql: str, expected: str | None) -> None:
        """A statement that a script sent for the first time."""
        self.statements.setdefault(label, (sql, expected))

    def explain(self, control: sa.Connection, t_s: float) -> int:
        """Ask the server for the plans that are not known yet; how many were asked for."""
        unknown = [label for label in self.statements if label not in self.plans]
        for label in unknown:
            plan = _explain(control, t_s, label, *self.statements[label])
            if plan is not None:
                self.plans[label] = plan
        return len(unknown)

    def warnings(self) -> list[str]:
        """A line for each plan that is not the expected one."""
        return [
            f"{plan.label}: the server used {plan.index or 'no index'} ({plan.access}, about "
            f"{plan.rows} rows) where the simulation supposes {plan.expected or 'a scan'}"
            for plan in self.plans.values()
            if not plan.as_expected
        ]


def expected_index(effect: Select | Update | Delete) -> str | None:
    """The index that fits a statement best: most columns bound, then in the order wanted."""
    bound = {compare.column: compare.operator for compare in _required(effect.where)}
    if bound.get("id") in ("=", "in"):
        return PRIMARY
    order = getattr(effect, "order", ())
    ranked = [
        (_depth(index.columns, bound), _ordered((*index.columns, "id"), bound, order), -at)
        for at, index in enumerate(effect.table.indexes)
    ]
    depth, _, at = max(ranked, default=(0, False, 0))
    return index_name(effect.table.indexes[-at]) if depth else None


def _required(predicate: Predicate | None) -> Iterable[Compare]:
    """The comparisons that hold of every row that is wanted."""
    if isinstance(predicate, Compare):
        yield predicate
    elif isinstance(predicate, AllOf):
        for part in predicate.parts:
            yield from _required(part)


def _depth(columns: tuple[str, ...], bound: Mapping[str, str]) -> int:
    depth = 0
    for column in columns:
        if column not in bound:
            break
        depth += 1
        if bound[column] not in ("=", "is null"):
            break
    return depth


def _ordered(columns: tuple[str, ...], bound: Mapping[str, str], order: tuple[str, ...]) -> bool:
    fixed = {name for name in columns if bound.get(name) == "="}
    offered = [name for name in columns if name not in fixed]
    wanted = [name for name in order if name not in fixed]
    return offered[: len(wanted)] == wanted


def _explain(
    control: sa.Connection, t_s: float, label: str, sql: str, expected: str | None
) -> Plan | None:
    try:
        cursor: Any = control.connection.cursor()
        cursor.execute(f"EXPLAIN {sql}")
    except pymysql.MySQLError:
        return None
    names = [column[0] for column in cursor.description]
    row = dict(zip(names, cursor.fetchone(), strict=True))
    access, extra = str(row["type"]), str(row["Extra"] or "")
    scanned = access == "ALL" or (access == "index" and row["key"] == PRIMARY)
    index = None if scanned else row["key"]
    return Plan(t_s, label, sql, access, index, expected, int(row["rows"] or 0), extra)
