"""What a killer of long statements did, and to whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

NOT_MEASURED: dict[str, Any] = dict.fromkeys(
    ("kills", "innocent", "needlessly_killed_s", "stall_s")
)


@dataclass(frozen=True, eq=False)
class Statements:
    """The statements that a killer watched.

    Attributes
    ----------
    table
        One row a statement: ``started_s``, ``ended_s`` (its end or its kill), ``own_s`` (its own
        work by then, waits left out), ``demand_s`` (its own work, had it been let; NaN where that
        is not known), ``killed``.
    limit_s
        What the killer allows a statement.
    needless_within_s
        A victim that had at most this much left was killed needlessly; None: do not judge.
    """

    table: pd.DataFrame
    limit_s: float
    needless_within_s: float | None = None


def killer(statements: Statements | None) -> dict[str, Any]:
    """The metrics of a killer; None where a run had none."""
    if statements is None:
        return dict(NOT_MEASURED)
    table = statements.table
    victims = table[table["killed"]]
    return {
        "kills": len(victims),
        "innocent": int((victims["own_s"] < statements.limit_s).sum()),
        "needlessly_killed_s": _needlessly_s(victims, statements.needless_within_s),
        "stall_s": float((table["ended_s"] - table["started_s"] - table["own_s"]).sum()),
    }


def _needlessly_s(victims: pd.DataFrame, within_s: float | None) -> float | None:
    """Own work of the victims that were nearly done; None where what they had left is not known."""
    if within_s is None or victims["demand_s"].isna().any():
        return None
    nearly = victims["demand_s"] - victims["own_s"] <= within_s
    return float(victims.loc[nearly, "own_s"].sum())
