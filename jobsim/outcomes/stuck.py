"""Jobs in the hands of a worker that was gone, and how long nobody else could take them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.outcomes.facts import LOST, Facts, column
from jobsim.outcomes.ownership import free_s
from jobsim.outcomes.work import hangs

EPISODE_COLUMNS = {"job": int, "worker": int, "from_s": float, "to_s": float, "still": bool}


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


def episodes(facts: Facts) -> pd.DataFrame:
    """Each time that a job was stuck: ``job``, ``worker``, ``from_s``, ``to_s``, ``still``.

    From the death, stop or hang of the worker that owned the job (or held the lease), whether it
    had begun with it or only claimed it. To the commit that gave the job back, else to the next
    claim of it (a lock that freed itself leaves no other trace), to the expiry of the lease, or
    until a hanging worker went on, or the job was final all the same. ``still``: none of these came
    before the run ended.
    """
    losses = pd.concat([_deaths(facts), hangs(facts)], ignore_index=True)
    if losses.empty:
        return pd.DataFrame(columns=list(EPISODE_COLUMNS)).astype(EPISODE_COLUMNS)
    row = losses["attempt"].to_numpy(dtype=np.intp)
    final_s = facts.final_s[facts.at[row]]
    from_s = column(losses, "from_s")
    to_s = np.minimum(np.minimum(free_s(facts)[row], final_s), column(losses, "back_s"))
    owned = (to_s >= from_s) & (final_s > from_s) & (from_s <= facts.end_s)
    losses = losses.assign(to_s=to_s)[owned]
    # a worker that hangs and then dies has lost its jobs once
    once = losses.groupby(["attempt", "to_s"], as_index=False)["from_s"].min()
    attempts = facts.attempts.iloc[once["attempt"].to_numpy(dtype=np.intp)]
    ends_s = column(once, "to_s")
    return pd.DataFrame(
        {
            "job": attempts["job"].to_numpy(),
            "worker": attempts["worker"].to_numpy(),
            "from_s": column(once, "from_s"),
            "to_s": np.minimum(ends_s, facts.end_s),
            "still": ends_s > facts.end_s,
        }
    )


def _deaths(facts: Facts) -> pd.DataFrame:
    """The attempts whose worker died, or stopped on an exception."""
    lost = np.flatnonzero(np.isin(facts.outcome, LOST))
    gone_s = column(facts.attempts, "gone_s")[lost]
    return pd.DataFrame({"attempt": lost, "from_s": gone_s, "back_s": np.inf})
