"""What things cost on the modelled server: measured, or nought.

The defaults were measured on MariaDB 10.11 (see ``calibrated``); ``zero`` makes every statement
instantaneous, which is what closed forms of queueing theory suppose.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, fields, replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from jobsim.effects import Isolation
from jobsim.errors import UsageError


@dataclass(frozen=True)
class Costs:
    """Seconds of processor time, and how they scatter.

    Attributes
    ----------
    send_s
        The client's own time for a statement: building it, sending it, reading the reply.
    begin_s, commit_s, rollback_s, select_s, lock_s, update_s, insert_s, delete_s
        The server's time for a statement that touches one row; ``lock_s`` is a locking select.
    held_s
        How much of that time comes after the first lock was taken; reading, parsing and planning
        come before.
    examined_s, changed_s
        The server's time for each further row examined or changed.
    dead_s, dead_committed_s
        The server's time to step over one delete-marked index entry, under REPEATABLE READ and
        under READ COMMITTED (which locks and unlocks it).
    deadlock_s
        Detecting a deadlock and rolling its victim back.
    switch_s
        From a lock's release until the waiting statement runs on.
    notice_s
        From a client's death until the server frees what it held.
    scatter
        Coefficient of variation of each of these times (lognormal), without the few that stall.
    stalls, stall_mean
        The share of these times that stall on the way (another process has the processor, a buffer
        is written out), and by how many times their mean (exponential). The means above are those
        with stalls.
    purge_s
        Time between two purges of delete-marked entries.
    lock_wait_s
        The server's lock wait timeout.
    processors
        How many statements and clients can compute at once, on one host.
    """

    send_s: float = 0.0
    begin_s: float = 0.0
    commit_s: float = 0.0
    rollback_s: float = 0.0
    select_s: float = 0.0
    lock_s: float = 0.0
    update_s: float = 0.0
    insert_s: float = 0.0
    delete_s: float = 0.0
    held_s: float = 0.0
    examined_s: float = 0.0
    changed_s: float = 0.0
    dead_s: float = 0.0
    dead_committed_s: float = 0.0
    deadlock_s: float = 0.0
    switch_s: float = 0.0
    notice_s: float = 0.0
    scatter: float = 0.0
    stalls: float = 0.0
    stall_mean: float = 0.0
    purge_s: float = 1.0
    lock_wait_s: float = 50.0
    processors: int = 2
    calibrated: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.stalls * self.stall_mean < 1:
            told = f"{self.stalls:g} times {self.stall_mean:g}"
            raise UsageError(f"stalls x stall_mean is {told}; it takes a product below 1")

    def factors(self, rng: np.random.Generator, count: int) -> list[float]:
        """Draw what so many times are multiplied by: 1 in the mean."""
        sigma = float(np.sqrt(np.log1p(self.scatter**2)))
        usual = rng.lognormal(-sigma * sigma / 2, sigma, count)
        stalled = (rng.random(count) < self.stalls) * rng.exponential(self.stall_mean, count)
        drawn: list[float] = (usual * (1 - self.stalls * self.stall_mean) + stalled).tolist()
        return drawn

    def dead_entry_s(self, isolation: Isolation) -> float:
        """The time to step over a delete-marked index entry."""
        return self.dead_committed_s if isolation == "read-committed" else self.dead_s

    def to_toml(self) -> str:
        """As a file that ``--costs`` takes."""
        lines = []
        for name, value in asdict(self).items():
            lines.append(f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value!r}")
        return "\n".join(lines) + "\n"


ZERO = Costs(calibrated="every statement instantaneous")

DEFAULT = Costs(
    send_s=60e-6,
    begin_s=25e-6,
    commit_s=45e-6,
    rollback_s=45e-6,
    select_s=320e-6,
    lock_s=290e-6,
    update_s=195e-6,
    insert_s=195e-6,
    delete_s=195e-6,
    held_s=70e-6,
    examined_s=0.4e-6,
    changed_s=6e-6,
    dead_s=0.06e-6,
    dead_committed_s=1.0e-6,
    deadlock_s=220e-6,
    switch_s=30e-6,
    notice_s=1e-3,
    scatter=0.25,
    stalls=0.01,
    stall_mean=5.4,
    calibrated="a step trace of one worker, MariaDB 10.11, relaxed durability, two shared cores",
)
"""Means over four traces of 800 claims and finishes by one worker with nothing to wait for (they
differed by a factor of 1.5), the trace's own time taken off. A statement's time splits into what
every statement costs its client, and the rest. Half of the times are within 12 to 25 % of their
median, one in a hundred is 3 to 4 times as long, and the variation of all is 0.6 to 1.1:
``scatter`` and the stalls say that. ``held_s`` is by the server's own stages (SHOW PROFILE), in
which a lock is held for half of an UPDATE and for a third of a locking SELECT. The costs of dead
entries and of a deadlock are from a comparison of claims with and without them."""

BUILT_IN = {"default": DEFAULT, "zero": ZERO}


def read_costs(name: str | Path) -> Costs:
    """A built-in set of costs by name, or a calibration's file.

    Raises
    ------
    UsageError
        No such file, or one that holds what costs do not have.
    """
    if str(name) in BUILT_IN:
        return BUILT_IN[str(name)]
    path = Path(name)
    if not path.is_file():
        raise UsageError(f"no costs file {name}; built in are {', '.join(BUILT_IN)}")
    try:
        given = tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}: not a costs file: {error}") from None
    known = {field.name: field.type for field in fields(Costs)}
    for key, value in given.items():
        if key not in known:
            raise UsageError(f"{name}: unknown cost {key}; known: {', '.join(known)}")
        if wanted := _unfit(key, value):
            raise UsageError(f"{name}: {key} = {value!r}: it takes {wanted}")
    try:
        return replace(DEFAULT, **given)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None


def _unfit(key: str, value: Any) -> str | None:
    """What a cost would have to be, where it is not."""
    if key == "calibrated":
        return None if isinstance(value, str) else "a text"
    if key == "processors":
        return None if type(value) is int and value >= 1 else "a whole number from 1"
    if type(value) not in (int, float) or not 0 <= value < inf:
        return "a number from 0"
    return "a number above 0" if key == "purge_s" and value == 0 else None
