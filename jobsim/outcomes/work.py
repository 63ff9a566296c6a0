"""When attempts were at work, and when the process that did it was stopped."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jobsim.outcomes.arrays import Floats, Rows, among, column, first_since, whole
from jobsim.outcomes.facts import LOST, Facts, found_once, met


class Work(NamedTuple):
    """Stretches of work: whose (the row of the attempt), from when, to when."""

    attempt: Rows
    from_s: Floats
    to_s: Floats


class Stops(NamedTuple):
    """Stops of processes: an attempt in hand (its row), since when, until when (inf: for good)."""

    attempt: Rows
    from_s: Floats
    back_s: Floats


def at_work(facts: Facts, rows: Rows) -> Work:
    """When each of these attempts was at work: from start to end, without the pauses between.

    Where it came to no end, to the death of its worker or the end of the run.
    """
    started_s = column(facts.attempts, "started_s")
    rows = rows[~np.isnan(started_s[rows])]
    ended_s, gone_s = (column(facts.attempts, name)[rows] for name in ("ended_s", "gone_s"))
    work = Work(rows, started_s[rows], np.where(np.isnan(ended_s), gone_s, ended_s))
    stops = hangs(facts)
    return _without(work, stops) if len(stops.attempt) else work


def _without(work: Work, stops: Stops) -> Work:
    """The stretches cut where their process was stopped, and taken up where it went on."""
    row, from_s, to_s = work.attempt.tolist(), work.from_s.tolist(), work.to_s.tolist()
    last = {attempt: at for at, attempt in enumerate(row)}
    for attempt, hung_s, back_s in zip(*(values.tolist() for values in stops), strict=True):
        at = last.get(attempt)
        if at is None or not from_s[at] <= hung_s < to_s[at]:
            continue
        if back_s < to_s[at]:
            row.append(attempt)
            from_s.append(back_s)
            to_s.append(to_s[at])
            last[attempt] = len(row) - 1
        to_s[at] = hung_s
    return Work(np.array(row, dtype=np.int64), np.array(from_s), np.array(to_s))


@found_once
def hangs(facts: Facts) -> Stops:
    """The attempts in the hands of a worker when it hung, and when it went on.

    All that is in hand came by one claim, the worker's last one before.
    """
    who, hung_s = met(facts.events, "hung")
    if not len(who):
        return Stops(np.empty(0, dtype=np.int32), np.empty(0), np.empty(0))
    order = np.argsort(hung_s, kind="stable")
    who, hung_s = who[order], hung_s[order]
    back_s = first_since(who, hung_s, *met(facts.events, "resumed"))
    worker, claimed_s = whole(facts.attempts, "worker"), column(facts.attempts, "claimed_s")
    claim_s = -first_since(who, -hung_s, worker, -claimed_s)
    held = [np.flatnonzero((worker == who[k]) & (claimed_s == claim_s[k])) for k in range(len(who))]
    stop = np.repeat(np.arange(len(who)), [len(rows) for rows in held])
    return _still_held(facts, Stops(np.concatenate(held), hung_s[stop], back_s[stop]))


def _still_held(facts: Facts, stops: Stops) -> Stops:
    """Those that were not over before; a worker that died while it hung never went on."""
    gone_s = column(facts.attempts, "gone_s")[stops.attempt]
    died_first = among(facts.outcome[stops.attempt], LOST) & (gone_s < stops.back_s)
    back_s = np.where(died_first, np.inf, stops.back_s)
    held = gone_s > stops.from_s
    return Stops(stops.attempt[held], stops.from_s[held], back_s[held])
