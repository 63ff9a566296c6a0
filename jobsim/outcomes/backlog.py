"""The jobs that were due and that nobody was at work on, and how old the oldest of them was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.outcomes.arrays import Flags, Floats, Whole, column, first_of_each, first_since
from jobsim.outcomes.facts import Facts, befallen
from jobsim.outcomes.numbers import ratio
from jobsim.outcomes.spans import Levels, Spans, first_covering, joined, levels


def backlog(facts: Facts, own: Flags) -> dict[str, Any]:
    """The metrics of the backlog of these jobs; ages in seconds."""
    visible_s = _visible_age_s(facts)  # first, for it takes much memory as well
    spans = waiting_spans(facts).of(own)
    steps = levels(spans.from_s, spans.to_s)
    return {
        "mean": ratio(float(steps.areas.sum()), facts.end_s),
        "max": int(steps.level.max(initial=0)),
        "oldest_age_p99_s": _age_at_share(facts, spans, steps, 0.99),
        "oldest_age_max_s": _greatest_age_s(facts, spans),
        "visible_oldest_age_max_s": visible_s,
        "drained_at_s": _drained_at_s(facts, spans),
    }


def waiting_spans(facts: Facts) -> Spans:
    """When each job was in the backlog: due, not final, and without a live attempt.

    A row that was claimed ahead and not started is in it, and so is one whose worker is gone; a
    dead letter is final, and is not.
    """
    at, start_s, latest_s = _by_start(facts)
    free_s = np.roll(latest_s, 1)
    first = np.append(True, at[1:] != at[:-1])[: len(at)]
    free_s[first] = facts.due_s[at[first]]
    before = Spans(at, free_s, np.minimum(start_s, facts.final_s[at])).within(facts.end_s)
    left_s = facts.due_s.copy()
    left_s[at] = latest_s  # the last attempt's stays
    return joined(before, Spans(every(facts), left_s, facts.final_s).within(facts.end_s))


def visible_spans(facts: Facts) -> Spans:
    """When each job's row had the status ``pending`` for whoever reads what is committed.

    From its insertion to the first claim, and from each time it was given back to the next claim.
    Where a claim does not show, until the job is final: work in hand looks pending as well.
    """
    submitted_s = column(facts.jobs, "submitted_s")
    if not facts.claim_shows:
        return Spans(every(facts), submitted_s, facts.final_s).within(facts.end_s)
    claimed_s = column(facts.attempts, "claimed_s")
    first_s = first_of_each(facts.at, claimed_s, len(facts.jobs))
    first = Spans(every(facts), submitted_s, first_s)
    at, back_s = befallen(facts.events, "reclaimed")
    again = Spans(at, back_s, first_since(at, back_s, facts.at, claimed_s))
    both = joined(first, again)
    return both.within(np.minimum(facts.final_s[both.at], facts.end_s))


def curve(facts: Facts, own: Flags) -> Levels:
    """The number of these jobs in the backlog over time."""
    spans = waiting_spans(facts).of(own)
    return levels(spans.from_s, spans.to_s)


def every(facts: Facts) -> Whole:
    """The rows of all jobs."""
    return np.arange(len(facts.jobs), dtype=np.int32)


def running_max(at: Whole, values: Floats) -> Floats:
    """The greatest value so far of each job."""
    return np.asarray(pd.Series(values).groupby(at, sort=False).cummax(), dtype=np.float64)


def _by_start(facts: Facts) -> tuple[Whole, Floats, Floats]:
    """The started attempts by job and start: job, start, until when one so far was live."""
    started_s = column(facts.attempts, "started_s")
    started = np.flatnonzero(~np.isnan(started_s))
    order = started[np.lexsort((started_s[started], facts.at[started]))]
    at = facts.at[order]
    return at, started_s[order], running_max(at, column(facts.attempts, "gone_s")[order])


def _visible_age_s(facts: Facts) -> float | None:
    """The greatest age in a query for pending rows; None where there is no queue."""
    queued = facts.are("job")
    return _greatest_age_s(facts, visible_spans(facts).of(queued)) if queued.any() else None


def _greatest_age_s(facts: Facts, spans: Spans) -> float:
    """The greatest age that a job reached in these spans."""
    return float((spans.to_s - facts.due_s[spans.at]).max(initial=0.0))


def _age_at_share(facts: Facts, spans: Spans, steps: Levels, share: float) -> float | None:
    """The age that the oldest job of the backlog did not exceed for this share of the time.

    While one job is the oldest, its age grows as the time does. So the time spent at each age is
    how many of these stretches, laid on the axis of ages, cover it.
    """
    if facts.end_s <= 0:
        return None
    from_s, to_s = _ages_of_oldest(facts, spans, steps)
    allowed_s = (1 - share) * facts.end_s
    if (to_s - from_s).sum() <= allowed_s:
        return 0.0
    near_s = to_s.max()  # an age exceeded for longer than allowed: what is below needs no counting
    while np.maximum(to_s - np.maximum(from_s, near_s), 0.0).sum() <= allowed_s:
        near_s /= 2
    above = to_s > near_s
    ages = levels(np.maximum(from_s[above], near_s), to_s[above])
    longer_s = np.append(np.cumsum(ages.areas[::-1])[::-1], 0.0)
    last = np.flatnonzero(longer_s > allowed_s)[-1]
    return float(ages.t_s[last] + (longer_s[last] - allowed_s) / ages.level[last])


def _ages_of_oldest(facts: Facts, spans: Spans, steps: Levels) -> tuple[Floats, Floats]:
    """From what age to what age each job grew while it was the oldest."""
    oldest = first_covering(spans, steps.t_s)
    nobody = np.int32(-1)
    changes = np.flatnonzero(np.diff(oldest, prepend=nobody, append=nobody))
    job, from_s = oldest[changes[:-1]], steps.t_s[changes[:-1]]
    to_s = steps.t_s[changes[1:]]
    some = job >= 0
    due_s = facts.due_s[job[some]]
    return from_s[some] - due_s, to_s[some] - due_s


def _drained_at_s(facts: Facts, spans: Spans) -> float | None:
    """Since when the backlog was empty to the end; None where it was not empty then."""
    if np.isinf(facts.final_s[spans.at[spans.to_s >= facts.end_s]]).any():
        return None
    return float(spans.to_s.max(initial=0.0))
