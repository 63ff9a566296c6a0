"""Which line of cron tells when a command ended.

cron forks twice for a command: a child that opens the session (PAM), waits for the command and
closes the session; and its child, which becomes the command and writes the CMD line. So the pid
of a CMD line is mostly above that of its session, by one on a quiet host. cronie's CMDEND (END
in Debian, where it is asked for) is written by the first child; Debian's error about a grandchild
names the pid of the second. anacron writes start and end of its jobs itself, with one pid.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

SOON_S = 10.0
"""A command starts within this of the session that it runs in."""

CROWD = 64
"""Of more sessions or firings than this at once nobody tells which is whose."""

What = Literal["opened", "cmd", "failed", "cmdend", "closed"]
RANK: dict[What, int] = {"opened": 0, "cmd": 1, "failed": 2, "cmdend": 3, "closed": 4}
"""What comes first of what is written in one second."""


class Event(NamedTuple):
    """A line that cron wrote.

    Attributes
    ----------
    line
        Its number in the file.
    job_pid
        The pid of the command, where the line names it, or -1.
    outcome
        How the command ended, where the line says it.
    """

    t_s: float
    line: int
    what: What
    host: str
    pid: int
    user: str = ""
    command: str = ""
    job_pid: int = -1
    outcome: str = "unknown"


@dataclass(slots=True, eq=False)
class Firing:
    """One start of a command, and what tells of its end."""

    started: Event
    ended_s: float = math.nan
    failed_s: float = math.nan
    closed_s: float = math.nan
    outcome: str = "unknown"

    @property
    def end_s(self) -> float:
        """The end by the best line there is; NaN if none tells."""
        told = (t_s for t_s in (self.ended_s, self.failed_s, self.closed_s) if not math.isnan(t_s))
        return next(told, math.nan)


@dataclass(slots=True, eq=False)
class Session:
    """A session that is open, and the firing that runs in it, once that is known."""

    opened_s: float
    pid: int
    firing: Firing | None = None


@dataclass(slots=True)
class Ends:
    """The firings of the lines taken so far, which come in the order of time and `RANK`."""

    firings: list[Firing] = field(default_factory=list)
    _sessions: dict[tuple[str, int], Session] = field(default_factory=dict)
    _waiting: defaultdict[tuple[str, str], list[Session]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _running: defaultdict[tuple[str, str, str], deque[Firing]] = field(
        default_factory=lambda: defaultdict(lambda: deque(maxlen=CROWD))
    )
    _by_pid: dict[tuple[str, int], Firing] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """Take the next line; what names no process opens, ends and closes nothing."""
        if event.what == "cmd":
            self._fired(event)
        elif event.pid < 0:
            pass
        elif event.what == "opened":
            self._opened(event)
        elif event.what == "failed":
            self._failed(event)
        elif event.what == "cmdend":
            self._ended(event)
        else:
            self._closed(event)

    def _opened(self, event: Event) -> None:
        session = Session(event.t_s, event.pid)
        self._sessions[event.host, event.pid] = session
        waiting = self._waiting[event.host, event.user]
        waiting[:] = [each for each in waiting if event.t_s - each.opened_s <= SOON_S]
        if len(waiting) < CROWD:
            waiting.append(session)

    def _fired(self, event: Event) -> None:
        firing = Firing(event)
        self.firings.append(firing)
        self._running[event.host, event.user, event.command].append(firing)
        self._by_pid[event.host, event.job_pid if event.job_pid >= 0 else event.pid] = firing
        session = self._session_of(event)
        if session is not None:
            session.firing = firing
            self._waiting[event.host, event.user].remove(session)

    def _session_of(self, event: Event) -> Session | None:
        """The session with the pid of the line, or the only one that can be its parent's."""
        soon = [
            each
            for each in self._waiting[event.host, event.user]
            if event.t_s - each.opened_s <= SOON_S and each.pid <= event.pid
        ]
        own = [each for each in soon if each.pid == event.pid]
        found = own or soon
        return found[0] if len(found) == 1 else None

    def _failed(self, event: Event) -> None:
        firing = self._by_pid.pop((event.host, event.job_pid), None)
        if firing is not None:
            firing.failed_s, firing.outcome = event.t_s, "failed"

    def _ended(self, event: Event) -> None:
        """The firing of the same command whose pid is next above the parent's, or its own."""
        running = self._running[event.host, event.user, event.command]
        above = [firing for firing in running if firing.started.pid >= event.pid]
        firing = min(above, key=lambda each: each.started.pid, default=None)
        if firing is None and len(running) == 1:
            firing = running[0]
        if firing is not None:
            running.remove(firing)
            firing.ended_s = event.t_s
            if event.outcome != "unknown":
                firing.outcome = event.outcome

    def _closed(self, event: Event) -> None:
        session = self._sessions.pop((event.host, event.pid), None)
        if session is None:
            return
        if session.firing is not None:
            session.firing.closed_s = event.t_s
        else:
            waiting = self._waiting[event.host, event.user]
            if session in waiting:
                waiting.remove(session)


def firings(events: Iterable[Event]) -> list[Firing]:
    """Every firing, in the order of time, with what tells of its end."""
    ends = Ends()
    for event in sorted(events, key=lambda each: (each.t_s, RANK[each.what], each.pid)):
        ends.take(event)
    return ends.firings
