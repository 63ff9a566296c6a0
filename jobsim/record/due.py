"""When the rows of a watched table fall due, where they say so: a job is submitted then.

A row may be there long before a worker may take it. As a wait is from due to start, what was not
due yet has not waited.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from jobsim.joblog.faultlist import shown
from jobsim.joblog.notes import Notes

SLACK_S = 1.5
"""Columns of whole seconds, and clocks that differ a little."""

MOSTLY = 0.9
"""A column says when rows fall due if hardly any is taken before, one in ten at most."""


def falling_due(
    due_s: pd.Series[float],
    came_s: pd.Series[float],
    start_s: pd.Series[float],
    name: str,
    notes: Notes,
) -> pd.Series[float]:
    """When jobs fell due, of those that did so after their row came; missing for the others.

    Parameters
    ----------
    due_s
        What the column ``name`` says, when the row was first seen: a retry writes its own.
    came_s
        When the row came; missing where it was there before.
    start_s
        When it was taken.
    """
    later = due_s.notna() & ~(due_s <= came_s)
    early = later & (start_s < due_s - SLACK_S)
    if early.sum() > (1 - MOSTLY) * (later & start_s.notna()).sum():
        notes.add(
            f"marked: the column {shown(name)} is after its rows were taken, so that it is not when"
            " they fall due (--zone says its time zone); taken as due when they came",
            later,
        )
        return due_s.mask(due_s.notna())
    notes.add("marked: taken before it was due, and so taken as due when its row came", early)
    used = due_s.where(later & ~early)
    notes.add(
        f"guessed: due is the column {shown(name)}: a job is submitted then, not when its row came",
        used.notna(),
    )
    return used


def without_the_undue(jobs: pd.DataFrame, until_s: float, notes: Notes) -> pd.DataFrame:
    """Without the jobs that no worker could take while the table was watched.

    Parameters
    ----------
    jobs
        With ``due_s``, ``start_s`` and ``end_s``.
    until_s
        When the watch ended.
    """
    untaken = jobs["start_s"].isna()
    withdrawn: pd.Series[Any] = untaken & (jobs["end_s"] < jobs["due_s"])
    early = untaken & ~withdrawn & (jobs["due_s"] > until_s)
    notes.add("dropped: gone before it was due", withdrawn)
    notes.add("dropped: not due yet when the watch ended", early)
    return jobs[~(withdrawn | early)]
