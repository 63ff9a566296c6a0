"""Records of a service as a job log: which members of them are which column of the tidy table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from jobsim.errors import UsageError
from jobsim.joblog.ci.records import Record, pick
from jobsim.joblog.faultlist import refuse, shown
from jobsim.joblog.files import log_name
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import Reading
from jobsim.joblog.statuses import outcomes
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular.frame import from_frame
from jobsim.joblog.tabular.names import split
from jobsim.words import nearest

FEWEST = 20
"""So many runs without a failure are remarkable."""


@dataclass(frozen=True)
class Shape:
    """What one kind of record holds.

    Attributes
    ----------
    paths
        Where each target of a `Reading` may be, the best first: ``actor.login`` is the member
        ``login`` of the member ``actor``.
    status
        Where it says how far a record is that has no outcome yet.
    outcomes
        What words mean that mean something else, or nothing, in other systems.
    """

    paths: Mapping[str, Sequence[str]]
    status: str
    outcomes: Mapping[str, str] = field(default_factory=dict)


class Export:
    """The records of a file while they become a log.

    UsageError if the user names a column that is not there.

    Attributes
    ----------
    frame
        The columns that hold something, named by their path.
    column
        The path of each target that was found.
    key
        What attempts at one job have in common, where each has an id of its own.
    """

    def __init__(self, records: Sequence[Record], shape: Shape, reading: Reading, path: Path):
        self.records, self.shape, self.reading, self.path = records, shape, reading, path
        self.notes = Notes()
        self.key: pd.Series[Any] | None = None
        wanted = {each for paths in shape.paths.values() for each in paths}
        cells = {each: self.cells(each) for each in sorted(wanted | {shape.status})}
        self.frame = pd.DataFrame({each: own for each, own in cells.items() if own.notna().any()})
        self._take_named(reading.columns)
        self.column = {
            target: next(each for each in paths if each in self.frame)
            for target, paths in shape.paths.items()
            if any(each in self.frame for each in paths)
        } | dict(reading.columns)
        self._merge_status()

    def cells(self, path: str) -> pd.Series[Any]:
        """What each record holds there."""
        found = [pick(record, path) for record in self.records]
        return pd.Series(found, dtype="object").replace("", None)

    def _take_named(self, said: Mapping[str, str]) -> None:
        """Have the columns that the user names, too."""
        for target, path in said.items():
            cells = self.cells(path)
            if cells.isna().all() and not any(path in each for each in self.records):
                names = sorted({name for each in self.records for name in each})
                what = f"{self.path}: there is no {shown(path)} for --map {target}=..."
                raise UsageError(f"{what}; {nearest(path, names)}")
            self.frame[path] = cells

    def _merge_status(self) -> None:
        """Have the outcome say how far a record is where it has no outcome yet."""
        status = self.shape.status
        if "outcome" not in self.column or status not in self.frame:
            return
        outcome = self.column["outcome"]
        words = self.frame[outcome].mask(self.frame[outcome] == "none")
        self.frame[outcome] = words.fillna(
            self.frame[status].mask(self.frame[status] == "completed")
        )

    def blank(self, targets: Sequence[str], where: pd.Series[bool], reason: str) -> None:
        """Leave these targets missing in some rows, and note it."""
        self.notes.add(reason, where)
        for target in targets:
            if target in self.column:
                column = self.column[target]
                self.frame[column] = self.frame[column].mask(where)

    def leave_out(self, *targets: str) -> None:
        """Forget where these are, unless the user says it."""
        for target in targets:
            if target not in self.reading.columns:
                self.column.pop(target, None)

    def words(self) -> pd.Series[Any]:
        """The outcomes as the service calls them."""
        if "outcome" in self.column:
            return self.frame[self.column["outcome"]]
        return pd.Series(None, index=self.frame.index, dtype="object")

    def log(self) -> JobLog:
        """The log; a run that had not ended has no run time, each run is in it once."""
        if not self.column.keys() & {"submit", "start"}:
            names = ", ".join(self.shape.paths["submit"])
            refuse(str(self.path), "no run says when it was created", f"one of {names} in each")
        said = {**self.shape.outcomes, **self.reading.outcomes}
        _, open_ = outcomes(self.words(), said, Notes(), "status")
        self.blank(("end", "run"), open_, "marked: not ended when the log was made, no run time")
        skipped = self.words().eq("skipped")
        what = "mended: skipped, start and run time left missing"
        self.blank(("start", "end", "run"), skipped, what)
        self._drop_duplicates()
        if self.key is not None:
            self.frame = self.frame.assign(key=self.key)
            self.column["id"] = "key"
        used = [*dict.fromkeys(self.column.values())]
        log = from_frame(
            self.frame[used].reset_index(drop=True),
            replace(self.reading, columns=self.column, outcomes=said, units=self._units()),
            name=log_name(self.path),
            source=str(self.path),
            notes=self.notes.taken,
        )
        return _marked(log)

    def _units(self) -> dict[str, str]:
        run = {"run": split(self.column["run"])[1] or "s"} if "run" in self.column else {}
        return run | dict(self.reading.units)

    def _drop_duplicates(self) -> None:
        """Pages fetched while runs are added overlap: of a run's records, the last to end."""
        if "id" not in self.column or "id" in self.reading.columns:
            return
        end = self.column.get("end") or self.column.get("run") or self.column["id"]
        by_end = self.frame[end].astype("str").where(self.frame[end].notna())
        ordered = by_end.sort_values(kind="stable", na_position="first").index
        ids = self.frame[self.column["id"]].loc[ordered]
        again = ids.notna() & ids.duplicated(keep="last")
        self.notes.add("dropped: a run that comes a second time", again)
        self.frame = self.frame[~again.sort_index()]


def without_starts(log: JobLog, reason: str) -> JobLog:
    """The log without starts, where those that the service gives are none."""
    notes = Notes(log.notes)
    notes.add(reason, len(log))
    return replace(log, jobs=log.jobs.assign(start_s=np.nan), notes=notes.taken)


def _marked(log: JobLog) -> JobLog:
    """The log with a note if every run in it succeeded."""
    if len(log) < FEWEST or not (log.jobs["outcome"] == "completed").all():
        return log
    notes = Notes(log.notes)
    notes.add(
        "marked: every run succeeded; it seems that those that did not were left out", len(log)
    )
    return replace(log, notes=notes.taken)
