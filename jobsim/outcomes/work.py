"""When attempts were at work, and when the process that did it was stopped."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from jobsim.outcomes.facts import Facts, Floats, column


class Work(NamedTuple):
    """Stretches of work: whose (the row of the attempt), from when, to when."""

    attempt: NDArray[np.int64]
    from_s: Floats
    to_s: Floats


def at_work(facts: Facts) -> Work:
    """When each attempt was at work: from its start to its end, without the pauses between.

    Where it came to no end, to the death of its worker or the end of the run.
    """
    started_s = column(facts.attempts, "started_s")
    ended_s, gone_s = column(facts.attempts, "ended_s"), column(facts.attempts, "gone_s")
    rows = np.flatnonzero(~np.isnan(started_s))
    work = Work(rows, started_s[rows], np.where(np.isnan(ended_s), gone_s, ended_s)[rows])
    stops = hangs(facts).sort_values("from_s")
    return _without(work, stops) if len(stops) else work


def _without(work: Work, stops: pd.DataFrame) -> Work:
    """The stretches cut where their process was stopped, and taken up where it went on."""
    row, from_s, to_s = work.attempt.tolist(), work.from_s.tolist(), work.to_s.tolist()
    last = {attempt: at for at, attempt in enumerate(row)}
    for attempt, hung_s, back_s in stops.itertuples(index=False):
        at = last.get(attempt)
        if at is None or not from_s[at] <= hung_s < to_s[at]:
            continue
        if back_s < to_s[at]:
            row.append(attempt)
            from_s.append(back_s)
            to_s.append(to_s[at])
            last[attempt] = len(row) - 1
        to_s[at] = hung_s
    return Work(np.array(row), np.array(from_s), np.array(to_s))


def hangs(facts: Facts) -> pd.DataFrame:
    """The attempts in the hands of a worker when it hung (``from_s``), and when it went on.

    ``attempt`` is the row; ``back_s`` is inf where it never went on, or died before. All that is in
    hand came by one claim, the worker's last one before.
    """
    events = facts.events[["t_s", "worker", "kind"]].sort_values("t_s")
    hung = events[events["kind"] == "hung"].rename(columns={"t_s": "from_s"})
    if hung.empty:
        return pd.DataFrame({"attempt": [], "from_s": [], "back_s": []})
    back = events[events["kind"] == "resumed"].rename(columns={"t_s": "back_s"})
    attempts = facts.attempts[["worker", "claimed_s", "gone_s", "outcome"]].astype({"worker": int})
    attempts = attempts[attempts["claimed_s"].notna()].rename_axis("attempt").reset_index()
    claims = attempts[["worker", "claimed_s"]].drop_duplicates().sort_values("claimed_s")
    by: dict[str, Any] = {"by": "worker"}
    hung = pd.merge_asof(hung, back, left_on="from_s", right_on="back_s", direction="forward", **by)
    hung = pd.merge_asof(hung, claims, left_on="from_s", right_on="claimed_s", **by)
    held = hung.merge(attempts, on=["worker", "claimed_s"])
    held = held[held["gone_s"] > held["from_s"]]
    died_first = held["outcome"].isin(["died", "raised"]) & (held["gone_s"] < held["back_s"])
    held["back_s"] = held["back_s"].fillna(np.inf).mask(died_first, np.inf)
    return held[["attempt", "from_s", "back_s"]]
