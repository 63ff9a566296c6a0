"""Cells that hold a JSON object each: what it says under a name."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd


def objects(cells: pd.Series[Any]) -> pd.Series[Any]:
    """Each cell's object; an empty one where the cell holds none."""
    return cells.map(_object, na_action=None)


def said(found: pd.Series[Any], *names: str) -> pd.Series[str]:
    """What each object says under the first of these names that it has, as text; else missing."""
    return found.map(lambda each: _said(each, names)).astype("str")


def _object(cell: object) -> dict[str, Any]:
    try:
        found = json.loads(cell) if isinstance(cell, str) else None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _said(found: dict[str, Any], names: tuple[str, ...]) -> str | None:
    for name in names:
        if isinstance(found.get(name), str | int | float):
            return str(found[name])
    return None
