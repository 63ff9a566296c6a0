"""What a run leaves behind: one record an attempt, and a list of what was out of the ordinary.

Both drivers write through the same :class:`Recorder`; a live run's processes keep journals, which
are replayed into one afterwards. Everything that is measured is computed from these records.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from jobsim.effects import Attempt

if TYPE_CHECKING:
    import pandas as pd

OUTCOMES = (
    "completed",
    "failed",
    "refused",
    "unrecorded",
    "died",
    "raised",
    "unfinished",
    "skipped",
    "killed",
)
"""How an attempt ended: recorded as completed or failed; turned away by a fence; its finish was
lost and not sent again; its worker died, or stopped on an exception; the run ended before it did;
a lease kept it from running; its statement was killed."""
FINAL = ("completed", "failed", "skipped", "killed")
"""Outcomes after which a job is not run again."""

CODE = {outcome: code for code, outcome in enumerate(OUTCOMES)}

ATTEMPT_COLUMNS = (
    "job",
    "number",
    "worker",
    "claiming_s",
    "claimed_s",
    "started_s",
    "ended_s",
    "finished_s",
    "outcome",
)
"""Instants in seconds since the run began: of the claim's first statement, of its commit, of the
work's start and end, of the commit that recorded the end. NaN where it did not come to that."""

NOT_YET = (nan, nan, nan, nan)

EMPTY_COLUMNS = ("worker", "from_s", "to_s")


class Event(NamedTuple):
    """Something out of the ordinary.

    ``kind`` is one of ``died``, ``hung``, ``resumed``, ``raised`` (what a fault did to a worker at
    ``step``), ``reclaimed`` (a job was given back), ``refused`` (a fence), ``deadlock``,
    ``lock timeout``, ``changed since read``, ``killed``, ``limit exceeded``, ``connection lost``
    (thrown at ``step``), and the leases' and killers' own.
    ``job`` is 0 and ``number`` 0 where no attempt is meant; ``worker`` -1 where no worker is.
    """

    t_s: float
    kind: str
    worker: int
    job: int
    number: int
    step: str
    value: float = nan


LATEST = 9 * 1024
"""So many values of the latest attempts are kept together, one attempt after the other."""


class Attempts:
    """The records of attempts, a compact array a column; 53 MB a million.

    Attributes
    ----------
    columns
        By name, in the order of :data:`ATTEMPT_COLUMNS`; complete after :meth:`settle`.
    """

    __slots__ = ("_latest", "columns")

    def __init__(self) -> None:
        self.columns: dict[str, array[Any]] = {
            name: array(kind) for name, kind in zip(ATTEMPT_COLUMNS, "iiidddddb", strict=True)
        }
        self._latest = array("d")

    def add(self, *values: float) -> None:
        """One more attempt: a value for each column."""
        self._latest.extend(values)
        if len(self._latest) >= LATEST:
            self.settle()

    def settle(self) -> None:
        """Move the latest attempts into the columns: together it costs a tenth of one by one."""
        width, latest = len(self.columns), self._latest
        for at, column in enumerate(self.columns.values()):
            values = latest[at::width]
            column.extend(values if column.typecode == "d" else map(int, values))
        del latest[:]

    def frame(self) -> pd.DataFrame:
        """As a table, which shares the memory: nothing can be added from now on."""
        import numpy as np
        import pandas as pd

        self.settle()
        columns = {name: np.frombuffer(one, one.typecode) for name, one in self.columns.items()}
        outcome = pd.Categorical.from_codes(columns.pop("outcome"), pd.Index(OUTCOMES))
        return pd.DataFrame({**columns, "outcome": outcome}, copy=False)


@dataclass
class Recorder:
    """The records of one run.

    ``empty`` holds :data:`EMPTY_COLUMNS` one after the other, ``submitted`` the instant at which
    each job's row was in, in the order of their ids.
    """

    attempts: Attempts = field(default_factory=Attempts)
    empty: array[float] = field(default_factory=lambda: array("d"))
    submitted: array[float] = field(default_factory=lambda: array("d"))
    events: list[Event] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        """Attempts, events and empty claims, as tidy tables; the record is complete then."""
        import numpy as np
        import pandas as pd

        events = pd.DataFrame(self.events, columns=list(Event._fields))
        looks = np.frombuffer(self.empty, dtype=float).reshape(-1, len(EMPTY_COLUMNS))
        return self.attempts.frame(), events, pd.DataFrame(looks, columns=list(EMPTY_COLUMNS))


@dataclass
class Holder:
    """One worker's attempts in hand: follows them from the claim to their end."""

    worker: int
    recorder: Recorder
    claiming_s: float = nan
    claimed_s: float = nan
    in_hand: dict[Attempt, list[float]] = field(default_factory=dict)

    def claimed(self, attempts: Iterable[Attempt], claiming_s: float, t_s: float) -> None:
        """These attempts were claimed by a claim that began at ``claiming_s``."""
        for attempt in attempts:
            self.in_hand[attempt] = [claiming_s, t_s, nan, nan]

    def empty(self, from_s: float, to_s: float) -> None:
        """A claim found nothing."""
        self.recorder.empty.extend((self.worker, from_s, to_s))

    def started(self, attempt: Attempt, t_s: float) -> None:
        self.in_hand.setdefault(attempt, [*NOT_YET])[2:] = t_s, nan

    def ended(self, attempt: Attempt, t_s: float) -> None:
        self.in_hand[attempt][3] = t_s

    def finished(self, attempts: Sequence[Attempt], outcome: str, t_s: float) -> None:
        """The end of these attempts was recorded, or refused, at ``t_s``."""
        code = CODE[outcome]
        for attempt in attempts:
            times = self.in_hand.pop(attempt, NOT_YET)
            self.recorder.attempts.add(*attempt, self.worker, *times, t_s, code)

    def lost(self, outcome: str) -> None:
        """Whatever is in hand will not be finished by this worker."""
        self.finished(list(self.in_hand), outcome, nan)
