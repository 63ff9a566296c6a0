"""What is told of the trigger and of the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from jobsim.effects import Column, Index
from jobsim.errors import UsageError
from jobsim.policies.settings import OUR_WORD
from jobsim.words import nearest

As = Literal["jobs", "firings", "statements"]
"""What a row of a log is."""

FAMILIES = ("queue", "retry", "lease", "killer", "trigger", "database")


@dataclass(frozen=True)
class TriggerSettings:
    """What makes a worker look for work.

    Attributes
    ----------
    policy
        ``resident``: workers stay and look again.
    wake
        ``poll`` each ``poll_s``, or ``notify``: woken at the instant a job falls due.
    poll_s
        Time between two looks of an idle worker.
    """

    policy: Literal["resident"] = "resident"
    wake: Literal["poll", "notify"] = "poll"
    poll_s: float = 1.0


@dataclass(frozen=True)
class DatabaseSettings:
    """The server and the table as they are found.

    Attributes
    ----------
    isolation
        Of every transaction; REPEATABLE READ is the default of MariaDB and MySQL.
    index
        ``composite`` is (status, created_at, id), ``status`` that column alone, ``none`` no index;
        or columns, separated by commas.
    round_trip_s
        Network time of a statement, added to what it costs.
    """

    isolation: Literal["repeatable-read", "read-committed"] = "repeatable-read"
    index: tuple[str, ...] = ("composite",)
    round_trip_s: float = 0.0

    @property
    def indexes(self) -> tuple[Index, ...]:
        named: dict[tuple[str, ...], tuple[Index, ...]] = {
            ("none",): (),
            ("status",): (Index(("status",)),),
            ("composite",): (Index(("status", "created_at", "id")),),
        }
        return named.get(self.index, (Index(self.index),))


def faster(settings: Any, speedup: float) -> Any:
    """Settings with every time divided by ``speedup``: each field whose name ends in ``_s``."""
    times = {
        f.name: getattr(settings, f.name) / speedup
        for f in fields(settings)
        if f.name.endswith("_s") and getattr(settings, f.name) is not None
    }
    return replace(settings, **times)


def parse_assignments(texts: list[str]) -> dict[str, dict[str, Any]]:
    """``queue.batch=10`` and its like, by family.

    Raises
    ------
    UsageError
        No ``family.parameter=value``, or a family that is not known.
    """
    settings: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        family, dot, parameter = name.strip().partition(".")
        if not (equals and dot):
            word = f"; here it is called {OUR_WORD[family]}" if family in OUR_WORD else ""
            raise UsageError(f"{text!r}: write family.parameter=value, as queue.batch=10{word}")
        if family not in FAMILIES:
            raise UsageError(f"{text!r}: unknown family {family!r}; {nearest(family, [*FAMILIES])}")
        settings.setdefault(family, {})[parameter] = value.strip()
    return settings


def check_index(columns: Sequence[Column], indexes: Sequence[Index]) -> None:
    """Refuse an index on a column that the table does not have."""
    known = [column.name for column in columns]
    for index in indexes:
        for name in index.columns:
            if name not in known:
                words = ["none", "status", "composite", *known]
                raise UsageError(f"database.index: unknown column {name!r}; {nearest(name, words)}")
