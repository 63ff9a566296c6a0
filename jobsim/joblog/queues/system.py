"""What is known of a queue system: the tables by which it is told from others, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading

Frames = Mapping[str, pd.DataFrame]
"""The rows of each part of a system that was found, its columns in lower case."""

Read = Callable[[Frames, Reading, Notes], pd.DataFrame]
"""Makes the columns of jobs (see `jobsim.joblog.queues.jobs.COLUMNS`) of a system's tables."""


class CannotTellError(Exception):
    """The tables cannot say what a job log must say; carries what is wrong, and what is right."""

    def __init__(self, wrong: str, right: str) -> None:
        super().__init__(wrong)
        self.wrong, self.right = wrong, right


@dataclass(frozen=True)
class Part:
    """One table of a system.

    Attributes
    ----------
    ends
        What its name ends with, whatever its case; what stands before is the user's own prefix or
        schema, shared by all parts. Empty: any name, and every table of the schema that fits and is
        no other part is read.
    needs
        Columns that it must have.
    uses
        Further columns that are read where it has them.
    """

    ends: str
    needs: frozenset[str]
    uses: frozenset[str] = frozenset()

    def key(self, column: str) -> str | None:
        """What we call a column; None if it is none that is read.

        Versions differ in case and underscores: ``CreatedAt``, ``createdat``, ``created_at``.
        """
        known = self.needs | self.uses
        lower = column.lower()
        plain = lower.replace("_", "")
        return lower if lower in known else plain if plain in known else None

    @staticmethod
    def of(ends: str, needs: str, uses: str = "") -> Part:
        """A part, its columns written with blanks between."""
        return Part(ends, frozenset(needs.split()), frozenset(uses.split()))

    def prefix(self, table: str, columns: Iterable[str]) -> str | None:
        """What stands before the known name of a table; None if it is no such table."""
        lower = table.lower()
        if not lower.endswith(self.ends) or not self.needs <= {*map(self.key, columns)}:
            return None
        return "".join(lower.rpartition(".")[:2]) if not self.ends else lower[: -len(self.ends)]


@dataclass(frozen=True)
class System:
    """A queue system that keeps its jobs in tables.

    Attributes
    ----------
    name
        What ``--table`` calls it.
    what
        One line for people: whose it is, and what its tables tell.
    parts
        Its tables; the first must be there, the others may.
    read
        Makes jobs of them; raises `CannotTellError`.
    view_of
        The system of which this one only is another view, read where the user asks for it.
    """

    name: str
    what: str
    parts: Mapping[str, Part]
    read: Read = field(repr=False)
    view_of: str | None = None


class Tables(Protocol):
    """A source of tables: a dump, or a database."""

    @property
    def source(self) -> str:
        """The file or the address, for messages."""

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The columns of each table."""

    def frame(
        self, table: str, columns: Iterable[str] | None = None, *, notes: Notes
    ) -> pd.DataFrame:
        """The rows of a table as text, missing where NULL."""

    def rows(self, table: str) -> int:
        """How many rows a table has."""
