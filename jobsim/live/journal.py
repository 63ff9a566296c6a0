"""What a process of a run leaves on disk as it goes, so that its sudden end loses nothing.

Each record is one JSON line, written by one ``write`` to the process's own file. A process that is
killed between two records has left all that happened; one killed inside a ``write`` may leave a
torn last line, which the reader drops and counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
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

    def reclaimed(self, t_s: float, jobs: Sequence[int], step: str) -> None:
        self.write("reclaimed", t_s, jobs, step)

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

    def statement(self, t_s: float, label: str, sql: str, expected: str | None) -> None:
        """A statement that this process sends for the first time, and the index it should use."""
        self.write("statement", t_s, label, sql, expected)

    def step(self, t_s: float, label: str, arguments: str, reply: str) -> None:
        """One step of a trace."""
        self.write("step", t_s, label, arguments, reply)

    def left(self, t_s: float, how: str, text: str = "") -> None:
        """The script is over: ``returned``, ``stopped``, ``raised`` or ``crashed``, and why."""
        self.write("left", t_s, how, text)

    def close(self) -> None:
        os.close(self._file)


class JournalReader:
    """The reading end: gives each whole record once, as soon as it is there.

    Attributes
    ----------
    torn
        Whether the file ends in a record that was not written to its end; known after `close`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.torn = False
        self._file: int | None = None
        self._rest = b""

    def more(self) -> list[Record]:
        """The records that have come since the last call, in the order of their writing."""
        if self._file is None:
            if not self.path.exists():
                return []
            self._file = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        *lines, self._rest = (self._rest + _read_all(self._file)).split(b"\n")
        return [json.loads(line) for line in lines]

    def close(self) -> None:
        """Nothing more is written."""
        self.torn = bool(self._rest)
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def all(self) -> Iterator[Record]:
        """Every whole record from the start, as long as the file is there."""
        if self.path.exists():
            with self.path.open("rb") as file:
                yield from (json.loads(line) for line in file if line.endswith(b"\n"))


def _read_all(file: int) -> bytes:
    parts = []
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)
