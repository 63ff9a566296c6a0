"""A part of a run and the process that plays it, as its supervisor sees it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from warnings import catch_warnings, simplefilter

from jobsim.live.journal import JournalReader, Record
from jobsim.live.stage import Stage, play
from jobsim.run import SPAWNED, Part

FORK = multiprocessing.get_context("fork")
"""A script cannot be sent to another process; a forked one has it."""

NOTHING: Record = ["", 0.0, ""]


@dataclass(eq=False)
class Player:
    """A part, its process and its journal; ``last`` is the record that was read last."""

    part: Part
    process: BaseProcess
    journal: JournalReader
    last: Record = field(default_factory=lambda: NOTHING)

    @classmethod
    def start(cls, stage: Stage, part: Part) -> Player:
        """Fork the process."""
        process = FORK.Process(target=play, args=(stage, part), name=part.name)
        with catch_warnings(), without_interruption():
            # it uses nothing that another thread of this process might hold
            simplefilter("ignore", DeprecationWarning)
            process.start()
        return cls(part, process, JournalReader(stage.journal(part)))

    @property
    def worker(self) -> int:
        return self.part.worker

    @property
    def is_worker(self) -> bool:
        return 0 <= self.part.worker < SPAWNED

    @property
    def lives(self) -> bool:
        """Whether its process has not ended."""
        return self.process.exitcode is None

    @property
    def said_goodbye(self) -> bool:
        """Whether its own last record tells of its end."""
        kind, _, what, *_ = self.last
        return bool(kind == "left" or (kind == "event" and what == "died"))

    @property
    def crashed(self) -> bool:
        """Whether it was ended by what its script does not expect."""
        return bool(self.last[0] == "left" and self.last[2] == "crashed")

    def read(self) -> list[Record]:
        """The records that are new."""
        new = self.journal.more()
        self.last = new[-1] if new else self.last
        return new

    def signal(self, number: int) -> bool:
        """Send its process a signal: whether there was still one to send it to."""
        if not self.lives or self.process.pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, number)
        return True

    def end(self) -> None:
        """Forget the process, which has ended, and read its journal to the end."""
        self.process.join()
        self.read()
        self.journal.close()
        self.process.close()


@contextmanager
def without_interruption() -> Iterator[None]:
    """Hold a Ctrl-C back, so that it does not meet a process which is not yet ready for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
