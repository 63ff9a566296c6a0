"""Which statements die: a pure choice over a process list.

``busy-time`` is the second article's circuit breaker: every so often, kill whatever query has run
longer than 60 seconds. Its words are those of pt-kill, which operators know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from jobsim.effects import Column, Session, Table

SHARED = Table(
    "jobsim_shared", columns=(Column("id", "integer"), Column("hits", "integer", default=0))
)
"""Rows that several statements want: one a kind of statement."""


@dataclass(frozen=True)
class KillerSettings:
    """What a killer may be told.

    Attributes
    ----------
    busy_s
        A statement that has run longer than this is a candidate. 60 s is the second article's.
    interval_s
        Time between two looks at the process list; 60 s is a scheduled task's every minute.
    victims
        Which candidates die: the ``oldest``, ``all``, or ``all-but-oldest``.
    ignore_users, ignore_commands, ignore_info
        Never these: users and commands by name, statements by a regular expression.
    match_users, match_commands, match_info
        Only these, where given. Commands default to the two that run statements, so that neither a
        sleeping connection nor replication is met, and prepared statements are judged by their age
        like any other.
    needless_within_s
        A victim that had at most this much work left was killed needlessly.
    """

    busy_s: float = 60.0
    interval_s: float = 60.0
    victims: Literal["oldest", "all", "all-but-oldest"] = "all"
    ignore_users: tuple[str, ...] = ()
    ignore_commands: tuple[str, ...] = ()
    ignore_info: str | None = None
    match_users: tuple[str, ...] = ()
    match_commands: tuple[str, ...] = ("Query", "Execute")
    match_info: str | None = None
    needless_within_s: float = 1.0


@dataclass(frozen=True)
class Killer:
    """A rule for victims with its settings."""

    name: str
    settings: KillerSettings

    def choose(self, sessions: Sequence[Session]) -> list[Session]:
        """The sessions whose statement is to be killed, oldest first."""
        busy = [one for one in sessions if self.is_candidate(one)]
        busy.sort(key=lambda one: (-one.time_s, one.session))
        if self.settings.victims == "oldest":
            return busy[:1]
        return busy[1:] if self.settings.victims == "all-but-oldest" else busy

    def is_candidate(self, session: Session) -> bool:
        """Whether a session's statement has run too long, and may be killed at all."""
        rule = self.settings
        return (
            session.time_s > rule.busy_s
            and session.state != "Killed"
            and session.command in (rule.match_commands or (session.command,))
            and session.command not in rule.ignore_commands
            and session.user in (rule.match_users or (session.user,))
            and session.user not in rule.ignore_users
            and (rule.match_info is None or _found(rule.match_info, session))
            and (rule.ignore_info is None or not _found(rule.ignore_info, session))
        )


def _found(pattern: str, session: Session) -> bool:
    return re.search(pattern, session.info or "") is not None
