"""Statements on a shared server, and the killer that watches over them."""

from __future__ import annotations

from jobsim.effects import (
    Attempt,
    Connect,
    ConnectionLost,
    Deadlock,
    Kill,
    Killed,
    LimitExceeded,
    LockTimeout,
    ProcessList,
    Query,
    Script,
)
from jobsim.policies.killer import Killer
from jobsim.roles.common import claimed, connect, disconnect, finished, killed, sleep_until

process_list = ProcessList()
kill = Kill()
query = Query()


def client(log_in: Connect, number: int, touches: int | None) -> Script[None]:
    """One statement of the log on a connection of its own, as a web request has one.

    ``touches`` is the row that it locks first and holds to its end, or None.
    """
    yield from log_in()
    attempt = Attempt(number, 1)
    yield from claimed([attempt])
    try:
        outcome: str = yield from query(attempt, touches)
    except (Killed, LimitExceeded, ConnectionLost):
        outcome = "killed"
    except (Deadlock, LockTimeout):
        outcome = "failed"
    yield from finished([attempt], outcome)
    yield from disconnect()


def watch(killer: Killer) -> Script[None]:
    """Every interval look at the process list, and kill what the rule chooses."""
    yield from connect()
    round_number = 1
    while True:
        yield from sleep_until(round_number * killer.settings.interval_s)
        for victim in killer.choose((yield from process_list())):
            if (yield from kill(victim)):
                yield from killed(victim)
        round_number += 1
