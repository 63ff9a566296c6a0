"""From sessions seen in process lists to the statements that ran in them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from jobsim.joblog.localtime import Seconds
from jobsim.joblog.notes import Notes

SAME_START_S = 1.5
"""Two sightings of a statement whose starts differ by less are of one run: a list gives the time
that a statement has run in whole seconds, so that its start comes out up to a second off."""


def gaps_s(sessions: pd.DataFrame) -> Seconds | None:
    """When each list was made, counted from the first, by the sessions that are in two lists.

    A session that does in a list what it did in the one before, asleep or at work, has been at it
    for longer by the time between the lists, or for less if it began anew: so the most that any
    such session gained is that time. None if two lists have no such session.
    """
    last = int(sessions["list"].max())
    same = ["id", "command", "info"]
    known = sessions[["list", *same, "time_s"]].dropna(subset=["id", "time_s"])
    known = known.fillna({"info": ""}).drop_duplicates(["list", *same])
    before = known.assign(list=known["list"] + 1)
    both = known.merge(before, on=["list", *same], suffixes=("", "_before"))
    gained_s = both["time_s"] - both["time_s_before"]
    most_s = gained_s[gained_s >= 0].groupby(both["list"]).max().reindex(range(1, last + 1))
    if most_s.isna().any():
        return None
    return np.concatenate([[0.0], most_s.cumsum().to_numpy()])


def statements(seen: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """One row a statement, of rows that each saw one in a list.

    Parameters
    ----------
    seen
        Columns ``list`` (its number), ``at_s`` (when it was made), ``id``, ``user``, ``info``,
        ``command``, ``kind`` and ``time_s`` (how long the statement had run).

    Returns
    -------
    Columns ``start_s``, ``time_s`` (the longest seen), ``list`` and ``command`` (of the last
    sighting), ``user``, ``kind``; in the order of the starts.
    """
    key = ["id", "user", "info"]
    seen = seen.assign(user=seen["user"].fillna(""), start_s=seen["at_s"] - seen["time_s"])
    twice = seen.duplicated([*key, "list"])
    notes.add("dropped: its session is in the list twice", twice)
    seen = seen[~twice].sort_values([*key, "list"], kind="stable")
    again = (seen[key] == seen[key].shift()).all(axis="columns")
    again &= (seen["start_s"] - seen["start_s"].shift()).abs() < SAME_START_S
    notes.add("mended: seen in several lists, joined to one statement", again)
    runs = seen.groupby((~again).cumsum(), sort=False)
    found = runs.agg(
        start_s=("start_s", "first"),
        time_s=("time_s", "max"),
        list=("list", "last"),
        command=("command", "last"),
        user=("user", "first"),
        kind=("kind", "first"),
    )
    return found.sort_values("start_s", kind="stable", ignore_index=True)
