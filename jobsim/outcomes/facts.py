"""What happened in one run, as tables: the one thing that every metric is computed from.

Both drivers leave a :class:`~jobsim.events.Recorder`; :meth:`Facts.of` joins it to the jobs. How
the instants relate:

- a job is **due** at ``due_s``, and **final** at the first finish that was accepted as completed
  or failed, or by which it was skipped or killed for good (``final_s``);
- an attempt is **live** from ``started_s`` to ``gone_s``: to the commit that recorded its end, else
  to the death of its worker, else to the end of the run;
- its work **ran to its end** where ``ended_s`` is known, whatever became of the finish.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from jobsim.events import CODE, EMPTY_COLUMNS, FINAL, Recorder
from jobsim.outcomes.arrays import (
    Flags,
    Floats,
    Whole,
    among,
    column,
    first_of_each,
    first_since,
    rows_of,
    slices,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

WHAT = ("job", "firing", "statement")
"""What a row is: a row of the queue's table, a scheduled run under a lease, or a statement on the
server, which a killer watches."""
LOST = (CODE["died"], CODE["raised"])
ENDS = (*FINAL, "dead", "unfinished")
"""How a job may end."""
DEAD_LETTER = "dead letter"
"""Kind of the event by which a policy puts a job aside for good."""


class Load(Protocol):
    """The jobs of a run; job ``k`` has id ``k + 1``, and they are due in order."""

    @property
    def submit_s(self) -> Floats: ...
    @property
    def run_s(self) -> Floats: ...
    @property
    def fails(self) -> Flags: ...
    @property
    def kind(self) -> NDArray[np.integer[Any]]: ...
    @property
    def kinds(self) -> tuple[str, ...]: ...
    @property
    def what(self) -> NDArray[np.int8]: ...


@dataclass(frozen=True, eq=False)
class Facts:
    """The records of one run. All instants are in seconds since the run began.

    Attributes
    ----------
    jobs
        One row a job, in the order in which they fall due: ``job`` (1..n), ``what`` (category of
        :data:`WHAT`), ``kind`` (category), ``due_s``, ``run_s`` (how long its work takes),
        ``fails`` (whether it ends as failed, by the log), ``submitted_s`` (when its row was
        inserted; NaN where it was not).
    attempts
        One row an attempt: the recorder's columns, and ``gone_s``.
    events, empty
        What was out of the ordinary, and the claims that found nothing.
    counts
        What the driver counted. A key that is absent was not measured.
    workers
        How many workers there were.
    end_s
        When the run ended, see :func:`end_of_run_s`.
    claim_shows
        Whether a claim changes the status that others read: not where the claim tells nobody, or
        where the work is done inside the claim's transaction. Only the visible age needs it.
    found
        What was found out from these facts already, see :func:`found_once`.
    """

    jobs: pd.DataFrame
    attempts: pd.DataFrame
    events: pd.DataFrame
    empty: pd.DataFrame
    counts: Mapping[str, float]
    workers: int
    end_s: float
    claim_shows: bool = True
    found: dict[str, Any] = field(default_factory=dict, repr=False, init=False)

    @classmethod
    def of(
        cls,
        recorder: Recorder,
        load: Load,
        *,
        workers: int,
        until_s: float,
        claim_shows: bool = True,
    ) -> Facts:
        """The facts of a run that played ``load`` and was to be stopped at ``until_s``."""
        attempts, events, empty = recorder.frames()
        events = events.astype({"t_s": float, "worker": int, "job": int, "value": float})
        empty = empty.astype(dict.fromkeys(EMPTY_COLUMNS, float))
        final_s = finals_s(len(load.submit_s), attempts, events)
        end_s = end_of_run_s(final_s, attempts, events, recorder.submitted, until_s)
        attempts["gone_s"] = _gone_s(attempts, events, end_s)
        jobs = _jobs(load, recorder.submitted, end_s)
        counts = dict(recorder.counts)
        return cls(jobs, attempts, events, empty, counts, workers, end_s, claim_shows)

    @cached_property
    def due_s(self) -> Floats:
        return column(self.jobs, "due_s")

    @cached_property
    def at(self) -> Whole:
        """Which row of ``jobs`` each attempt belongs to."""
        return rows_of(self.attempts["job"])

    @cached_property
    def outcome(self) -> NDArray[np.int8]:
        """How each attempt ended: a code of :data:`jobsim.events.CODE`."""
        return _codes(self.attempts)

    @cached_property
    def first_start_s(self) -> Floats:
        """When each job's first attempt started; inf where none did."""
        return first_of_each(self.at, column(self.attempts, "started_s"), len(self.jobs))

    @cached_property
    def final_s(self) -> Floats:
        """When each job came to its final state; inf where it did not."""
        return finals_s(len(self.jobs), self.attempts, self.events)

    @cached_property
    def end(self) -> NDArray[np.int8]:
        """How each job ended: a place in :data:`ENDS`."""
        end = np.full(len(self.jobs), ENDS.index("unfinished"), dtype=np.int8)
        end[befallen(self.events, DEAD_LETTER)[0]] = ENDS.index("dead")
        first = self._finally()
        for word in reversed(FINAL):
            end[self.at[first & (self.outcome == CODE[word])]] = ENDS.index(word)
        return end

    def _finally(self) -> Flags:
        """Whether each attempt was recorded at the instant at which its job became final."""
        finished_s, found = column(self.attempts, "finished_s"), np.empty(len(self.at), dtype=bool)
        for some in slices(len(found)):
            found[some] = finished_s[some] == self.final_s[self.at[some]]
        return found

    @cached_property
    def what(self) -> NDArray[np.int8]:
        """What each job is: a place in :data:`WHAT`."""
        return np.asarray(self.jobs["what"].cat.codes, dtype=np.int8)

    def are(self, what: str) -> Flags:
        """Whether each job is this."""
        return np.equal(self.what, WHAT.index(what))

    def ended_as(self, *words: str) -> Flags:
        """Whether each job ended so."""
        return among(self.end, map(ENDS.index, words))


Found = TypeVar("Found")


def found_once(find: Callable[[Facts], Found]) -> Callable[[Facts], Found]:
    """Let a finding that several metrics need be made once for each run."""

    @wraps(find)
    def known(facts: Facts) -> Found:
        if find.__name__ not in facts.found:
            facts.found[find.__name__] = find(facts)
        found: Found = facts.found[find.__name__]
        return found

    return known


def of_kinds(events: pd.DataFrame, *kinds: str) -> Flags:
    """Which events are of these kinds."""
    return among(events["kind"].to_numpy(dtype=object), kinds)


def befallen(events: pd.DataFrame, *kinds: str) -> tuple[Whole, Floats]:
    """Which rows of the jobs events of these kinds befell, and when."""
    some = of_kinds(events, *kinds) & (events["job"].to_numpy() > 0)
    return rows_of(events["job"][some]), column(events, "t_s")[some]


def met(events: pd.DataFrame, *kinds: str) -> tuple[Whole, Floats]:
    """Which workers events of these kinds met, and when."""
    some = of_kinds(events, *kinds)
    return whole(events, "worker")[some], column(events, "t_s")[some]


def finals_s(jobs: int, attempts: pd.DataFrame, events: pd.DataFrame) -> Floats:
    """When each of the jobs came to its final state; inf where it did not."""
    recorded = among(_codes(attempts), map(CODE.__getitem__, FINAL))
    at, finished_s = rows_of(attempts["job"]), column(attempts, "finished_s")
    final_s = first_of_each(at, finished_s, jobs, recorded)
    np.minimum.at(final_s, *befallen(events, DEAD_LETTER))
    return final_s


def end_of_run_s(
    final_s: Floats,
    attempts: pd.DataFrame,
    events: pd.DataFrame,
    submitted_s: Sequence[float],
    until_s: float,
) -> float:
    """When a run ended, as its records tell it.

    That is when the last job became final; where one did not, ``until_s`` if work was still going
    on, else the last instant at which anything changed.
    """
    if len(final_s) and np.isfinite(final_s).all():
        return float(final_s.max())
    started = ~np.isnan(column(attempts, "started_s"))
    if (started & (_codes(attempts) == CODE["unfinished"])).any():
        return until_s
    changes = [column(attempts, name) for name in ("claimed_s", "started_s", "finished_s")]
    happened = column(events, "t_s")[~of_kinds(events, "resumed")]
    last_s = np.nanmax(np.concatenate(([0.0], *changes, happened, submitted_s)))
    return min(float(last_s), until_s)


def _codes(attempts: pd.DataFrame) -> NDArray[np.int8]:
    return np.asarray(attempts["outcome"].cat.codes, dtype=np.int8)


def _gone_s(attempts: pd.DataFrame, events: pd.DataFrame, end_s: float) -> Floats:
    """From when each attempt was no longer live."""
    gone_s = column(attempts, "finished_s").copy()
    lost = np.flatnonzero(among(_codes(attempts), LOST))
    gone_s[lost] = _death_s(attempts.iloc[lost], events)
    gone_s[np.isnan(gone_s)] = end_s
    return gone_s


def _death_s(lost: pd.DataFrame, events: pd.DataFrame) -> Floats:
    """When the workers of these attempts died: their first death since the attempt's last sign.

    A death that nobody recorded counts from the last sign of life.
    """
    seen_s = np.zeros(len(lost))
    for name in ("claiming_s", "claimed_s", "started_s", "ended_s"):
        seen_s = np.fmax(seen_s, column(lost, name))
    death_s = first_since(whole(lost, "worker"), seen_s, *met(events, "died", "raised"))
    return np.where(np.isinf(death_s), seen_s, death_s)


def _jobs(load: Load, submitted_s: Sequence[float], end_s: float) -> pd.DataFrame:
    """The jobs as a table; what is no row of the queue's table is submitted when it falls due."""
    due_s = np.asarray(load.submit_s, dtype=float)
    inserted_s = np.where(due_s <= end_s, due_s, np.nan)
    if len(submitted_s):
        rows = np.flatnonzero(load.what == WHAT.index("job"))
        inserted_s[rows] = np.nan
        inserted_s[rows[: len(submitted_s)]] = submitted_s
    return pd.DataFrame(
        {
            "job": np.arange(1, len(due_s) + 1, dtype=np.int32),
            "what": pd.Categorical.from_codes(np.asarray(load.what), pd.Index(WHAT)),
            "kind": pd.Categorical.from_codes(
                np.asarray(load.kind), pd.Index(load.kinds, dtype="str")
            ),
            "due_s": due_s,
            "run_s": np.asarray(load.run_s, dtype=float),
            "fails": np.asarray(load.fails, dtype=bool),
            "submitted_s": inserted_s,
        },
        copy=False,
    )
