"""What the server and the machine counted during a run.

None of the server's counters can be reset, so differences are taken; on a server with other
sessions they include what those did.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

STATUS = {
    "lock_waits": "Innodb_row_lock_waits",
    "lock_wait_ms": "Innodb_row_lock_time",
    "statements": "Questions",
}
HANDLERS = ("Handler_read_first", "Handler_read_key", "Handler_read_last", "Handler_read_next",
            "Handler_read_prev", "Handler_read_rnd", "Handler_read_rnd_next")  # fmt: skip
"""Each row that a statement looks at counts under one of these."""
METRICS = {"deadlocks": "lock_deadlocks", "lock_timeouts": "lock_timeouts"}
"""Counted by default by both servers."""


class ServerCounters:
    """Counts of one run: read at its start, then again at its end.

    Parameters
    ----------
    control
        The supervisor's own connection, whose statements are left out.
    connect
        Opens a session as a script does, and gives what closes it.
    """

    def __init__(self, control: sa.Connection, connect: Callable[[], Callable[[], None]]) -> None:
        self.control = control
        self.own_statements = 0
        self._before = Counter[str]()
        first, second = _read(control), _read(control)
        self._reading = _difference(second, first)
        close = connect()
        opened = _difference(_difference(_read(control), second), self._reading)
        self._opening_statements = opened["statements"]
        close()

    def begin(self) -> None:
        """What is counted from now on is the run's."""
        self._before = _read(self.control)

    def ask(self, sql: str) -> bool:
        """Whether a query of the supervisor's own finds a row; it is left out of the counts."""
        self.own_statements += 1
        return self.control.exec_driver_sql(sql).first() is not None

    def counted(self, opened: int = 0, closed: int = 0) -> dict[str, int]:
        """What the statements of scripts came to since the beginning.

        The server also counts as statements what it takes to open and to close a session: so many
        ``opened`` and ``closed`` since the beginning are left out.
        """
        counts = _difference(_difference(_read(self.control), self._before), self._reading)
        counts["statements"] -= self.own_statements + opened * self._opening_statements + closed
        return {name: max(0, count) for name, count in counts.items()}


def _read(control: sa.Connection) -> Counter[str]:
    rows = control.exec_driver_sql(
        "SHOW GLOBAL STATUS WHERE Variable_name IN " + _listed([*STATUS.values(), *HANDLERS])
    )
    status = {str(name): int(value) for name, value in rows}
    counts = Counter({name: status[variable] for name, variable in STATUS.items()})
    counts["rows_examined"] = sum(status.get(name, 0) for name in HANDLERS)
    with suppress(sa.exc.DBAPIError):  # needs the PROCESS privilege
        metrics = control.exec_driver_sql(
            "SELECT NAME, COUNT FROM information_schema.INNODB_METRICS WHERE NAME IN "
            + _listed(METRICS.values())
        )
        found = {str(name): int(count) for name, count in metrics}
        counts.update({name: found[metric] for name, metric in METRICS.items() if metric in found})
    return counts


def _difference(later: Mapping[str, int], earlier: Mapping[str, int]) -> Counter[str]:
    # subtracting counters would drop what did not change
    return Counter({name: count - earlier.get(name, 0) for name, count in later.items()})


def _listed(names: Iterable[str]) -> str:
    return "(" + ", ".join(f"'{name}'" for name in names) + ")"


@dataclass(frozen=True)
class Processor:
    """Seconds on the processor, and runnable but waiting for one, of clients and server.

    A descheduled holder of a lock looks like contention, so this stands beside every live number.
    """

    client_s: float
    client_queued_s: float
    server_s: float | None
    server_queued_s: float | None
    wall_s: float
    processors: int

    @property
    def busy(self) -> float:
        """Share of the machine that the run used."""
        used_s = self.client_s + (self.server_s or 0.0)
        return used_s / (self.wall_s * self.processors) if self.wall_s else 0.0

    @property
    def waiting(self) -> float:
        """How many of the run's threads waited for a processor, on average over the run."""
        queued_s = self.client_queued_s + (self.server_queued_s or 0.0)
        return queued_s / self.wall_s if self.wall_s else 0.0

    @property
    def cpu_bound(self) -> bool:
        """Whether the processor, not the locks, may have set the pace; whoever else used it."""
        return self.busy > BOUND_BUSY or self.waiting > BOUND_WAITING


BOUND_BUSY = 0.8
BOUND_WAITING = 0.25


@dataclass(frozen=True)
class ProcessorReading:
    """A reading of the kernel's accounts of some processes, at an instant."""

    clients: dict[int, tuple[float, float]]
    server: dict[int, tuple[float, float]]
    at_s: float

    @classmethod
    def take(cls, clients: Iterable[int], server: int | None, at_s: float) -> ProcessorReading:
        found = {pid: one for pid in clients if (one := _schedstat(Path(f"/proc/{pid}")))}
        return cls(found, {} if server is None else _threads(server), at_s)

    def until(self, later: ProcessorReading) -> Processor | None:
        """What was used in between; None where the kernel does not say (not Linux)."""
        if not later.clients:
            return None
        client_s, client_queued_s = _used(self.clients, later.clients)
        server_s, server_queued_s = _used(self.server, later.server)
        seen = bool(later.server)
        return Processor(
            client_s,
            client_queued_s,
            server_s if seen else None,
            server_queued_s if seen else None,
            later.at_s - self.at_s,
            os.cpu_count() or 1,
        )


def _threads(pid: int) -> dict[int, tuple[float, float]]:
    with suppress(OSError):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return {int(task.name): one for task in tasks if (one := _schedstat(task))}
    return {}


def _schedstat(task: Path) -> tuple[float, float] | None:
    """Seconds run, and seconds runnable without running, of one thread."""
    with suppress(OSError, ValueError):
        ran, queued, _ = (task / "schedstat").read_text().split()
        return int(ran) / 1e9, int(queued) / 1e9
    return None


def _used(
    before: Mapping[int, tuple[float, float]], after: Mapping[int, tuple[float, float]]
) -> tuple[float, float]:
    spans = [(a, before.get(task, (0.0, 0.0))) for task, a in after.items()]
    return sum(a[0] - b[0] for a, b in spans), sum(a[1] - b[1] for a, b in spans)
