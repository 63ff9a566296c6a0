"""One sign that a log says less than it seems to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sign:
    """A suspicion and what it rests on.

    Attributes
    ----------
    name
        For programs.
    words
        For people: what was seen, then what it may mean.
    evidence
        The numbers in the words.
    """

    name: str
    words: str
    evidence: Mapping[str, float] = field(default_factory=dict)
