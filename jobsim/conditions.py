"""Conditions on metrics, as ``stuck.max_s > 60``: what ``--fail-if`` asks."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jobsim.errors import UsageError
from jobsim.units import parse_duration_s
from jobsim.words import nearest

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_FORM = re.compile(r"\s*([\w.-]+)\s*(>=|<=|==|!=|>|<)\s*(\S+)\s*")


@dataclass(frozen=True)
class Condition:
    """One metric against one number."""

    metric: str
    operator: str
    limit: float

    def holds(self, metrics: dict[str, Any]) -> bool:
        """Whether it holds of a run; never where the metric was not measured.

        Raises
        ------
        UsageError
            The run has no metric of this name.
        """
        value = self._value(metrics)
        return value is not None and OPERATORS[self.operator](value, self.limit)

    def _value(self, metrics: dict[str, Any]) -> float | None:
        known = dict(flat(metrics))
        if self.metric in known:
            value = known[self.metric]
            return None if value is None else float(value)
        if f"{self.metric}.mean" in known:
            return float(known[f"{self.metric}.mean"])
        raise UsageError(f"no metric {self.metric!r}; {nearest(self.metric, list(known))}")

    def __str__(self) -> str:
        return f"{self.metric} {self.operator} {self.limit:g}"


def flat(metrics: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every metric by its full name, as ``stuck.max_s``."""
    for name, value in metrics.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        elif not isinstance(value, str):
            yield f"{above}{name}", value


def parse_condition(text: str) -> Condition:
    """Read ``stuck.max_s > 60``; the number may be a duration, as ``1h``.

    Raises
    ------
    UsageError
        Not of this form.
    """
    found = _FORM.fullmatch(text)
    if not found:
        raise UsageError(f"{text!r}: write a condition as 'stuck.max_s > 60'")
    return Condition(found[1], found[2], parse_duration_s(found[3]))
