"""What a policy does, step by step: its scripts run over a world of one row.

Nothing is written a second time here: the scripts themselves are played, and each thing that they
ask for is printed with its label and, where it is a statement, its SQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from jobsim import roles
from jobsim.effects import (
    Clock,
    Connect,
    Delete,
    Disconnect,
    Effect,
    Insert,
    Kill,
    Note,
    Poll,
    ProcessList,
    Query,
    Request,
    Script,
    Select,
    Session,
    Sleep,
    Spawn,
    Start,
    Update,
    WaitForWork,
)
from jobsim.errors import UsageError
from jobsim.policies.lease import Lease
from jobsim.policies.queue import Queue
from jobsim.policies.registry import POLICIES
from jobsim.policies.settings import read_settings
from jobsim.roles.common import give_up
from jobsim.run import FIRING, STATEMENT, Run
from jobsim.scenario import DatabaseSettings, parse_assignments
from jobsim.words import nearest

LIMIT = 60
"""Steps after which a script is taken to repeat itself."""

ONE_JOB, ONE_ATTEMPT = 1, 0


@dataclass(frozen=True)
class Step:
    """One thing that a script asks for: whose script, the label, what is asked, and its SQL."""

    part: str
    label: str
    asks: str
    sql: str | None = None


VICTIM = Session(7, 42, "somebody", "Query", inf, "Sending data", "SELECT ...")
"""A statement that is older than any limit."""


class OneRow:
    """A world with a single row: what is selected is there the first time, and taken after it."""

    def __init__(self) -> None:
        self.renewed = False

    def reply(self, effect: Effect[Any], arguments: tuple[Any, ...], seen: int) -> Any:
        """What this world answers; ``seen`` is how often this effect was asked for before."""
        if isinstance(effect, Select):
            row = tuple(ONE_ATTEMPT if c == "attempts" else ONE_JOB for c in effect.columns)
            return [row] if seen == 0 else []
        if isinstance(effect, (Update, Insert, Delete)):
            return 1
        if isinstance(effect, WaitForWork):
            if arguments[0] is not None and not self.renewed:
                self.renewed = True
                return "time"
            return "completed"
        if isinstance(effect, ProcessList):
            return [VICTIM]
        return {Query: "completed", Clock: 0.0, Kill: True}.get(type(effect))


def steps(part: str, script: Script[None], dialect: str) -> Iterator[Step]:
    """The steps of a script in a world of one row, each effect once."""
    for effect, arguments in asked(script):
        yield Step(part, effect.label, asks(effect), sql(effect, arguments, dialect))


def asked(script: Script[None]) -> Iterator[Request]:
    """What a script asks for in a world of one row, each effect once, notes left out."""
    world, seen = OneRow(), dict[Effect[Any], int]()
    reply = None
    for _ in range(LIMIT):
        try:
            effect, arguments = script.send(reply)
        except StopIteration:
            return
        times = seen.get(effect, 0)
        if isinstance(effect, Poll) and times:
            return
        if not times and not isinstance(effect, Note):
            yield effect, arguments
        seen[effect] = times + 1
        reply = world.reply(effect, arguments, times)


ASKS: dict[type[Effect[Any]], str] = {
    Connect: "open a connection",
    Disconnect: "close the connection",
    Start: "begin the job's work",
    WaitForWork: "wait for the work",
    Sleep: "sleep until an instant",
    Poll: "sleep, then look again",
    Spawn: "start a process",
    ProcessList: "list every session",
    Kill: "kill a statement",
    Query: "run the statement",
    Clock: "ask for the time",
}


def asks(effect: Effect[Any]) -> str:
    """What an effect asks for, in a few words; empty where its SQL says it."""
    return ASKS.get(type(effect), "")


def sql(effect: Effect[Any], arguments: tuple[Any, ...], dialect: str) -> str | None:
    """The SQL that an effect sends, None where it sends none."""
    from jobsim.live.sqltext import sql_text

    return sql_text(effect, dialect)


def check_steps(run: Run) -> None:
    """Refuse a fault at a step that none of a run's scripts has: it would never come about.

    Raises
    ------
    UsageError
        No such step; names the nearest.
    """
    known = step_labels(run) if any(fault.at for fault in run.faults) else []
    for fault in run.faults:
        if fault.at is not None and fault.at not in known:
            raise UsageError(f"fault {fault}: no step {fault.at!r}; {nearest(fault.at, known)}")


def step_labels(run: Run) -> list[str]:
    """The label of every step that somebody in a run may come to."""
    spawned = [
        run.spawned(role, int(rows[0]) + 1)
        for role, what in (("firing", FIRING), ("statement", STATEMENT))
        if len(rows := (run.load.what == what).nonzero()[0])
    ]
    parts = [*run.cast, *spawned]
    labels = [effect.label for part in parts for effect, _ in asked(part.begin())]
    return list(dict.fromkeys([*labels, give_up.label]))


def explain_policy(name: str, dialect: str, settings: list[str]) -> list[Step]:
    """Every step of every script that a policy plays a part in, in order.

    Raises
    ------
    UsageError
        No policy of this name, or parameters that it cannot take.
    """
    return [
        step
        for part, script in scripts(name, settings).items()
        for step in steps(part, script, dialect)
    ]


def scripts(name: str, settings: list[str]) -> dict[str, Script[None]]:
    """The scripts of a policy by who plays them."""
    policy = built(name, settings)
    if isinstance(policy, Queue):
        played = {
            "submitter": roles.submitter(policy, [(0.0, [(1, "zip", 0, 0.0)])]),
            "worker": roles.worker(policy, 0, 1.0, notify=False),
        }
        reaps = policy.settings.reclaim != "never"
        return played | ({"reaper": roles.reaper(policy)} if reaps else {})
    if isinstance(policy, Lease):
        return {"firing": roles.firing(policy, "nightly", 1)}
    return {"killer": roles.watch(policy)}


def built(name: str, settings: list[str]) -> Any:
    """A policy of any family with its parameters, on the table as the scenario indexes it."""
    given = parse_assignments(settings)
    known = {policy.name: policy for policy in POLICIES}
    if name not in known:
        raise UsageError(f"unknown policy {name!r}; {nearest(name, list(known))}")
    policy = known[name].build(given.get(known[name].family))
    if isinstance(policy, Queue):
        database = read_settings("database", DatabaseSettings, dict(given.get("database", {})))
        return replace(policy, jobs=policy.jobs.indexed(*database.indexes))
    return policy


def table_ddl(name: str, dialect: str, settings: list[str]) -> str:
    """The tables of a policy, as SQL."""
    from jobsim.live.schema import ddl

    policy = built(name, settings)
    table = policy.jobs if isinstance(policy, Queue) else getattr(policy, "watches", None)
    return "" if table is None else ddl(table, dialect)
