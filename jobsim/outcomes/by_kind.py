"""A few of the metrics for each kind of job."""

from __future__ import annotations

from typing import Any

import numpy as np

from jobsim.outcomes.arrays import column, rows_of
from jobsim.outcomes.facts import Facts
from jobsim.outcomes.integrity import duplicates
from jobsim.outcomes.numbers import at_percents
from jobsim.outcomes.stuck import episodes
from jobsim.outcomes.waiting import waits_s


def by_kind(facts: Facts) -> dict[str, dict[str, Any]]:
    """The metrics of each kind that occurs, in the order of the kinds."""
    kinds = facts.jobs["kind"].cat.categories
    kind = facts.jobs["kind"].cat.codes.to_numpy(dtype=np.int32) + 1  # 0 is not known
    found, size = episodes(facts), len(kinds) + 1
    completed = np.bincount(kind[facts.ended_as("completed")], minlength=size)
    repeated = np.bincount(kind[facts.at[duplicates(facts)]], minlength=size)
    spans_s = column(found, "to_s") - column(found, "from_s")
    stuck_s = np.bincount(kind[rows_of(found["job"])], spans_s, minlength=size)
    wait_s = waits_s(facts)
    return {
        str(kinds[k - 1]): {
            "completed": int(completed[k]),
            "wait_p95_s": at_percents(wait_s[(kind == k) & ~np.isnan(wait_s)], (95,))[0],
            "duplicates": int(repeated[k]),
            "stuck_total_s": float(stuck_s[k]),
        }
        for k in np.unique(kind[kind > 0]).tolist()
    }
