"""Whose a job is: the attempt's that claimed it last, until it is given back.

A claim that tells nobody passes ownership on all the same: whoever takes the job next, owns it. A
firing owns the lease of its kind, see :mod:`jobsim.outcomes.leases`; a statement owns nothing.
"""

from __future__ import annotations

import numpy as np

from jobsim.outcomes.arrays import Floats, Rows, column, first_since, repeated, rows_by
from jobsim.outcomes.facts import Facts, befallen, found_once
from jobsim.outcomes.leases import holds


@found_once
def passed_on_s(facts: Facts) -> Floats:
    """When each attempt ceased to own its job: at the next claim of it, or when it was reclaimed.

    Shape (attempts,); inf where it never did. Of claims committed at the same instant the one of
    the higher worker number is the later.
    """
    claimed_s = column(facts.attempts, "claimed_s")
    passed_s = np.full(len(claimed_s), np.inf)
    for _, rows in rows_by(facts.at, len(facts.jobs)):
        _pass_on_to_next(facts, rows, claimed_s, passed_s)
    _pass_on_reclaimed(facts, claimed_s, passed_s)
    if facts.are("firing").any():
        passed_s = np.minimum(passed_s, holds(facts).passed_on_s[facts.at])
    return passed_s


def free_s(facts: Facts, rows: Rows) -> Floats:
    """From when somebody else could take what these attempts held; -inf where one held nothing.

    A lease frees itself when it expires.
    """
    passed_s, at = passed_on_s(facts)[rows], facts.at[rows]
    firing, statement = facts.are("firing")[at], facts.are("statement")[at]
    if firing.any():
        lease = holds(facts)
        mine_s = np.minimum(lease.expires_s, lease.given_back_s)[at]
        passed_s = np.where(firing, np.minimum(passed_s, mine_s), passed_s)
    return np.where(statement, -np.inf, passed_s)


def _pass_on_to_next(facts: Facts, rows: Rows, claimed_s: Floats, passed_s: Floats) -> None:
    """Ownership passes to the next claim; ``rows`` are all the attempts of some jobs."""
    at = facts.at[rows]
    several = rows[repeated(at)]
    worker = facts.attempts["worker"].to_numpy()
    order = several[np.lexsort((worker[several], claimed_s[several], facts.at[several]))]
    this, following = order[:-1], order[1:]
    same = (facts.at[this] == facts.at[following]) & ~np.isnan(claimed_s[following])
    passed_s[this[same]] = claimed_s[following[same]]


def _pass_on_reclaimed(facts: Facts, claimed_s: Floats, passed_s: Floats) -> None:
    """Ownership ends where a job is given back before its next claim."""
    at, t_s = befallen(facts.events, "reclaimed")
    mine = np.flatnonzero(np.isin(facts.at, at) & ~np.isnan(claimed_s))
    back_s = first_since(facts.at[mine], claimed_s[mine], at, t_s, at_once=False)
    passed_s[mine] = np.minimum(passed_s[mine], back_s)
