"""What a process of a run leaves on disk as it goes, so that its sudden end loses nothing.

Each record is one JSON line, written by one ``write`` to the process's own file. A process that is
killed between two records has left all that happened; one killed inside a ``write`` may leave a
torn last line, which the reader drops and counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

Record: TypeAlias = list[Any]
"""``[kind, t_s, ...]``; the kinds and what follows are those of :class:`Journal`'s methods."""

_encode = json.JSONEncoder(separators=(",", ":"), default=str).encode


class Journal:
    """The writing end: one method a kind of record, instants in seconds since the run began."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def write(self, *record: Any) -> None:
        """Write one record, whole."""
        os.write(self._file, (_encode(record) + "\n").encode())

    def claimed(self, t_s: float, claiming_s: float, attempts: Sequence[Any]) -> None:
        self.write("claimed", t_s, claiming_s, attempts)

    def empty(self, t_s: float, claiming_s: float) -> None:
        self.write("empty", t_s, claiming_s)

    def started(self, t_s: float, attempt: Any) -> None:
        self.write("started", t_s, attempt)

    def ended(self, t_s: float, attempt: Any, outcome: str) -> None:
        self.write("ended", t_s, attempt, outcome)

    def finished(self, t_s: float, attempts: Sequence[Any], outcome: str) -> None:
        self.write("finished", t_s, attempts, outcome)

    def reclaimed(self, t_s: float, jobs: Sequence[int]) -> None:
        self.write("reclaimed", t_s, jobs)

    def submitted(self, t_s: float, jobs: Sequence[int]) -> None:
        self.write("submitted", t_s, jobs)

    def event(
        self,
        t_s: float,
        kind: str,
        step: str,
        job: int = 0,
        number: int = 0,
        value: float | None = None,
    ) -> None:
        """What becomes a :class:`jobsim.events.Event`."""
        self.write("event", t_s, kind, step, job, number, value)

    def ran(self, t_s: float, attempt: Any, measured: dict[str, Any]) -> None:
        """What a command of its own process came to."""
        self.write("ran", t_s, attempt, measured)

    def step(self, t_s: float, label: str, arguments: str, reply: str) -> None:
        """One step of a trace."""
        self.write("step", t_s, label, arguments, reply)

    def left(self, t_s: float, how: str, text: str = "") -> None:
        """The script is over: ``returned``, ``stopped``, ``raised`` or ``crashed``, and why."""
        self.write("left", t_s, how, text)

    def close(self) -> None:
        os.close(self._file)


@dataclass
class JournalReader:
    """The reading end: gives each whole record once; ``torn`` counts unfinished last lines."""

    path: Path
    torn: int = 0
    _read: int = 0
    _rest: bytes = field(default=b"", repr=False)

    def more(self) -> list[Record]:
        """The records that have come since the last call, in the order of their writing."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        self._read += len(new)
        *lines, self._rest = (self._rest + new).split(b"\n")
        return [json.loads(line) for line in lines]

    def close(self) -> list[Record]:
        """The last records, when nothing more is written."""
        records = self.more()
        self.torn += bool(self._rest)
        self._rest = b""
        return records
