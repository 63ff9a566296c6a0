"""What a log of transitions says of each job: one row a job, attempts joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

SUBMIT, START, END = "submit", "start", "end"


def by_job(
    job: pd.Series[Any], t_s: pd.Series[float], sort: pd.Series[Any], order: pd.Series[float]
) -> pd.DataFrame:
    """Sum transitions up to jobs.

    Parameters
    ----------
    job
        Whose transition it is.
    t_s
        When.
    sort
        `SUBMIT`, `START` or `END`; others are passed over.
    order
        Their order in the log: many happen within one second.

    Returns
    -------
    One row a job, indexed by job: ``submit_s`` and ``start_s`` (the first of each),
    ``last_start_s``, ``end_s`` (the last end, unless a start comes after it), ``end_place`` (the
    index of that end) and ``attempts``.
    """
    events = pd.DataFrame({"job": job, "t_s": t_s, "sort": sort, "order": order})
    events = events[events["job"].notna() & events["t_s"].notna()]
    events = events.sort_values("order", kind="stable").reset_index(names="place")
    events["turn"] = np.arange(len(events))
    starts, ends = events[events["sort"] == START], events[events["sort"] == END]
    last_start, last_end = (
        each.drop_duplicates("job", keep="last").set_index("job") for each in (starts, ends)
    )
    first = events.drop_duplicates(["job", "sort"]).set_index("job")
    found = pd.DataFrame(index=pd.Index(events["job"].unique(), name="job"))
    found["submit_s"] = first.loc[first["sort"] == SUBMIT, "t_s"]
    found["start_s"] = first.loc[first["sort"] == START, "t_s"]
    found["last_start_s"] = last_start["t_s"]
    overtaken = last_end["turn"] < last_start["turn"].reindex(last_end.index)
    found[["end_s", "end_place"]] = last_end.loc[~overtaken, ["t_s", "place"]]
    found["attempts"] = starts["job"].value_counts()
    return found.fillna({"attempts": 0})
