"""Bringing the server's clock and the machine's to one origin."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from jobsim.live.driver import Start

LEAD_S = 0.02
"""From the word to the common start: everybody must have heard it by then."""


@dataclass(frozen=True)
class Clocks:
    """One instant by the machine's clock and by the server's, and the session that asked."""

    machine_s: float
    server: datetime
    session: int

    @classmethod
    def of(cls, control: sa.Connection) -> Clocks:
        """Ask several times: the quickest answer tells best."""
        control.exec_driver_sql("SET SESSION time_zone = '+00:00'")
        asked = []
        for _ in range(5):
            before_s = time.monotonic()
            at: Any = control.exec_driver_sql("SELECT NOW(6)").scalar()
            after_s = time.monotonic()
            asked.append((after_s - before_s, (before_s + after_s) / 2, at))
        _, machine_s, server = min(asked)
        session = int(control.exec_driver_sql("SELECT CONNECTION_ID()").scalar_one())
        return cls(machine_s, server, session)

    def start(self) -> Start:
        """A common start soon: when everybody has heard of it."""
        start_s = time.monotonic() + LEAD_S
        origin = self.server + timedelta(seconds=start_s - self.machine_s)
        return Start(start_s, origin, (self.session,))
