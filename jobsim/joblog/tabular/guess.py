"""Guessing which column of a table holds what; what is ambiguous is said, not invented."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import DURATIONS, INSTANTS, PLAIN, TARGETS, Reading
from jobsim.joblog.statuses import outcomes
from jobsim.joblog.tabular.clock import instants
from jobsim.joblog.tabular.missing import blanked
from jobsim.joblog.tabular.names import rank
from jobsim.joblog.tabular.numbers import as_numbers

SAMPLE_ROWS = 1000
"""A guess looks at so many rows, spread over the table."""

MANY_WORDS = 40
"""A column of statuses has fewer different words."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What was guessed of a table.

    Attributes
    ----------
    columns
        The column of each target that was found.
    others
        Of targets with a second choice: the columns that would be next.
    ambiguous
        Of targets left out: the columns of which each could hold it.
    strange
        The column that is named like one of outcomes and has no word that is known, with one.
    """

    columns: Mapping[str, str]
    others: Mapping[str, tuple[str, ...]]
    ambiguous: Mapping[str, tuple[str, ...]]
    strange: Mapping[str, str] = field(default_factory=dict)


def guess(frame: pd.DataFrame, reading: Reading) -> Guess:
    """Guess the targets that are not said, from the columns that nothing is said of."""
    said = reading.columns
    some = frame.iloc[:: max(1, len(frame) // SAMPLE_ROWS)]
    free = [str(name) for name in frame.columns if name not in said.values()]
    columns: dict[str, str] = {}
    others: dict[str, tuple[str, ...]] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    calendar = _has_calendar(some)
    for target in TARGETS:
        if target in said:
            continue
        fitting = [
            name
            for name in _named(target, free)
            if fits(target, some[name], name, reading)
            and not (calendar and target in INSTANTS and not _are_instants(some[name], True))
        ]
        best = [name for name in fitting if rank(target, name) == rank(target, fitting[0])]
        distinct = _distinct(some, best)
        if len(distinct) == 1:
            columns[target] = best[0]
            others[target] = tuple(name for name in fitting if name not in best)
            free.remove(best[0])
        elif distinct:
            ambiguous[target] = tuple(distinct)
    known = said.keys() | columns.keys() | ambiguous.keys()
    strange = {} if "outcome" in known else _strange(some, _named("outcome", free))
    return Guess(columns, {t: o for t, o in others.items() if o}, ambiguous, strange)


def times_in(frame: pd.DataFrame) -> list[str]:
    """The columns that hold points in time, whatever they are called."""
    some = frame.iloc[:: max(1, len(frame) // SAMPLE_ROWS)]
    return [str(name) for name in frame.columns if _are_instants(some[name], absolute=True)]


def _has_calendar(frame: pd.DataFrame) -> bool:
    """Whether starts or ends are points in time, so that a small number is none."""
    return any(
        rank(target, str(name)) == 0 and _are_instants(frame[name], absolute=True)
        for target in ("start", "end")
        for name in frame.columns
    )


def _strange(frame: pd.DataFrame, names: list[str]) -> dict[str, str]:
    """The first of these columns with few words, and its most frequent word."""
    for name in names:
        words = blanked(frame[name]).dropna()
        if 0 < words.nunique() <= MANY_WORDS:
            return {name: str(words.mode().iloc[0])}
    return {}


def _named(target: str, names: list[str]) -> list[str]:
    ranked = [(place, name) for name in names if (place := rank(target, name)) is not None]
    return [name for _, name in sorted(ranked, key=lambda pair: pair[0])]


def fits(target: str, cells: pd.Series[Any], name: str, reading: Reading = PLAIN) -> bool:
    """Whether these cells can be what the target holds; a column of nothing cannot."""
    if blanked(cells).isna().all():
        return False
    if target in INSTANTS:
        return _are_instants(cells, absolute=False)
    if target in DURATIONS:
        return _are_durations(cells)
    if target == "outcome":
        return _are_statuses(cells, name, reading)
    if target in ("priority", "attempts", "memory"):
        return as_numbers(blanked(cells)) is not None
    if target == "id":
        return bool(blanked(cells).notna().all()) and (cells.is_unique or rank("id", name) == 0)
    return _are_words(cells) and not (target == "kind" and _are_amounts(cells, name))


def _are_instants(cells: pd.Series[Any], absolute: bool) -> bool:
    if cells.dtype.kind == "b":
        return False
    found = instants(cells, PLAIN, Notes())
    known = ~np.isnan(found.seconds)
    right = found.absolute is not None and found.wrong.sum() <= known.sum()
    return bool(right and (found.absolute or not absolute))


def _are_durations(cells: pd.Series[Any]) -> bool:
    from jobsim.joblog.durations import seconds

    if cells.dtype.kind in "bM":
        return False
    found, wrong = seconds(cells)
    return bool(wrong.sum() <= (~np.isnan(found)).sum() and not np.isnan(found).all())


def _are_statuses(cells: pd.Series[Any], name: str, reading: Reading) -> bool:
    """Whether these are words for how jobs end; one that is known is enough."""
    words = blanked(cells)
    if words.nunique() > MANY_WORDS:
        return False
    found, unfinished = outcomes(words, reading.outcomes, Notes(), name)
    return bool(((found != "unknown") | unfinished).any())


def _are_words(cells: pd.Series[Any]) -> bool:
    """Whether cells are names: few enough that they come again, and no points in time."""
    words = blanked(cells)
    known = words.dropna()
    return cells.dtype.kind not in "fMmb" and known.nunique() <= max(20, len(known) / 2)


def _are_amounts(cells: pd.Series[Any], name: str) -> bool:
    """Whether cells are numbers, and not a few that stand for kinds."""
    known = blanked(cells)
    is_doubtful = known.nunique() > MANY_WORDS or (rank("kind", name) or 0) > 1
    return is_doubtful and as_numbers(known) is not None


def _distinct(frame: pd.DataFrame, names: list[str]) -> list[str]:
    """The columns without those that say the same as an earlier one."""
    kept: list[str] = []
    for name in names:
        if not any(blanked(frame[name]).equals(blanked(frame[other])) for other in kept):
            kept.append(name)
    return kept
