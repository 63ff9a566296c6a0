"""Which columns of a table are watched, and what its words for a status say of a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import shown
from jobsim.joblog.reading import UNFINISHED
from jobsim.joblog.schema import OUTCOMES
from jobsim.joblog.statuses import OUTCOME_OF, plain
from jobsim.joblog.tabular.names import rank, snake
from jobsim.words import nearest

WAITING, RUNNING = "waiting", "running"
STATES = (WAITING, RUNNING, *OUTCOMES)
"""What a row can be: waiting for a worker, at work, or over, with an outcome."""

AT_WORK = {
    *("running", "started", "processing", "in_progress", "inprogress", "active", "reserved"),
    *("claimed", "executing", "working", "doing", "locked", "busy"),
}
WAITS = {"none", "idle", "inactive", "unclaimed", "unprocessed"}

DUE = {
    *("due", "due_at", "due_time", "scheduled_at", "scheduled_for", "available_at", "visible_at"),
    *("run_at", "run_after", "next_run_at", "start_after", "not_before", "execute_at"),
}
"""What a column is called from whose instant on a row may be taken."""

RANKED = {"status": "outcome", "kind": "kind", "submit": "submit", "start": "start", "end": "end"}
"""What we call a column here, and what readers of logs call it."""


@dataclass(frozen=True)
class Columns:
    """The columns that are read at each look, by what they hold.

    ``id`` tells rows apart. ``submit`` is when the row was made, ``due`` from when on it may be
    taken. The state is that of ``status``; without it a row with an ``end`` is
    over, one with a ``start`` is at work, any other waits.
    """

    id: str
    status: str | None = None
    kind: str | None = None
    submit: str | None = None
    start: str | None = None
    end: str | None = None
    due: str | None = None

    @property
    def named(self) -> dict[str, str]:
        """Those that there are."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {target: column for target, column in found.items() if column is not None}

    @property
    def tells_states(self) -> bool:
        """Whether anything says what a row's state is; else rows only come and go."""
        return any((self.status, self.start, self.end))

    def __str__(self) -> str:
        return ", ".join(
            column if target == column else f"{column} ({target})"
            for target, column in self.named.items()
        )


def choose(
    table: str,
    names: Sequence[str],
    key: Sequence[str],
    said: Mapping[str, str],
    too_large: Sequence[str] = (),
) -> Columns:
    """The columns to watch: those that the user says, and the best by name for the others.

    Parameters
    ----------
    names
        The table's columns.
    key
        Those of its primary key.
    said
        By what they hold, as ``--map`` says it; ``outcome`` is another word for ``status``.
    too_large
        Columns that no guess takes, since reading them costs.

    Raises
    ------
    UsageError
        A column that is not there, or nothing that tells rows apart.
    """
    said = {"status" if target == "outcome" else target: name for target, name in said.items()}
    targets = [each.name for each in fields(Columns)]
    for target, name in said.items():
        if target not in targets:
            raise UsageError(f"--map {target}={name}: {nearest(target, targets)}")
        if name not in names:
            raise UsageError(
                f"--map {target}={name}: {table} has no such column; {nearest(name, list(names))}"
            )
    free = [name for name in names if name not in said.values() and name not in too_large]
    row = said.get("id") or _key(table, names, key)
    free = [name for name in free if name != row]
    due = next((name for name in free if snake(name) in DUE), None)
    others = [name for name in free if snake(name) not in DUE]
    guesses = {target: _best(target, others) for target in RANKED if target not in said}
    return replace(Columns(row, **guesses, due=due), **said)


def _key(table: str, names: Sequence[str], key: Sequence[str]) -> str:
    if len(key) == 1:
        return key[0]
    if not key and "id" in names:
        return "id"
    why = f"its key is {', '.join(key)}" if key else "it has no primary key"
    raise UsageError(
        f"{table}: {why}; name the column that tells rows apart: --map id=COLUMN,"
        f" one of {', '.join(names)}"
    )


def _best(target: str, names: Sequence[str]) -> str | None:
    """The column whose name fits best, if one does and no other fits as well."""
    ranks = {name: place for name in names if (place := rank(RANKED[target], name)) is not None}
    best = [name for name, place in ranks.items() if place == min(ranks.values())]
    return best[0] if len(best) == 1 else None


def check_states(said: Mapping[str, str]) -> dict[str, str]:
    """What the user says that words for a status mean, by the plain word."""
    for word, state in said.items():
        if state not in STATES:
            raise UsageError(f"--status {word}={state}: {nearest(state, list(STATES))}")
    return {plain(word): state for word, state in said.items()}


class States:
    """What words for a status say. Words that nobody knows count as waiting, and are kept.

    Attributes
    ----------
    unknown
        The words that nobody knows.
    """

    def __init__(self, columns: Columns, said: Mapping[str, str]) -> None:
        self.columns = columns
        self._state_of = check_states(said)
        self.unknown: dict[str, None] = {}

    def of(self, row: Mapping[str, str]) -> str:
        """The state of a row, whose cells are texts, empty where NULL."""
        if self.columns.status is not None and row["status"]:
            return self._of_word(row["status"])
        if self.columns.status is None and row.get("end"):
            return "unknown"
        return RUNNING if row.get("start") and self.columns.status is None else WAITING

    def _of_word(self, word: str) -> str:
        state = self._state_of.get(plain(word))
        if state is None:
            state = self._state_of[plain(word)] = self._guess(word)
        return state

    def _guess(self, word: str) -> str:
        known = OUTCOME_OF.get(plain(word))
        if plain(word) in AT_WORK:
            return RUNNING
        if known in OUTCOMES:
            return known
        if known != UNFINISHED and plain(word) not in WAITS:
            self.unknown[word] = None
        return WAITING


def explain_unknown(words: Sequence[str]) -> str:
    """What to say of words that nobody knows."""
    listed = ", ".join(shown(word) for word in words)
    return f"status {listed} is not known, taken as waiting; --status WORD=STATE says what it is"
