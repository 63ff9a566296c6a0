"""Which queue systems a set of tables holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.system import Part, System, Tables
from jobsim.joblog.queues.systems import SYSTEMS


@dataclass(frozen=True)
class Found:
    """A system that was found, once for each prefix or schema that its tables have.

    Attributes
    ----------
    tables
        The tables of each part, the first part first.
    """

    system: System
    tables: Mapping[str, tuple[str, ...]]

    @property
    def table(self) -> str:
        """Its foremost table."""
        return next(iter(self.tables.values()))[0]

    @property
    def all_tables(self) -> tuple[str, ...]:
        return tuple(table for tables in self.tables.values() for table in tables)

    def answers_to(self, said: str) -> bool:
        """Whether the user means this one: by the system's name, or by one of its tables."""
        names = {table.lower() for table in self.all_tables}
        names |= {name.rpartition(".")[2] for name in names}
        return said.lower() in {self.system.name, *names}

    def frames(self, source: Tables, notes: Notes) -> dict[str, pd.DataFrame]:
        """The rows of each part, with the columns that it needs or uses, in lower case."""
        return {
            name: pd.concat(
                [_frame(source, table, self.system.parts[name], notes) for table in tables],
                ignore_index=True,
            )
            for name, tables in self.tables.items()
        }


def find(tables: Mapping[str, tuple[str, ...]]) -> list[Found]:
    """The systems whose foremost table is among these, with their columns."""
    return [found for system in SYSTEMS for found in _found(system, tables)]


def _found(system: System, tables: Mapping[str, tuple[str, ...]]) -> list[Found]:
    by_prefix: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, part in system.parts.items():
        for table, columns in tables.items():
            prefix = part.prefix(table, columns)
            parts = by_prefix.setdefault(prefix, {}) if prefix is not None else {}
            if not any(table in taken for taken in parts.values()):
                parts[name] = (*parts.get(name, ()), table)
    foremost = next(iter(system.parts))
    return [Found(system, parts) for parts in by_prefix.values() if foremost in parts]


def _frame(source: Tables, table: str, part: Part, notes: Notes) -> pd.DataFrame:
    key_of = {column: part.key(column) for column in source.tables[table]}
    columns = [column for column, key in key_of.items() if key is not None]
    frame = source.frame(table, columns, notes=notes)
    return frame.set_axis([str(key_of[column]) for column in columns], axis="columns")
