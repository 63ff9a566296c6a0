"""A few of the metrics for each kind of job."""

from __future__ import annotations

from typing import Any

import numpy as np

from jobsim.outcomes.facts import Facts, column
from jobsim.outcomes.integrity import duplicates
from jobsim.outcomes.numbers import at_percent
from jobsim.outcomes.stuck import episodes
from jobsim.outcomes.waiting import waits_s


def by_kind(facts: Facts) -> dict[str, dict[str, Any]]:
    """The metrics of each kind that occurs, in the order of the kinds."""
    kinds = facts.jobs["kind"].cat.categories
    code = facts.jobs["kind"].cat.codes.to_numpy(dtype=np.int64)
    completed = np.bincount(code[facts.ended_as("completed")], minlength=len(kinds))
    repeated = np.bincount(code[facts.at[duplicates(facts)]], minlength=len(kinds))
    found = episodes(facts)
    stuck_s = np.bincount(
        code[found["job"].to_numpy(dtype=np.int64) - 1],
        weights=column(found, "to_s") - column(found, "from_s"),
        minlength=len(kinds),
    )
    wait_s = waits_s(facts)
    return {
        str(kinds[k]): {
            "completed": int(completed[k]),
            "wait_p95_s": at_percent(wait_s[(code == k) & ~np.isnan(wait_s)], 95),
            "duplicates": int(repeated[k]),
            "stuck_total_s": float(stuck_s[k]),
        }
        for k in np.unique(code[code >= 0]).tolist()
    }
