"""Who may run, until when.

The process watcher is the second article's, to the letter: a row without an end time means that
somebody runs; a row older than three hours is taken for dead, deleted, and started afresh; its
answer is given to a caller who may look at it or not. The heartbeat is what that article would
change: the holder moves a timestamp, so that its death shows in minutes, and a holder that lost its
lease is turned away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from jobsim.effects import (
    NOW,
    WIDEST,
    Ago,
    Column,
    Delete,
    Insert,
    Param,
    Script,
    Select,
    Table,
    Update,
    all_of,
    column,
)

WATCHES = Table(
    "jobsim_process_watch",
    columns=(
        Column("id", "integer"),
        Column("kind", "text", width=WIDEST),
        Column("owner", "integer"),
        Column("start_time", "instant"),
        Column("seen_at", "instant"),
        Column("end_time", "instant", nullable=True),
    ),
    id_assigned=True,
)
"""One row a run of a kind; without an end time it is the lease of that kind."""


@dataclass(frozen=True)
class LeaseSettings:
    """What a lease may be told.

    Attributes
    ----------
    timeout_s
        A lease not renewed for this long is taken for dead. 180 min is the second article's number.
    renew_s
        How often a holder renews; None for never.
    enforced
        Whether a caller who was refused stays away. The article's caller never looked.
    release
        At the ``end`` of a run that came there, or ``finally``, whatever happened.
    """

    timeout_s: float = 180 * 60.0
    renew_s: float | None = None
    enforced: bool = False
    release: Literal["end", "finally"] = "end"


@dataclass(frozen=True)
class Lease:
    """A way of taking a lease with its settings, and the statements that they make."""

    name: str
    settings: LeaseSettings
    take: Acquire = field(repr=False, kw_only=True)
    watches: Table = WATCHES

    running: Select = field(init=False, repr=False)
    stale: Select = field(init=False, repr=False)
    insert_start: Insert = field(init=False, repr=False)
    delete_stale: Delete = field(init=False, repr=False)
    stamp_end: Update = field(init=False, repr=False)
    stamp_own_end: Update = field(init=False, repr=False)
    renewal: Update = field(init=False, repr=False)
    take_over: Update = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, statement in _statements(self.settings, self.watches).items():
            object.__setattr__(self, name, statement)

    def acquire(self, kind: str, me: int) -> Script[bool]:
        """Ask to run; whether the answer is yes."""
        return self.take(self, kind, me)

    def renew(self, kind: str, me: int) -> Script[bool]:
        """Say that this holder lives; whether it still holds the lease."""
        return (yield from self.renewal(kind, me)) == 1

    def release(self, kind: str, me: int) -> Script[bool]:
        """Stamp the end time; whether this run's own lease was there to stamp.

        The process watcher stamps whatever row of the kind is open, also somebody else's.
        """
        if self.fenced:
            return (yield from self.stamp_own_end(kind, me)) == 1
        return (yield from self.stamp_end(kind)) > 0

    @property
    def fenced(self) -> bool:
        return self.name == "heartbeat"


Acquire: TypeAlias = Callable[[Lease, str, int], Script[bool]]


def process_watcher(lease: Lease, kind: str, me: int) -> Script[bool]:
    """Start, unless somebody runs; a run older than the time-out is deleted."""
    if not (yield from lease.running(kind)):
        yield from lease.insert_start([(kind, me)])
        return True
    if (yield from lease.stale(kind)):
        yield from lease.delete_stale(kind)
        yield from lease.insert_start([(kind, me)])
        return True
    return False


def heartbeat(lease: Lease, kind: str, me: int) -> Script[bool]:
    """Start, unless somebody was seen lately; one guarded update takes a dead holder's place."""
    if (yield from lease.take_over(me, kind)) == 1:
        return True
    if not (yield from lease.running(kind)):
        yield from lease.insert_start([(kind, me)])
        return True
    return False


ACQUIRES: dict[str, Acquire] = {"process-watcher": process_watcher, "heartbeat": heartbeat}


def _statements(settings: LeaseSettings, watches: Table) -> dict[str, object]:
    """The statements of a lease with these settings, each built once."""
    kind = column("kind").equals(Param("kind"))
    is_open = all_of(kind, column("end_time").is_null())
    mine = all_of(kind, column("end_time").is_null(), column("owner").equals(Param("me")))
    unseen = column("seen_at").at_most(Ago(settings.timeout_s))
    stale = all_of(kind, column("end_time").is_null(), unseen)
    return {
        "running": Select("look", watches, ("id",), is_open),
        "stale": Select("look for stale", watches, ("id",), stale),
        "insert_start": Insert(
            "insert start",
            watches,
            ("kind", "owner"),
            constants=(("start_time", NOW), ("seen_at", NOW)),
        ),
        "delete_stale": Delete("delete stale", watches, stale),
        "stamp_end": Update("stamp end", watches, (("end_time", NOW),), is_open),
        "stamp_own_end": Update("stamp end", watches, (("end_time", NOW),), mine),
        "renewal": Update("renew", watches, (("seen_at", NOW),), mine),
        "take_over": Update(
            "take over",
            watches,
            (("owner", Param("me")), ("start_time", NOW), ("seen_at", NOW)),
            stale,
        ),
    }
