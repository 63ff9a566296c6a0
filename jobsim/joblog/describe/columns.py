"""The columns of a log as arrays, as the questions to it need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from jobsim.joblog.describe.calendar import Calendar
from jobsim.joblog.describe.running import Running
from jobsim.joblog.describe.times import Floats
from jobsim.joblog.table import JobLog


@dataclass(frozen=True, eq=False)
class Columns:
    """A log's times as arrays, one value a job in the order of submission; NaN is unknown."""

    log: JobLog

    @cached_property
    def calendar(self) -> Calendar:
        """Which hours and days its seconds are."""
        return Calendar.of(self.log)

    @cached_property
    def submit_s(self) -> Floats:
        """Ascending."""
        return self.log.jobs["submit_s"].to_numpy()

    @cached_property
    def start_s(self) -> Floats:
        """When the first attempt began."""
        return self.log.jobs["start_s"].to_numpy()

    @cached_property
    def run_s(self) -> Floats:
        """How long it ran."""
        return self.log.jobs["run_s"].to_numpy()

    @cached_property
    def runs_s(self) -> Floats:
        """The known run times, ascending."""
        return np.sort(self.run_s[~np.isnan(self.run_s)])

    @cached_property
    def waits_s(self) -> Floats:
        """The known waits, from submission to start."""
        waits_s = self.start_s - self.submit_s
        return waits_s[~np.isnan(waits_s)]

    @cached_property
    def begin_s(self) -> Floats:
        """The start, or the submission where the start is not known."""
        return np.where(np.isnan(self.start_s), self.submit_s, self.start_s)

    @cached_property
    def running(self) -> Running:
        """The jobs at work, as logged."""
        return Running.of(self.start_s, self.run_s)

    def longer_share(self, than_s: Floats) -> Floats:
        """The share of known run times that are longer than each of these."""
        shorter = np.searchsorted(self.runs_s, than_s, side="right")
        return np.asarray(1 - shorter / max(len(self.runs_s), 1))
