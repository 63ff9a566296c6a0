"""The vocabulary: what a policy may ask of the world, and what the world may throw back.

A policy is a *script*: a generator over effects. It says ``rows = yield from select(limit)`` and a
driver performs it, in a simulation or on a live database. Nothing here does anything.

An effect is built once and asked often: building carries what never changes (table, predicate,
label), asking carries the arguments of the moment. A driver therefore compiles each effect once.
Effects are compared by identity.
"""

from jobsim.effects.base import Effect, Request, Script
from jobsim.effects.predicate import (
    NOW,
    Ago,
    AllOf,
    AnyOf,
    Compare,
    More,
    Now,
    Param,
    Predicate,
    Value,
    all_of,
    any_of,
    column,
)
from jobsim.effects.session import (
    Begin,
    Commit,
    Connect,
    Disconnect,
    Isolation,
    Kill,
    ProcessList,
    Query,
    Rollback,
    Session,
)
from jobsim.effects.statement import Delete, Insert, OnLocked, Select, Update
from jobsim.effects.table import WIDEST, Column, Index, Table
from jobsim.effects.thrown import (
    ChangedSinceRead,
    ConnectionLost,
    Deadlock,
    DuplicateKey,
    Killed,
    LimitExceeded,
    LockTimeout,
    Raised,
    Thrown,
)
from jobsim.effects.worker import (
    Attempt,
    Clock,
    Note,
    Poll,
    Sleep,
    Spawn,
    Start,
    WaitForWork,
)

__all__ = [
    "NOW",
    "WIDEST",
    "Ago",
    "AllOf",
    "AnyOf",
    "Attempt",
    "Begin",
    "ChangedSinceRead",
    "Clock",
    "Column",
    "Commit",
    "Compare",
    "Connect",
    "ConnectionLost",
    "Deadlock",
    "Delete",
    "Disconnect",
    "DuplicateKey",
    "Effect",
    "Index",
    "Insert",
    "Isolation",
    "Kill",
    "Killed",
    "LimitExceeded",
    "LockTimeout",
    "More",
    "Note",
    "Now",
    "OnLocked",
    "Param",
    "Poll",
    "Predicate",
    "ProcessList",
    "Query",
    "Raised",
    "Request",
    "Rollback",
    "Script",
    "Select",
    "Session",
    "Sleep",
    "Spawn",
    "Start",
    "Table",
    "Thrown",
    "Update",
    "Value",
    "WaitForWork",
    "all_of",
    "any_of",
    "column",
]
