"""Waiting, in a process that may be told to stop at any moment."""

from __future__ import annotations

import select
import time
from math import nan

LONGEST_S = 3600.0


class RunClock:
    """Seconds since the run began, by the machine's clock that all its processes share."""

    def __init__(self) -> None:
        self.start_s = nan

    def __call__(self) -> float:
        return time.monotonic() - self.start_s


class Stopped(BaseException):
    """The run is over: whatever the script is doing, it does no more."""


class Pause:
    """Waits that the end of the run cuts short.

    Parameters
    ----------
    stop
        A pipe that becomes readable when the run is over, or its supervisor gone.
    now
        The run's clock.
    """

    def __init__(self, stop: int, now: RunClock) -> None:
        self.stop = stop
        self.now = now

    def until(self, t_s: float, wake: int | None = None) -> bool:
        """Wait until an instant, or until ``wake`` is readable: whether it was.

        Raises
        ------
        Stopped
            The run is over.
        """
        watched = [self.stop] if wake is None else [self.stop, wake]
        while True:
            left_s = min(max(0.0, t_s - self.now()), LONGEST_S)
            ready = select.select(watched, [], [], left_s)[0]
            if self.stop in ready:
                raise Stopped
            if ready or self.now() >= t_s:
                return bool(ready)
