"""What a killer of long statements did, and to whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jobsim.outcomes.arrays import Floats, Whole, column
from jobsim.outcomes.facts import Facts, befallen
from jobsim.policies.killer import KillerSettings

KILLER = ("kills", "innocent", "needlessly_killed_s", "stall_s")


@dataclass(frozen=True)
class Limits:
    """What a killer was told.

    Attributes
    ----------
    busy_s
        A statement that has run longer than this may be killed.
    needless_within_s
        A victim that had at most this much left was killed needlessly; None: do not judge.
    """

    busy_s: float
    needless_within_s: float | None = None

    @classmethod
    def of(cls, settings: KillerSettings) -> Limits:
        """What a killer's settings say."""
        return cls(settings.busy_s, settings.needless_within_s)


def killed(facts: Facts, limits: Limits | None = None) -> dict[str, Any]:
    """The metrics of a killer; None where there were no statements, or no killer to judge."""
    if not facts.are("statement").any():
        return dict.fromkeys(KILLER)
    at, own_s = _victims(facts)
    kills = int((facts.events["kind"] == "kill").sum())
    innocent = None if limits is None else int((own_s < limits.busy_s).sum())
    needless_s = None if limits is None else _needlessly_s(facts, at, own_s, limits)
    return dict(zip(KILLER, (kills, innocent, needless_s, stall_s(facts)), strict=True))


def stall_s(facts: Facts) -> float:
    """Time that statements took beyond their own work: waits for locks, above all.

    Sent when its connection was there; at its own work since it had the lock that it wanted.
    """
    statements = facts.attempts[facts.are("statement")[facts.at]]
    stopped_s = statements["ended_s"].fillna(statements["gone_s"])
    own_s = (stopped_s - statements["started_s"]).fillna(0.0)
    return float((stopped_s - statements["claimed_s"] - own_s).sum())


def _victims(facts: Facts) -> tuple[Whole, Floats]:
    """The statements that were killed, and how much of their own work they had done by then."""
    at, killed_s = befallen(facts.events, "kill")
    began_s = facts.first_start_s[at]
    return at, np.where(began_s < killed_s, killed_s - began_s, 0.0)


def _needlessly_s(facts: Facts, at: Whole, own_s: Floats, limits: Limits) -> float | None:
    """Own work of the victims that were nearly done; None where what they had left is not known."""
    left_s = column(facts.jobs, "run_s")[at] - own_s
    if limits.needless_within_s is None or np.isnan(left_s).any():
        return None
    return float(own_s[left_s <= limits.needless_within_s].sum())
