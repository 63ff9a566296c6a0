"""A foreign table while it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from jobsim.joblog.faultlist import FaultList, shown
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import UNITS, Reading
from jobsim.joblog.tabular.missing import blanked
from jobsim.joblog.tabular.names import split

Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]

RECORD = (
    "record one: jobsim record run --append jobs.csv -- COMMAND, or"
    " jobsim record table --database URL --table T --every 2s"
)
MOMENT = "2024-05-13 10:20:30"
"""How a point in time is best written."""

HOW_TO_SAY = "another column (--map), a unit or format (--unit), or an empty cell where unknown"


@dataclass
class Table:
    """A foreign table while it is read.

    Attributes
    ----------
    columns
        The column of each target, said or guessed.
    line_of
        Gives the line of a row (numbered from 0), for messages.
    """

    frame: pd.DataFrame
    reading: Reading
    source: str
    notes: Notes
    faults: FaultList
    line_of: Callable[[int], int] | None
    columns: Mapping[str, str] = field(default_factory=dict)

    def cells(self, target: str) -> pd.Series[Any] | None:
        """The cells of a target, with unknown ones missing; None where no column holds it."""
        name = self.columns.get(target)
        return None if name is None else blanked(self.frame[name])

    def wrong(self, target: str, mask: Mask, right: str) -> None:
        """Add a fault for each of these cells."""
        name = self.columns[target]
        for row in np.flatnonzero(mask):
            text = shown(str(self.frame[name].iloc[row]))
            if self.line_of is None:
                self.faults.add(f"row {row + 1}: {text} is {right}", HOW_TO_SAY, column=name)
            else:
                self.faults.add(f"{text} is {right}", HOW_TO_SAY, self.line_of(int(row)), name)

    def unit(self, target: str) -> str:
        """The unit that is said of a target's column, or that the column's name ends in."""
        ending = split(self.columns[target])[1]
        return self.reading.units.get(target) or (ending if ending in UNITS[target] else "")
