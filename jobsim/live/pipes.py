"""The pipes by which a run's processes start together and end together."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass
class Pipe:
    """One pipe; each end is closed once, however often that is asked."""

    reading: int = field(init=False)
    writing: int = field(init=False)

    def __post_init__(self) -> None:
        self.reading, self.writing = os.pipe()
        self._open = {self.reading, self.writing}

    def close_reading(self) -> None:
        self._close(self.reading)

    def close_writing(self) -> None:
        self._close(self.writing)

    def _close(self, end: int) -> None:
        if end in self._open:
            self._open.remove(end)
            os.close(end)


@dataclass(frozen=True)
class Pipes:
    """What the processes of a run tell each other by.

    Attributes
    ----------
    ready
        Each player writes a byte when it is connected.
    go
        Its end is the start.
    stop
        Its end is the end of the run, also when that is the end of the supervisor.
    spawn
        Each line asks the supervisor to start a script: its role and the number of its row.
    """

    ready: Pipe = field(default_factory=Pipe)
    go: Pipe = field(default_factory=Pipe)
    stop: Pipe = field(default_factory=Pipe)
    spawn: Pipe = field(default_factory=Pipe)

    def keep_players_ends(self) -> None:
        """Close what only the supervisor may hold."""
        self.ready.close_reading()
        self.spawn.close_reading()
        self.go.close_writing()
        self.stop.close_writing()

    def keep_supervisors_ends(self) -> None:
        """Close what only the players need, but for what later ones are to have of it."""
        self.ready.close_writing()
        self.go.close_reading()
        self.spawn.close_writing()

    def close(self) -> None:
        """Close what is still open here."""
        for pipe in (self.ready, self.go, self.stop, self.spawn):
            pipe.close_reading()
            pipe.close_writing()
