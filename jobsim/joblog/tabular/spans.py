"""The run times and waits of a foreign table, in seconds, held against its points in time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.durations import seconds
from jobsim.joblog.faultlist import shown
from jobsim.joblog.localtime import Seconds
from jobsim.joblog.reading import INSTANTS, UNITS
from jobsim.joblog.tabular.clock import UNIT_NAMES, Instants
from jobsim.joblog.tabular.numbers import as_numbers
from jobsim.joblog.tabular.source import Table


def duration(table: Table, target: str, times: Mapping[str, Instants]) -> Seconds | None:
    """The durations of a target; None where no column holds them."""
    cells = table.cells(target)
    if cells is None:
        return None
    found = _in_seconds(table, target, cells, times)
    if target == "run" and "run" not in table.reading.columns and _includes_wait(found, times):
        column = shown(table.columns["run"])
        what = f"guessed: run is end less start, as {column} goes from submission to end (--map)"
        table.notes.add(what, ~np.isnan(found))
        return None
    return found


def _in_seconds(
    table: Table, target: str, cells: pd.Series[Any], times: Mapping[str, Instants]
) -> Seconds:
    is_number = as_numbers(cells) is not None
    unit = table.unit(target) or (_unit_by_clock(seconds(cells)[0], times) if is_number else "s")
    found, wrong = seconds(cells, UNITS[target][unit])
    table.wrong(target, wrong, "no duration that jobsim knows")
    if is_number and target not in table.reading.units:
        column = shown(table.columns[target])
        what = f"guessed: numbers in {column} are {UNIT_NAMES.get(unit, unit)}"
        table.notes.add(what, ~np.isnan(found))
    return found


def _unit_by_clock(found: Seconds, times: Mapping[str, Instants]) -> str:
    """The unit of run times: as start and end say; else that of the instants, if these are ms..."""
    if {"start", "end"} <= set(times):
        between_s = times["end"].seconds - times["start"].seconds
        both = (between_s > 0) & (found > 0)
        ratio = float(np.median(found[both] / between_s[both])) if both.any() else 1.0
        for unit, per_s in (("ms", 1e3), ("us", 1e6), ("ns", 1e9), ("min", 1 / 60)):
            if 0.9 < ratio / per_s < 1.1:
                return unit
        return "s"
    units = {each.unit for each in times.values() if each.unit is not None}
    return units.pop() if len(units) == 1 else "s"


def _includes_wait(found: Seconds, times: Mapping[str, Instants]) -> bool:
    """Whether durations go from submission to end, where that can be told from start to end."""
    if not set(INSTANTS) <= set(times):
        return False
    submit_s, start_s, end_s = (times[target].seconds for target in INSTANTS)
    told = (start_s - submit_s >= 1) & ~np.isnan(end_s - found)
    to_submit, to_start = (np.abs(end_s - found - from_s)[told] for from_s in (submit_s, start_s))
    return bool(told.any()) and float((to_submit < to_start).mean()) > 0.5
