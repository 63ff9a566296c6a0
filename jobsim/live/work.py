"""What a live job does: sleep its time, burn it on the processor, or run a command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, Protocol, TypeAlias

from jobsim.effects import Attempt
from jobsim.live import launcher
from jobsim.live.pause import Pause
from jobsim.run import Load

Outcome = Literal["completed", "failed", "time"]
Report: TypeAlias = Callable[[Attempt, dict[str, Any]], None]

SLICE_S = 0.005
"""How long a busy job computes before it looks whether it is to stop."""


@dataclass(frozen=True)
class Command:
    """Each job runs a command in a process of its own; exit status 0 is completed.

    Attributes
    ----------
    argv
        The words of the command of a job, by the job's id.
    """

    argv: Callable[[int], Sequence[str | os.PathLike[str]]]


WorkKind: TypeAlias = "Literal['sleep', 'burn'] | Command"


class Work(Protocol):
    """The work of one worker: one attempt at a time."""

    def start(self, attempt: Attempt) -> None:
        """Begin it."""

    def wait(self, for_s: float | None) -> Outcome:
        """Wait for its end, at most so long: ``time`` means that it goes on."""

    def left_s(self) -> float:
        """How long it should still take, by the log."""

    def close(self) -> None:
        """No more work: end what is still going on."""


def make_work(kind: WorkKind, load: Load, pause: Pause, report: Report) -> Work:
    """The work that a worker's jobs do."""
    if isinstance(kind, Command):
        return RunCommand(kind, load, pause, report)
    return {"sleep": Sleeping, "burn": Burning}[kind](load, pause)


class Sleeping:
    """Do nothing for the job's run time."""

    def __init__(self, load: Load, pause: Pause) -> None:
        self.load = load
        self.pause = pause
        self.now = pause.now
        self.ends_s = 0.0
        self.outcome: Outcome = "completed"

    def start(self, attempt: Attempt) -> None:
        at = attempt.job - 1
        self.ends_s = self.now() + float(self.load.run_s[at])
        self.outcome = "failed" if self.load.fails[at] else "completed"

    def wait(self, for_s: float | None) -> Outcome:
        until_s = self.ends_s if for_s is None else min(self.ends_s, self.now() + for_s)
        self.pause.until(until_s)
        return self.outcome if until_s == self.ends_s else "time"

    def left_s(self) -> float:
        return max(0.0, self.ends_s - self.now())

    def close(self) -> None:
        pass


class Burning(Sleeping):
    """Use the processor for the job's run time; on a full machine that takes longer."""

    def start(self, attempt: Attempt) -> None:
        super().start(attempt)
        self.rest_s = float(self.load.run_s[attempt.job - 1])

    def wait(self, for_s: float | None) -> Outcome:
        until_s = inf if for_s is None else self.now() + for_s
        while self.rest_s > 0 and self.now() < until_s:
            self.pause.until(0.0)
            self._burn(min(SLICE_S, self.rest_s, until_s - self.now()))
        return self.outcome if self.rest_s <= 0 else "time"

    def left_s(self) -> float:
        return max(0.0, self.rest_s)

    def _burn(self, slice_s: float) -> None:
        began_s = time.thread_time()
        while (burnt_s := time.thread_time() - began_s) < slice_s:
            pass
        self.rest_s -= burnt_s


class RunCommand:
    """Run a process and measure it. It dies with its worker."""

    def __init__(self, command: Command, load: Load, pause: Pause, report: Report) -> None:
        self.command = command
        self.load = load
        self.pause = pause
        self.report = report
        self.attempt: Attempt | None = None
        self.launcher = subprocess.Popen(
            [sys.executable, "-I", "-S", launcher.__file__],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def start(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.began_s = self.pause.now()
        words = [os.fspath(word) for word in self.command.argv(attempt.job)]
        assert self.launcher.stdin is not None
        self.launcher.stdin.write(json.dumps(words).encode() + b"\n")
        self.launcher.stdin.flush()

    def wait(self, for_s: float | None) -> Outcome:
        assert self.launcher.stdout is not None
        until_s = inf if for_s is None else self.pause.now() + for_s
        if not self.pause.until(until_s, self.launcher.stdout.fileno()):
            return "time"
        return self._over(json.loads(self.launcher.stdout.readline()))

    def left_s(self) -> float:
        if self.attempt is None:
            return 0.0
        logged_s = float(self.load.run_s[self.attempt.job - 1])
        return max(0.0, self.began_s + logged_s - self.pause.now())

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.launcher.pid, signal.SIGKILL)
        self.launcher.communicate()

    def _over(self, measured: dict[str, Any]) -> Outcome:
        assert self.attempt is not None
        outcome: Outcome = "failed" if measured["status"] else "completed"
        run_s = self.pause.now() - self.began_s
        self.report(
            self.attempt,
            {"start_s": self.began_s, "run_s": run_s, "outcome": outcome, **measured},
        )
        self.attempt = None
        return outcome
