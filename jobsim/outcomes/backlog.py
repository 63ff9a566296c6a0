"""The jobs that were due and that nobody was at work on, and how old the oldest of them was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jobsim.outcomes.arrays import (
    Flags,
    Floats,
    Rows,
    Whole,
    column,
    first_of_each,
    first_since,
    rows_by,
    running_max,
    slices,
)
from jobsim.outcomes.facts import Facts, befallen
from jobsim.outcomes.numbers import ratio
from jobsim.outcomes.spans import Levels, Spans, areas_and_highest, joined, levels, oldest


def backlog(facts: Facts, own: Flags) -> dict[str, Any]:
    """The metrics of the backlog of these jobs; ages in seconds."""
    visible_s = _visible_age_s(facts)
    spans = waiting_spans(facts, own)
    ages = {
        "oldest_age_p99_s": _age_at_share(facts, spans, 0.99),
        "oldest_age_max_s": _greatest_age_s(facts, spans),
        "visible_oldest_age_max_s": visible_s,
        "drained_at_s": _drained_at_s(facts, spans),
    }
    area_s, highest = areas_and_highest(spans.from_s, spans.to_s)
    return {"mean": ratio(area_s, facts.end_s), "max": highest, **ages}


def waiting_spans(facts: Facts, own: Flags) -> Spans:
    """When each of these jobs was in the backlog: due, not final, and without a live attempt.

    A row that was claimed ahead and not started is in it, and so is one whose worker is gone; a
    dead letter is final, and is not.
    """
    blocks = rows_by(facts.at, len(facts.jobs))
    parts = (_waiting(facts, jobs, rows).of(own) for jobs, rows in blocks)
    return joined(parts, len(facts.jobs) + len(facts.attempts))


def _waiting(facts: Facts, jobs: slice, rows: Rows) -> Spans:
    """The spans of a block of jobs, by job; ``rows`` are all their attempts."""
    at, start_s, latest_s = _by_start(facts, rows)
    free_s = np.roll(latest_s, 1)
    first = np.append(True, at[1:] != at[:-1])[: len(at)]
    free_s[first] = facts.due_s[at[first]]
    before = Spans(at, free_s, np.minimum(start_s, facts.final_s[at])).within(facts.end_s)
    left_s = facts.due_s[jobs].copy()
    left_s[at - jobs.start] = latest_s  # the last attempt's stays
    after = Spans(numbers(jobs), left_s, facts.final_s[jobs]).within(facts.end_s)
    spans = joined((before, after), len(rows) + len(left_s))
    return spans.these(np.argsort(spans.at, kind="stable"))


def visible_spans(facts: Facts) -> Iterator[Spans]:
    """When each job's row had the status ``pending`` for whoever reads what is committed.

    From its insertion to the first claim, and from each time it was given back to the next claim.
    Where a claim does not show, until the job is final: work in hand looks pending as well.
    """
    submitted_s = column(facts.jobs, "submitted_s")
    last_s = np.minimum(facts.final_s, facts.end_s)
    claimed_s = column(facts.attempts, "claimed_s")
    shown_to_s = first_of_each(facts.at, claimed_s, len(last_s)) if facts.claim_shows else last_s
    for some in slices(len(last_s)):
        first = Spans(numbers(some), submitted_s[some], shown_to_s[some])
        yield first.within(last_s[some])
    if facts.claim_shows:
        at, back_s = befallen(facts.events, "reclaimed")
        again = Spans(at, back_s, first_since(at, back_s, facts.at, claimed_s))
        yield again.within(last_s[at])


def curve(facts: Facts, own: Flags) -> Levels:
    """The number of these jobs in the backlog over time."""
    spans = waiting_spans(facts, own)
    return levels(spans.from_s, spans.to_s)


def numbers(jobs: slice) -> Whole:
    """The rows of a block of jobs."""
    return np.arange(jobs.start, jobs.stop, dtype=np.int32)


def _by_start(facts: Facts, rows: Rows) -> tuple[Whole, Floats, Floats]:
    """Which of these attempts started, by job and start: job, start, until when one was live."""
    started_s = column(facts.attempts, "started_s")
    started = rows[~np.isnan(started_s[rows])]
    order = started[np.lexsort((started_s[started], facts.at[started]))]
    at = facts.at[order]
    return at, started_s[order], running_max(at, column(facts.attempts, "gone_s")[order])


def _visible_age_s(facts: Facts) -> float | None:
    """The greatest age in a query for pending rows; None where there is no queue."""
    queued = facts.are("job")
    if not queued.any():
        return None
    return max(_greatest_age_s(facts, spans.of(queued)) for spans in visible_spans(facts))


def _greatest_age_s(facts: Facts, spans: Spans) -> float:
    """The greatest age that a job reached in these spans."""
    blocks = (part.to_s - facts.due_s[part.at] for part in spans.blocks())
    return max((float(ages_s.max(initial=0.0)) for ages_s in blocks), default=0.0)


def _age_at_share(facts: Facts, spans: Spans, share: float) -> float | None:
    """The age that the oldest job of the backlog did not exceed for this share of the time.

    While one job is the oldest, its age grows as the time does. So the time spent at each age is
    how many of these stretches, laid on the axis of ages, cover it.
    """
    if facts.end_s <= 0:
        return None
    from_s, to_s = _ages_of_oldest(facts, spans)
    allowed_s = (1 - share) * facts.end_s
    if (to_s - from_s).sum() <= allowed_s:
        return 0.0
    near_s = to_s.max()  # an age exceeded for longer than allowed: what is below needs no counting
    while _time_above_s(from_s, to_s, near_s) <= allowed_s:
        near_s /= 2
    above = to_s > near_s
    ages = levels(np.maximum(from_s[above], near_s), to_s[above])
    longer_s = np.append(np.cumsum(ages.areas[::-1])[::-1], 0.0)
    last = np.flatnonzero(longer_s > allowed_s)[-1]
    return float(ages.t_s[last] + (longer_s[last] - allowed_s) / ages.level[last])


def _time_above_s(from_s: Floats, to_s: Floats, age_s: float) -> float:
    """How long the ages that grew from ``from_s`` to ``to_s`` were above ``age_s``."""
    above_s = np.maximum(from_s, age_s)
    np.subtract(to_s, above_s, out=above_s)
    return float(np.maximum(above_s, 0.0, out=above_s).sum())


def _ages_of_oldest(facts: Facts, spans: Spans) -> tuple[Floats, Floats]:
    """From what age to what age each job grew while it was the oldest."""
    first = oldest(spans, facts.due_s)
    for some in slices(len(first.at)):
        due_s = facts.due_s[first.at[some]]
        first.from_s[some] -= due_s
        first.to_s[some] -= due_s
    return first.from_s, first.to_s


def _drained_at_s(facts: Facts, spans: Spans) -> float | None:
    """Since when the backlog was empty to the end; None where it was not empty then."""
    if np.isinf(facts.final_s[spans.at[spans.to_s >= facts.end_s]]).any():
        return None
    return float(spans.to_s.max(initial=0.0))
