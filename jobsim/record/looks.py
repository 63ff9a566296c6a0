"""When to look, and what to do when the server does not answer for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from jobsim.errors import DatabaseError

PATIENCE_S = 60.0
"""How long a server may be gone before the watch ends."""

Say = Callable[[str], None]


def instants(every_s: float, for_s: float | None) -> Iterator[float]:
    """Come back each time that a look is due: seconds since the first.

    After a look that took long, at least as long is waited: never is more than half of the time
    spent on looking.
    """
    began_s = time.monotonic()
    due_s = 0.0
    while for_s is None or due_s <= for_s:
        time.sleep(max(0.0, began_s + due_s - time.monotonic()))
        look_s = time.monotonic() - began_s
        yield look_s
        now_s = time.monotonic() - began_s
        due_s = max(due_s + every_s, now_s + (now_s - look_s))
    # The last stretch, so that the watch is as long as was asked for.
    time.sleep(max(0.0, began_s + (for_s or 0.0) - time.monotonic()))


class Patience:
    """Bears a server that is gone for a while, and counts for how long it was."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.gone_s = 0.0
        self._since_s: float | None = None

    def failed(self, error: DatabaseError) -> None:
        """A look failed; raise the error when that has gone on for too long."""
        now_s = time.monotonic()
        if self._since_s is None:
            self._since_s = now_s
            self.say(f"{error}; trying again for {PATIENCE_S:g} s")
        if now_s - self._since_s > PATIENCE_S:
            raise error

    def succeeded(self) -> None:
        """A look went well."""
        if self._since_s is not None:
            self.gone_s += time.monotonic() - self._since_s
            self._since_s = None
            self.say("the server answers again")
