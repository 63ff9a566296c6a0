"""Jobs in the hands of a worker that was gone, and how long nobody else could take them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.outcomes.arrays import Floats, Rows, among, column
from jobsim.outcomes.facts import LOST, Facts, found_once
from jobsim.outcomes.ownership import free_s
from jobsim.outcomes.work import Stops, hangs


def stuck(facts: Facts) -> dict[str, Any]:
    """The metrics of stuck jobs, in seconds; where none was stuck, they are 0."""
    found = episodes(facts)
    stuck_s = column(found, "to_s") - column(found, "from_s")
    return {
        "episodes": len(found),
        "total_s": float(stuck_s.sum()),
        "p99_s": float(np.percentile(stuck_s, 99)) if len(found) else 0.0,
        "max_s": float(stuck_s.max(initial=0.0)),
        "still_stuck": int(found["still"].sum()),
    }


@found_once
def episodes(facts: Facts) -> pd.DataFrame:
    """Each time that a job was stuck: ``job``, ``worker``, ``from_s``, ``to_s``, ``still``.

    From the death, stop or hang of the worker that owned the job (or held the lease), whether it
    had begun with it or only claimed it. To the commit that gave the job back, else to the next
    claim of it (a lock that freed itself leaves no other trace), to the expiry of the lease, or
    until a hanging worker went on, or the job was final all the same. ``still``: none of these came
    before the run ended.
    """
    row, from_s, back_s = _losses(facts)
    final_s = facts.final_s[facts.at[row]]
    to_s = np.minimum(np.minimum(free_s(facts, row), final_s), back_s)
    owned = (to_s >= from_s) & (final_s > from_s) & (from_s <= facts.end_s)
    row, from_s, to_s = _once(row[owned], from_s[owned], to_s[owned])
    return pd.DataFrame(
        {
            "job": facts.attempts["job"].to_numpy()[row],
            "worker": facts.attempts["worker"].to_numpy()[row],
            "from_s": from_s,
            "to_s": np.minimum(to_s, facts.end_s),
            "still": to_s > facts.end_s,
        }
    )


def _losses(facts: Facts) -> Stops:
    """The attempts whose worker died, stopped on an exception, or hung."""
    lost = np.flatnonzero(among(facts.outcome, LOST))
    gone_s, stops = column(facts.attempts, "gone_s")[lost], hangs(facts)
    return Stops(
        np.concatenate((lost, stops.attempt)),
        np.concatenate((gone_s, stops.from_s)),
        np.concatenate((np.full(len(lost), np.inf), stops.back_s)),
    )


def _once(row: Rows, from_s: Floats, to_s: Floats) -> tuple[Rows, Floats, Floats]:
    """A worker that hangs and then dies has lost what it held once, when it hung."""
    order = np.lexsort((from_s, to_s, row))
    row, from_s, to_s = row[order], from_s[order], to_s[order]
    first = np.append(True, (row[1:] != row[:-1]) | (to_s[1:] != to_s[:-1]))[: len(row)]
    return row[first], from_s[first], to_s[first]
