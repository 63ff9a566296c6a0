"""The clock and the processors of a simulated run.

The clock is SimPy's. Two things are added: an event at an absolute instant that can be used again
and again (an actor waits for one thing at a time), and moving the clock without an event when
nothing else is due before the instant that an actor waits for. The second is what makes the
simulation fast: almost every statement ends before anybody else has anything to do.

Ties at an instant are broken by priority, then by who was scheduled first:
the end of work, then statements, then submissions, then faults, then polls and sweeps, so that a
finish at an instant comes before an expiry at the same instant.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from typing import Any

from simpy import Environment
from simpy.events import Event

WORK_ENDS, STATEMENT, SUBMISSION, FAULT, LOOK, HORIZON = range(6)


class Wake(Event):
    """An event that may be scheduled again once it has happened."""

    def __init__(self, world: World, call: Callable[[Event], None]) -> None:
        super().__init__(world)
        self._ok = True
        self._value = None
        self.calls = [call]
        self.callbacks = None  # type: ignore[assignment]

    @property
    def scheduled(self) -> bool:
        """Whether it is still to happen."""
        return self.callbacks is not None


class World(Environment):
    """SimPy's environment with absolute instants, and a number of processors."""

    def __init__(self, processors: int) -> None:
        super().__init__()
        self.processors = processors
        self.busy = 0
        self._waiting: deque[tuple[float, Callable[[], None], bool]] = deque()
        self._in_hand = False

    def run_until(self, over: Event) -> None:
        """Let everything happen up to and with this event.

        As ``run(until=over)``, with its steps written out: calling one is half the price of most.
        """
        queue = self._queue
        while over.callbacks is not None:
            self._now, _, _, event = heappop(queue)
            callbacks, event.callbacks = event.callbacks, None  # type: ignore[assignment]
            for call in callbacks:
                call(event)

    def at(self, t_s: float, priority: int, wake: Wake) -> None:
        """Let ``wake`` happen at an instant, not before now."""
        wake.callbacks = wake.calls
        heappush(self._queue, (t_s, priority, next(self._eid), wake))  # type: ignore[misc]

    def call_at(self, t_s: float, priority: int, call: Callable[[], Any]) -> Wake:
        """Call once at an instant; the reply can be given to :meth:`forget`."""
        wake = Wake(self, lambda _: call())
        self.at(t_s, priority, wake)
        return wake

    def later(self, after_s: float, then: Callable[[], None]) -> None:
        """Go on after a time that keeps no processor busy."""
        self.call_at(self._now + after_s, STATEMENT, then)

    def forget(self, wake: Wake) -> None:
        """Let a scheduled event pass without effect."""
        wake.calls = []
        wake.callbacks = []

    def compute(self, duration_s: float, then: Callable[[], None], more: bool = False) -> None:
        """Keep a processor busy, first come first served, then go on.

        With ``more``, what follows may keep the same processor: see :meth:`compute_on`.
        """
        if self.busy < self.processors:
            self.busy += 1
            self._computing(duration_s, then, more)
        else:
            self._waiting.append((duration_s, then, more))

    def compute_on(self, duration_s: float, then: Callable[[], None]) -> None:
        """Go on at once on the processor that was computed on up to now, else wait for one."""
        if self._in_hand:
            self._in_hand = False
            self._computing(duration_s, then, False)
        else:
            self.compute(duration_s, then)

    def _computing(self, duration_s: float, then: Callable[[], None], more: bool) -> None:
        over = self._computed_for_now if more else self._computed
        self.call_at(self._now + duration_s, STATEMENT, partial(over, then))

    def _computed_for_now(self, then: Callable[[], None]) -> None:
        self._in_hand = True
        then()
        if self._in_hand:
            self._in_hand = False
            self._release()

    def _computed(self, then: Callable[[], None]) -> None:
        self._release()
        then()

    def _release(self) -> None:
        if self._waiting:
            self._computing(*self._waiting.popleft())
        else:
            self.busy -= 1
