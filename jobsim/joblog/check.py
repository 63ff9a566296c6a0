"""Holding a table against the schema, and saying what is wrong in the words of its file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from jobsim.joblog.faultlist import FaultList, shown
from jobsim.joblog.schema import BY_NAME, schema
from jobsim.words import nearest

NEEDED = ("submit_s", "run_s")
"""A log file must have these columns; any other column of the tidy table may be left out."""

WORDS = {
    "not_nullable": "is missing",
    "field_uniqueness": "names two jobs",
    "dtype('float64')": "is not a number",
    "dtype('category')": "is not text",
}


def check(
    jobs: pd.DataFrame, faults: FaultList, line_of: Callable[[int], int] | None = None
) -> pd.DataFrame:
    """The table itself, if it is a right one.

    Parameters
    ----------
    faults
        Of the file it comes from, those already found while reading.
    line_of
        Gives the line of a row in that file; without it, faults name the row.

    Raises
    ------
    LogError
        Lists every cell that is wrong, up to a limit.
    """
    from pandera.errors import SchemaErrors

    try:
        jobs = schema().validate(jobs, lazy=True)
    except SchemaErrors as errors:
        cases = errors.failure_cases.dropna(subset="column")
        # A check over the whole table reports the row once for each column.
        whole = cases["schema_context"] == "DataFrameSchema"
        cases = cases[~whole | (cases["column"] == "start_s")].sort_values("index", kind="stable")
        for case in cases.itertuples():
            _add(faults, case, line_of)
    faults.raise_if_any()
    return jobs


def _add(faults: FaultList, case: Any, line_of: Callable[[int], int] | None) -> None:
    column = BY_NAME[case.column]
    what = WORDS.get(case.check, case.check)
    cell = "" if case.check == "not_nullable" else f"{shown(str(case.failure_case))} "
    if pd.isna(case.index):
        faults.add(f"{cell}{what}", column.right, column=column.name)
    elif line_of is None:
        faults.add(f"row {case.index + 1}: {cell}{what}", column.right, column=column.name)
    else:
        faults.add(f"{cell}{what}", column.right, line_of(int(case.index)), column.name)


def check_names(names: list[str], file: str, line: int | None) -> None:
    """Raise a LogError unless these are columns of the tidy table, among them the needed ones."""
    faults = FaultList(file)
    for name in names:
        if name not in BY_NAME:
            faults.add(f"unknown column {shown(name)}", nearest(name, list(BY_NAME)), line)
        elif names.count(name) > 1:
            faults.add(f"column {name} comes {names.count(name)} times", "once", line)
    for name in NEEDED:
        if name not in names:
            right = f"columns {' and '.join(NEEDED)}, and any of {', '.join(BY_NAME)}"
            faults.add(f"there is no column {name}", right, line)
    faults.raise_if_any()
