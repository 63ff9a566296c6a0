"""The regime in one line: whether lock contention can be a problem here at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jobsim.comparison.values import duration, speedup_of, value
from jobsim.outcomes import Metrics, Regime, regime_of
from jobsim.outcomes.arrays import Floats
from jobsim.words import counted

LIGHT, HEAVY = 0.1, 0.5
"""Needed claims as shares of what can be claimed: below the first nobody meets anybody, above the
second somebody always waits."""

WAITED = 0.01
"""Lock waits of more than this share of a run are worth a word."""


def regime(
    due_s: Floats,
    run_s: Floats,
    workers: int,
    runs: Sequence[Metrics],
    database_share: float | None = None,
) -> str:
    """Say how near to its limits the queue's table was.

    Parameters
    ----------
    due_s, run_s
        When the jobs fell due and how long they take, in run seconds, in the order of due.
    database_share
        Share of the time that the database was at work, where it was measured.
    """
    found = regime_of(due_s, run_s, workers, runs, database_share)
    told = [_database(found, database_share), _claims(found), _verdict(found, runs), _short(found)]
    pace = speedup_of(runs)
    head = "Regime" if pace == 1 else f"Regime, at {pace:g} times the log's pace"
    return f"{head}: " + " ".join(sentence for sentence in told if sentence)


def _database(found: Regime, measured: float | None) -> str:
    if found.database_share is None:
        return ""
    what = "claims alone kept" if measured is None else "statements kept"
    return f"{what} the database busy {_percent(found.database_share)} of the time;"


def _claims(found: Regime) -> str:
    needed = f"the busiest second needs {counted(found.needed_per_s, 'claim')}"
    if found.capacity_per_s is None:
        return f"{needed}; no claim was timed."
    if np.isinf(found.capacity_per_s):
        return f"{needed}, which cost nothing."
    claim = duration(1 / found.capacity_per_s)
    return f"{needed}, about {found.capacity_per_s:,.0f} can be made one by one ({claim} each)."


def _verdict(found: Regime, runs: Sequence[Metrics]) -> str:
    if found.load is None:
        return ""
    if found.load >= HEAVY:
        return "The claims crowd each other: here the policy decides."
    if found.load >= LIGHT:
        return "Claims meet in bursts: lock contention can show, and does not rule."
    waited = max(runs, key=_waited)
    if _waited(waited) > WAITED:
        seconds = duration(value(waited, "contention.lock_wait_s"))
        return f"Claims seldom meet, yet {waited['name']} waited {seconds} for locks held longer."
    return "Claims seldom meet: lock contention is no problem here."


def _waited(run: Metrics) -> float:
    """Lock waits as a share of the run."""
    return (value(run, "contention.lock_wait_s") or 0.0) / (value(run, "makespan_s") or 1.0)


def _short(found: Regime) -> str:
    share = _percent(found.short_share) if found.short_share else "None"
    return f"{share} of the jobs {'are' if found.short_share else 'is'} shorter than 10 ms."


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.0f} %"
