"""How a log is to be read: what the user says of it beyond its name."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import shown
from jobsim.joblog.schema import OUTCOMES
from jobsim.words import nearest

UNFINISHED = "unfinished"
"""A status of jobs that had not ended when the log was made: they have no run time."""

TARGETS = {
    "id": "names the job; rows that share it are attempts at one job",
    "kind": "what sort of work it is",
    "submit": "when it was submitted",
    "start": "when it was started",
    "end": "when it ended",
    "run": "how long it ran",
    "wait": "how long it waited from submission to start",
    "outcome": "how it ended",
    "priority": "its priority",
    "owner": "who submitted it",
    "memory": "the most memory it used",
    "attempts": "how many times it was run",
}
"""What a column of a foreign table may be mapped to."""

INSTANTS = ("submit", "start", "end")
DURATIONS = ("run", "wait")

INSTANT_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "d": 86400}
MEMORY_UNITS_MB = {"B": 2.0**-20, "kB": 2.0**-10, "MB": 1.0, "GB": 2.0**10}
UNITS = {
    **dict.fromkeys((*INSTANTS, *DURATIONS), INSTANT_UNITS),
    "memory": MEMORY_UNITS_MB,
}
"""The units that numbers of a target may have, and what one of each is in s or MB."""


@dataclass(frozen=True)
class Reading:
    """How a log is to be read.

    Attributes
    ----------
    columns
        The column of a foreign table that holds each of `TARGETS`; what is not said is guessed.
    units
        The unit of each target's numbers (`UNITS`), where they are plain numbers; of an instant
        written in its own way, its strptime format (``%d/%m/%Y %H:%M``).
    outcomes
        What the log's words for a status mean: one of `OUTCOMES`, or `UNFINISHED`.
    zone
        The IANA time zone of times that name none, and of the hours and weekdays that are shown;
        None: UTC, and a note says so.
    table, query
        Of a database: the table to read, or the SQL that gives the rows.
    assume_run_s
        A run time that the user states for jobs of which the log knows none.
    begin, span_s
        Of a schedule: from when (an instant; in `zone` if it names none) and how long it runs.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    outcomes: Mapping[str, str] = field(default_factory=dict)
    zone: str | None = None
    table: str | None = None
    query: str | None = None
    assume_run_s: float | None = None
    begin: datetime | None = None
    span_s: float | None = None

    def __post_init__(self) -> None:
        _check_words("--map", "target", self.columns, TARGETS)
        _check_words("--unit", "target with a unit", self.units, UNITS)
        for target, unit in self.units.items():
            if unit not in UNITS[target] and not (target in INSTANTS and "%" in unit):
                raise UsageError(f"--unit {target}={unit}: {nearest(unit, [*UNITS[target]])}")
        for word, outcome in self.outcomes.items():
            if outcome not in (*OUTCOMES, UNFINISHED):
                right = nearest(outcome, [*OUTCOMES, UNFINISHED])
                raise UsageError(f"--status {word}={outcome}: no outcome {shown(outcome)}; {right}")
        if self.assume_run_s is not None and not 0 <= self.assume_run_s < float("inf"):
            raise UsageError(f"--assume-run {self.assume_run_s}: seconds, 0 or more")
        _ = self.zone_info

    @cached_property
    def zone_info(self) -> ZoneInfo | None:
        """The zone, or None where none is said."""
        if self.zone is None:
            return None
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise UsageError(
                f"--zone {shown(self.zone)}: no such time zone; an IANA name, as Europe/Berlin"
            ) from None

    def said(self) -> set[str]:
        """The names of the attributes that the user has said anything of."""
        return {each.name for each in fields(self) if getattr(self, each.name) not in (None, {})}

    def over(self, under: Reading) -> Reading:
        """Both together; where both say something, this one holds."""
        merged: dict[str, Any] = {
            name: {**getattr(under, name), **getattr(self, name)}
            if name in ("columns", "units", "outcomes")
            else getattr(self, name)
            for name in self.said()
        }
        return replace(under, **merged)


OPTION_OF = {
    "columns": "--map",
    "units": "--unit",
    "outcomes": "--status",
    "zone": "--zone",
    "table": "--table",
    "query": "--query",
    "assume_run_s": "--assume-run",
    "begin": "--from",
    "span_s": "--for",
}
"""The option of the command line that says each attribute."""


def pairs(option: str, texts: Iterable[str]) -> dict[str, str]:
    """``submit=created_at,start=claimed_at`` as a dict.

    Raises
    ------
    UsageError
        A part that is no pair, or a key that comes twice.
    """
    found: dict[str, str] = {}
    for part in (part for text in texts for part in text.split(",") if part.strip()):
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or not key or not value:
            raise UsageError(f"{option} {part}: pairs as a=b,c=d")
        if key in found:
            raise UsageError(f"{option}: {key} is given twice; once is right")
        found[key] = value
    return found


def instant(option: str, text: str) -> datetime:
    """A date or an instant in ISO 8601, as ``2026-01-01`` or ``2026-01-01T08:00+01:00``.

    Raises
    ------
    UsageError
        It is none.
    """
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{option} {text}: a date or time, as 2026-01-01 or 2026-01-01T08:00"
        ) from None


def load(path: Path) -> Reading:
    """A reading kept in a mapping file (TOML).

    The file has tables ``[columns]``, ``[units]`` and ``[outcomes]``, and may have ``zone``,
    ``table``, ``query``; ``what`` and ``source`` are for people.

    Raises
    ------
    UsageError
        The file cannot be read, or says what no mapping can say.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: this is no TOML: {error}") from error
    for name in ("what", "source"):
        found.pop(name, None)
    try:
        return Reading(**{name: _kept(name, value) for name, value in found.items()})
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _kept(name: str, value: Any) -> Any:
    tables, texts = ("columns", "units", "outcomes"), ("zone", "table", "query")
    if name in tables and isinstance(value, dict):
        return table_of_texts(f"[{name}]", value)
    if name in texts and isinstance(value, str):
        return value
    if name in (*tables, *texts):
        right = "a table, as [columns]" if name in tables else "a text in quotes"
        raise UsageError(f"{name} is {type(value).__name__}; {right} is right")
    raise UsageError(f"unknown key {shown(name)}; {nearest(name, [*tables, *texts, 'what'])}")


def table_of_texts(name: str, value: dict[str, Any]) -> dict[str, str]:
    """A TOML table as it is, if it holds nothing but texts; else a UsageError."""
    if all(isinstance(cell, str) for cell in value.values()):
        return value
    raise UsageError(f"{name} holds names of columns and words; texts in quotes are right")


def _check_words(
    option: str, what: str, given: Mapping[str, str], known: Mapping[str, Any]
) -> None:
    for name in given:
        if name not in known:
            raise UsageError(
                f"{option} {name}=...: no {what} {shown(name)}; {nearest(name, [*known])}"
            )


PLAIN = Reading()
"""Nothing said."""
