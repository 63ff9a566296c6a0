"""Whose a job is: the attempt's that claimed it last, until it is given back.

A claim that tells nobody passes ownership on all the same: whoever takes the job next, owns it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from jobsim.outcomes.facts import Facts, Floats, Whole, befallen, column


def passed_on_s(facts: Facts) -> Floats:
    """When each attempt ceased to own its job: at the next claim of it, or when it was reclaimed.

    Shape (attempts,); inf where it never did. Of claims committed at the same instant the one of
    the higher worker number is the later.
    """
    claimed_s = column(facts.attempts, "claimed_s")
    return np.minimum(_next_claim_s(facts, claimed_s), _reclaimed_s(facts, claimed_s))


def _next_claim_s(facts: Facts, claimed_s: Floats) -> Floats:
    next_s = np.full(len(claimed_s), np.inf)
    several = np.flatnonzero(np.bincount(facts.at, minlength=len(facts.jobs))[facts.at] > 1)
    worker = facts.attempts["worker"].to_numpy()
    order = several[np.lexsort((worker[several], claimed_s[several], facts.at[several]))]
    this, following = order[:-1], order[1:]
    same = (facts.at[this] == facts.at[following]) & ~np.isnan(claimed_s[following])
    next_s[this[same]] = claimed_s[following[same]]
    return next_s


def _reclaimed_s(facts: Facts, claimed_s: Floats) -> Floats:
    at, t_s = befallen(facts.events, "reclaimed")
    reclaimed_s = np.full(len(claimed_s), np.inf)
    mine = np.flatnonzero(np.isin(facts.at, at) & ~np.isnan(claimed_s))
    reclaimed_s[mine] = first_since(facts.at[mine], claimed_s[mine], at, t_s, at_once=False)
    return reclaimed_s


def first_since(
    at: Whole, since_s: Floats, event_at: Whole, event_s: Floats, *, at_once: bool = True
) -> Floats:
    """The first event of the same job since each instant; inf where none followed.

    ``at_once``: whether an event at that very instant is one.
    """
    asked = pd.DataFrame({"row": np.arange(len(at)), "at": at, "since_s": since_s})
    events = pd.DataFrame({"at": event_at, "t_s": event_s}).dropna().sort_values("t_s")
    found = pd.merge_asof(
        asked.sort_values("since_s"),
        events,
        left_on="since_s",
        right_on="t_s",
        by="at",
        direction="forward",
        allow_exact_matches=at_once,
    )
    return column(found.sort_values("row").fillna({"t_s": np.inf}), "t_s")
