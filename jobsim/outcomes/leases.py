"""Who held the lease of its kind, and until when.

A lease is taken and renewed by a ``held`` event, which says for how long, and given back by a
``released`` one. Where the lease is not fenced, whoever gives back frees the holder's, whosever it
was; where it is, one who does not hold it is refused, and frees nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jobsim.events import CODE
from jobsim.outcomes.arrays import Floats, Whole, column, first_of_each, first_since
from jobsim.outcomes.facts import Facts, befallen, found_once, of_kinds


@dataclass(frozen=True, eq=False)
class Holds:
    """One value a job, shape (jobs,); inf where it did not come to that.

    Attributes
    ----------
    held_s
        When it was first granted the lease.
    expires_s
        Until when its last renewal holds; -inf where it never held one.
    given_back_s
        When it gave the lease back by itself.
    passed_on_s
        When somebody else was granted the lease, or gave it back in its place.
    """

    held_s: Floats
    expires_s: Floats
    given_back_s: Floats
    passed_on_s: Floats


@found_once
def holds(facts: Facts) -> Holds:
    """What each firing held."""
    n = len(facts.jobs)
    kind = np.asarray(facts.jobs["kind"].cat.codes, dtype=np.int32)
    at, t_s = befallen(facts.events, "held")
    for_s = column(facts.events, "value")[of_kinds(facts.events, "held")]
    held_s = first_of_each(at, t_s, n)
    expires_s = np.full(n, -np.inf)
    np.maximum.at(expires_s, at, t_s + for_s)
    back_at, back_s = _gifts(facts)
    given_back_s = first_of_each(back_at, back_s, n)
    passed_s = np.full(n, np.inf)
    mine = np.flatnonzero(np.isfinite(held_s)).astype(np.int32)
    freed_s = first_since(kind[mine], held_s[mine], kind[back_at], back_s)
    passed_s[mine] = np.where(freed_s == given_back_s[mine], np.inf, freed_s)
    return Holds(
        held_s, expires_s, given_back_s, np.minimum(passed_s, _taken_s(kind, held_s, mine))
    )


def _gifts(facts: Facts) -> tuple[Whole, Floats]:
    """The giving back that freed a lease, by whom and when."""
    at, t_s = befallen(facts.events, "released")
    refused = np.isin(at, facts.at[facts.outcome == CODE["refused"]])
    return at[~refused], t_s[~refused]


def _taken_s(kind: Whole, held_s: Floats, holders: Whole) -> Floats:
    """When the next firing of the same kind was granted the lease."""
    taken_s = np.full(len(held_s), np.inf)
    order = holders[np.lexsort((held_s[holders], kind[holders]))]
    this, following = order[:-1], order[1:]
    same = kind[this] == kind[following]
    taken_s[this[same]] = held_s[following[same]]
    return taken_s
