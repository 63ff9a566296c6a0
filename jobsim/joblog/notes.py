"""Counting what a reader drops, mends or marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Note:
    """What a reader did to a log or found out about it, and how many jobs it concerns.

    The reason begins with one of `KINDS` and a colon.
    """

    reason: str
    count: int


KINDS = {
    "dropped": "the job is not in the table",
    "mended": "a cell was changed, mostly to missing",
    "moved": "only the clock's zero changed",
    "marked": "nothing changed; what these jobs say is worth less than it seems, and why",
    "guessed": "what a column means was not said; this is what it was taken for",
    "assumed": "the user stated it, the log does not say it",
}
"""What each kind of note says of the jobs it counts."""


class Notes:
    """The notes of one log, taken one after another; what concerns no job is not noted."""

    def __init__(self, taken: Iterable[Note] = ()) -> None:
        self.taken: tuple[Note, ...] = tuple(taken)

    def add(self, reason: str, jobs: Any) -> None:
        """Note `reason` for a number of jobs, or for the true cells of a mask.

        Taking the same reason twice adds the numbers up.
        """
        if reason.partition(":")[0] not in KINDS:
            raise ValueError(f"a note begins with one of {', '.join(KINDS)}: {reason!r}")
        count = int(jobs) if isinstance(jobs, int) else int(jobs.sum())
        if not count:
            return
        known = {note.reason: note.count for note in self.taken}
        known[reason] = known.get(reason, 0) + count
        self.taken = tuple(Note(reason, count) for reason, count in known.items())
