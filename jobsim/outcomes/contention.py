"""How much the workers stood in one another's way at the database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jobsim.outcomes.arrays import (
    Floats,
    Rows,
    column,
    first_of_each,
    first_since,
    rows_by_instant,
    slices,
)
from jobsim.outcomes.facts import Facts, befallen
from jobsim.outcomes.numbers import at_percents


def contention(facts: Facts) -> dict[str, Any]:
    """The metrics of contention; what the driver did not count is None."""
    counts = facts.counts
    claims = _claims(facts) if facts.are("job").any() else dict.fromkeys(CLAIMS)
    return {
        "lock_waits": counts.get("lock_waits"),
        "lock_wait_s": counts["lock_wait_ms"] / 1000 if "lock_wait_ms" in counts else None,
        "deadlocks": counts.get("deadlocks"),
        "lock_timeouts": counts.get("lock_timeouts"),
        **claims,
        "rows_examined": counts.get("rows_examined"),
    }


CLAIMS = ("claims", "empty_claims", "starved_claims", "claim_p50_s", "claim_p99_s")
"""What only a queue has."""


def _claims(facts: Facts) -> dict[str, Any]:
    """All claims, successful and empty; a simulation skips the ``idle_looks``, which are empty."""
    claim_s = claims_s(facts)
    empty = len(facts.empty) + int(facts.counts.get("idle_looks", 0))
    told = (len(claim_s) + empty, empty, starved_claims(facts), *at_percents(claim_s, (50, 99)))
    return dict(zip(CLAIMS, told, strict=True))


def claims_s(facts: Facts) -> Floats:
    """How long each successful claim took, from its first statement to its commit.

    The attempts of one batch share their worker and its commit, and are one claim.
    """
    claimed_s = column(facts.attempts, "claimed_s")
    return np.concatenate([_claims_s(facts, rows) for rows in rows_by_instant(claimed_s)])


def _claims_s(facts: Facts, rows: Rows) -> Floats:
    """How long each successful claim among these attempts took."""
    worker, claimed_s = facts.attempts["worker"].to_numpy(), column(facts.attempts, "claimed_s")
    queued = rows[facts.are("job")[facts.at[rows]]]
    order = queued[np.lexsort((claimed_s[queued], worker[queued]))]
    another = np.append(True, np.diff(claimed_s[order]) != 0) | np.append(
        True, np.diff(worker[order]) != 0
    )
    order = order[another[: len(order)]]
    claim_s: Floats = claimed_s[order] - column(facts.attempts, "claiming_s")[order]
    known: Floats = claim_s[~np.isnan(claim_s)]
    return known


def starved_claims(facts: Facts) -> int:
    """Empty claims during the whole of which a due row lay unclaimed.

    The row was there before the empty claim began, and the claim that took it at last began after
    the empty one ended: a row that somebody else is in the middle of claiming starves nobody.
    """
    if facts.empty.empty:
        return 0
    began_s, longest_s = column(facts.empty, "from_s"), np.full(len(facts.empty), -np.inf)
    for from_s, to_s in _unclaimed(facts):
        order = np.argsort(from_s)
        latest_s = np.maximum.accumulate(np.append(-np.inf, to_s[order]))
        there = np.searchsorted(from_s[order], began_s, side="left")
        np.maximum(longest_s, latest_s[there], out=longest_s)
    return int((longest_s > column(facts.empty, "to_s")).sum())


def _unclaimed(facts: Facts) -> Iterator[tuple[Floats, Floats]]:
    """From when to when a row could be claimed and nobody did: also again, once given back."""
    claiming_s = column(facts.attempts, "claiming_s")
    submitted_s = column(facts.jobs, "submitted_s")
    there = ~np.isnan(submitted_s) & facts.are("job")
    first_s = first_of_each(facts.at, claiming_s, len(submitted_s))
    for some in slices(len(submitted_s)):
        to_s = np.minimum(first_s[some], facts.final_s[some])
        yield submitted_s[some][there[some]], to_s[there[some]]
    at, back_s = befallen(facts.events, "reclaimed")
    yield back_s, np.minimum(first_since(at, back_s, facts.at, claiming_s), facts.final_s[at])
