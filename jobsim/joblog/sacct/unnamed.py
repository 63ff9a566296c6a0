"""Columns without a header, known by what their cells look like."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from jobsim.joblog.durations import seconds
from jobsim.joblog.faultlist import refuse
from jobsim.joblog.localtime import since_1970
from jobsim.joblog.sacct.fields import (
    ELAPSED,
    EXIT_CODE,
    GOOD_COMMAND,
    INSTANT,
    JOB_ID,
    NO_INSTANT,
    STATE,
    XDMOD,
)

FORMS = {
    "instant": f"{INSTANT}|{NO_INSTANT}",
    "elapsed": ELAPSED,
    "state": STATE,
    "exitcode": EXIT_CODE,
    "jobid": JOB_ID,
}
"""What every cell of a column of each sort looks like."""

MOST = 0.9
"""Of the cells: a broken few shall not hide what a column is; they are told of when it is read."""

SAMPLE = 20_000


def fields_of(cells: pd.DataFrame, file: str) -> dict[str, str]:
    """The field that each known column holds.

    Submit, eligible, start and end are told apart by their order and by the elapsed time, which
    is end less start.

    Raises
    ------
    LogError
        What the columns of instants mean is not sure.
    """
    some = cells.iloc[:: max(1, len(cells) // SAMPLE)]
    names = [str(name) for name in some]
    sorts = {sort: [name for name in names if _is(some[name], FORMS[sort])] for sort in FORMS}
    if _is_xdmod(names, sorts):
        return dict(zip(map(str, range(len(XDMOD))), XDMOD, strict=True))
    found = {sorts[sort][0]: sort for sort in ("state", "exitcode") if sorts[sort]}
    # Numbers of users and of CPUs look like those of jobs, but come again and again.
    own = [name for name in sorts["jobid"] if some[name].nunique() > len(some) / 2]
    if own:
        found[max(own, key=lambda name: some[name].nunique())] = "jobid"
    return found | _instants(some, sorts["instant"], sorts["elapsed"], file)


def _is(cells: pd.Series[str], form: str) -> bool:
    distinct = cells.value_counts()
    fits = distinct.index.str.fullmatch(form)
    empty = distinct.index.str.fullmatch(NO_INSTANT)
    return bool(distinct[fits].sum() >= MOST * len(cells) and (fits & ~empty).any())


def _is_xdmod(columns: list[str], sorts: dict[str, list[str]]) -> bool:
    expected = {"instant": "10 11 12 13", "elapsed": "14", "state": "16", "exitcode": "15"}
    return len(columns) == len(XDMOD) and all(
        set(places.split()) <= set(sorts[sort]) for sort, places in expected.items()
    )


def _instants(
    cells: pd.DataFrame, instants: list[str], elapsed: list[str], file: str
) -> dict[str, str]:
    times = {
        name: since_1970(pd.to_datetime(cells[name], format="ISO8601", errors="coerce"))
        for name in instants
    }
    pairs = [
        (start, end, long)
        for start, end in combinations(instants, 2)
        for long in elapsed
        if _agree(times[end] - times[start], seconds(cells[long])[0])
    ]
    if not pairs:
        return _by_order(times, file)
    ends = {end for _, end, _ in pairs}
    if len(ends) > 1:
        _cannot_tell(file, f"{len(ends)} columns of times could be the end")
    # Where several starts fit, jobs did not wait, and the last one to come is the start.
    start, end, long = pairs[-1]
    before = [name for name in instants if name not in (start, end)]
    if len(before) > 2 or not _ascend([times[name] for name in [*before, start]]):
        _cannot_tell(file, f"columns {_numbers(before)} of times are in no order that sacct has")
    return {start: "start", end: "end", long: "elapsed"} | dict(
        zip(before, ("submit", "eligible"), strict=False)
    )


def _by_order(times: dict[str, np.ndarray[Any, Any]], file: str) -> dict[str, str]:
    """Four instants in ascending order can only be sacct's four."""
    if not times:
        _cannot_tell(file, "no column holds times")
    if len(times) != 4 or not _ascend(list(times.values())):
        _cannot_tell(file, f"what the times in columns {_numbers(list(times))} are is not sure")
    return dict(zip(times, ("submit", "eligible", "start", "end"), strict=True))


def _agree(between_s: np.ndarray[Any, Any], elapsed_s: np.ndarray[Any, Any]) -> bool:
    """Whether these are the elapsed times; a job that was suspended elapsed less."""
    known = ~np.isnan(between_s) & ~np.isnan(elapsed_s)
    same = np.abs(between_s - elapsed_s)[known] <= 1
    return bool(known.any() and same.mean() >= MOST and (elapsed_s[known] > 0).any())


def _ascend(times: list[np.ndarray[Any, Any]]) -> bool:
    ordered = np.vstack(times)
    steps = np.diff(ordered, axis=0)
    return bool((steps[~np.isnan(steps)] >= 0).mean() >= MOST) if np.isfinite(steps).any() else True


def _numbers(columns: list[str]) -> str:
    return ", ".join(str(int(name) + 1) for name in columns) or "none"


def _cannot_tell(file: str, wrong: str) -> NoReturn:
    refuse(file, f"there is no header, and {wrong}", f"a file with one: {GOOD_COMMAND}")
