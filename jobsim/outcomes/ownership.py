"""Whose a job is: the attempt's that claimed it last, until it is given back.

A claim that tells nobody passes ownership on all the same: whoever takes the job next, owns it. A
firing owns the lease of its kind, see :mod:`jobsim.outcomes.leases`; a statement owns nothing.
"""

from __future__ import annotations

import numpy as np

from jobsim.outcomes.arrays import Floats, column, first_since
from jobsim.outcomes.facts import Facts, befallen, found_once
from jobsim.outcomes.leases import holds


@found_once
def passed_on_s(facts: Facts) -> Floats:
    """When each attempt ceased to own its job: at the next claim of it, or when it was reclaimed.

    Shape (attempts,); inf where it never did. Of claims committed at the same instant the one of
    the higher worker number is the later.
    """
    claimed_s = column(facts.attempts, "claimed_s")
    passed_s = np.minimum(_next_claim_s(facts, claimed_s), _reclaimed_s(facts, claimed_s))
    if facts.are("firing").any():
        passed_s = np.minimum(passed_s, holds(facts).passed_on_s[facts.at])
    return passed_s


def free_s(facts: Facts) -> Floats:
    """From when somebody else could take what each attempt held; -inf where it held nothing.

    A lease frees itself when it expires.
    """
    passed_s = passed_on_s(facts)
    firing, statement = facts.are("firing")[facts.at], facts.are("statement")[facts.at]
    if firing.any():
        lease = holds(facts)
        mine_s = np.minimum(lease.expires_s, lease.given_back_s)[facts.at]
        passed_s = np.where(firing, np.minimum(passed_s, mine_s), passed_s)
    return np.where(statement, -np.inf, passed_s)


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
