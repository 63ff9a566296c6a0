"""Rows that are attempts at one job, joined to it."""

from __future__ import annotations

import pandas as pd

from jobsim.joblog.notes import Notes


def joined(rows: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """One row a job, of rows with a ``job_id`` of which some may be the same.

    A row that says exactly what an earlier one said is dropped. Of the others the job is submitted
    with the first, started with the first that started, and runs and ends as the last (by start,
    or else in the log's order); ``attempts`` is their number where no row says it.

    Parameters
    ----------
    rows
        Columns of the tidy table; the index is kept (of a joined job: that of its first row).
    """
    if rows["job_id"].is_unique:
        return rows
    again = rows.duplicated()
    notes.add("dropped: the same row a second time", again)
    rows = rows[~again]
    several = rows["job_id"].duplicated(keep=False)
    if not several.any():
        return rows
    notes.add("mended: attempts at one job, joined", several)
    tries = rows[several].assign(row=rows.index[several])
    tries = tries.sort_values("start_s", kind="stable", na_position="last")
    by_job = tries.groupby("job_id", sort=False)
    last = tries.drop_duplicates("job_id", keep="last").set_index("job_id")
    last["submit_s"] = by_job["submit_s"].min()
    last["start_s"] = by_job["start_s"].min()
    last["row"] = by_job["row"].min()
    last["attempts"] = by_job["attempts"].max().fillna(by_job.size())
    jobs = last.reset_index().set_index("row").rename_axis(None)[list(rows.columns)]
    return pd.concat([rows[~several], jobs.astype(rows.dtypes.to_dict())]).sort_index()
