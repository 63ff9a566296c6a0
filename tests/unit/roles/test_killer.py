"""Statements on a shared server and the killer over them, played by hand."""

from typing import Any

import pytest

from jobsim import roles
from jobsim.effects import (
    Attempt,
    Connect,
    ConnectionLost,
    Deadlock,
    Killed,
    LimitExceeded,
    LockTimeout,
    Session,
)
from jobsim.policies.registry import find
from tests.unit.byhand import play

ONE = Attempt(4, 1)
OLD = Session(7, 42, "web", "Query", 90.0, "", "SELECT 1")


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("completed", "completed"),
        ("failed", "failed"),
        (Killed(), "killed"),
        (LimitExceeded(), "killed"),
        (ConnectionLost(), "killed"),
        (Deadlock(), "failed"),
        (LockTimeout(), "failed"),
    ],
    ids=str,
)
def test_a_statement_runs_on_a_connection_of_its_own_and_its_end_is_noted(
    reply: Any, outcome: str
) -> None:
    played = play(
        roles.client(Connect(user="web"), 4, touches=3),
        *(("connect", None), ("claimed", None), ("query", reply)),
        *(("finished", None), ("disconnect", None)),
    )
    assert played.arguments("query") == [(ONE, 3)]
    assert played.arguments("finished") == [([ONE], outcome)]


def test_the_killer_looks_each_interval_and_notes_what_it_killed() -> None:
    rule = find("killer", "busy-time").build({"interval_s": 30})
    played = play(
        roles.watch(rule),
        *(("connect", None), ("sleep", None), ("process list", [OLD]), ("kill", True)),
        *(("kill", None), ("sleep", None), ("process list", [])),
        open_end=True,
    )
    assert played.arguments("sleep") == [(30.0,), (60.0,)]
    assert played.arguments("kill") == [(OLD,), (OLD,)]


def test_a_victim_that_was_gone_already_is_not_noted() -> None:
    rule = find("killer", "busy-time").build()
    steps = (("sleep", None), ("process list", [OLD]), ("kill", False))
    played = play(roles.watch(rule), ("connect", None), *steps, open_end=True)
    assert played.arguments("kill") == [(OLD,)]
