"""How rows are claimed, finished and reclaimed.

The five claims are functions of the same shape, so that they can be read against each other:

=============  =====================================================================================
no-control     take what is pending, tell nobody
taken-flag     read, then put the flag up: between the two anybody may do the same
guarded-flag   put the flag up only where it is still down, and look whether it was
for-update     lock the rows that are read; others wait
skip-locked    lock the rows that are read; others step past them
=============  =====================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from jobsim.effects import (
    NOW,
    WIDEST,
    Ago,
    Attempt,
    Begin,
    Column,
    Commit,
    Compare,
    Insert,
    More,
    Param,
    Predicate,
    Rollback,
    Script,
    Select,
    Table,
    Update,
    all_of,
    column,
)

PENDING = "pending"
COMPLETED = "completed"
FAILED = "failed"

JOBS = Table(
    "jobsim_jobs",
    columns=(
        Column("id", "integer"),
        Column("kind", "text", width=WIDEST),
        Column("status", "text", default=PENDING),
        Column("priority", "integer", default=0),
        Column("created_at", "instant"),
        Column("claimed_at", "instant", nullable=True),
        Column("claimed_by", "integer", nullable=True),
        Column("attempts", "integer", default=0),
        Column("finished_at", "instant", nullable=True),
    ),
)
"""The table that is the queue; ``created_at`` is when the job falls due."""

ORDERS: dict[str, tuple[str, ...]] = {"due": ("created_at", "id"), "id": ("id",), "none": ()}


@dataclass(frozen=True)
class QueueSettings:
    """What a queue may be told; the names and meanings are those of the scenario.

    Attributes
    ----------
    batch
        Jobs claimed at once.
    finish
        Record each job's end by itself, or the whole batch's together.
    finish_retry
        Send a finish again that lost a deadlock.
    fence
        Whether a finish checks that this attempt still owns the job: not at all, that the job is
        still claimed (by anybody), or that this very claim is the latest (the token is the
        attempt's number).
    work
        Do the work after the claim's commit, or inside the claim's transaction.
    order
        Which pending jobs come first.
    reclaim
        Never; ``after`` ``reclaim_s`` seconds since the claim; or the same with the worker
        renewing its claim three times in that span (``renew``).
    reclaim_s
        Age of a claim at which its worker counts as gone. 30 min is the first article's number.
    sweep_s
        How often the reaper looks.
    claimed_name
        What the status of a claimed row is called. It decides where the row sorts in an index.
    on_empty
        What a worker does when nothing is pending.
    """

    batch: int = 1
    finish: Literal["each", "batch"] = "each"
    finish_retry: bool = True
    fence: Literal["none", "state", "token"] = "none"
    work: Literal["after", "inside"] = "after"
    order: Literal["due", "id", "none"] = "due"
    reclaim: Literal["never", "after", "renew"] = "never"
    reclaim_s: float = 1800.0
    sweep_s: float = 60.0
    claimed_name: str = "processing"
    on_empty: Literal["wait", "stop"] = "wait"

    @property
    def renew_s(self) -> float:
        """Time between two renewals: a third of the claim's age limit."""
        return self.reclaim_s / 3


@dataclass(frozen=True)
class Queue:
    """A claim with its settings, and the statements that they make."""

    name: str
    settings: QueueSettings
    jobs: Table = JOBS
    take: Claim = field(repr=False, kw_only=True)

    def __post_init__(self) -> None:
        for name, statement in _statements(self.settings, self.jobs).items():
            object.__setattr__(self, name, statement)

    # built by _statements, declared for the reader and the type checker
    ready: Predicate = field(init=False, repr=False)
    expired: Predicate = field(init=False, repr=False)
    submit: Insert = field(init=False, repr=False)
    candidates: Select = field(init=False, repr=False)
    lock_ready: Select = field(init=False, repr=False)
    lock_ready_skipping: Select = field(init=False, repr=False)
    mark: Update = field(init=False, repr=False)
    mark_if_pending: Update = field(init=False, repr=False)
    count_attempt: Update = field(init=False, repr=False)
    complete: Update = field(init=False, repr=False)
    fail: Update = field(init=False, repr=False)
    renewal: Update = field(init=False, repr=False)
    lock_expired: Select = field(init=False, repr=False)
    free: Update = field(init=False, repr=False)

    def claim(self, me: int) -> Script[list[Attempt]]:
        """Take up to a batch of pending jobs for worker ``me``; empty when there are none."""
        return self.take(self, me)

    def finish(self, attempts: Sequence[Attempt], outcome: str) -> Script[list[Attempt]]:
        """Record how attempts ended; those that the fence let through."""
        record = self.complete if outcome == COMPLETED else self.fail
        if self.settings.fence == "none":
            yield from record(_ids(attempts))
            return list(attempts)
        accepted = []
        for attempt in attempts:
            token = (attempt.number,) if self.settings.fence == "token" else ()
            if (yield from record([attempt.job], *token)) == 1:
                accepted.append(attempt)
        return accepted

    def renew(self, attempts: Sequence[Attempt], me: int) -> Script[None]:
        """Move the claims' age back to nought, where they are still ours."""
        yield from self.renewal([attempt.job for attempt in attempts], me)

    def reclaim(self) -> Script[list[int]]:
        """Give back the jobs whose claim is too old; their ids."""
        yield from begin_sweep()
        expired = [job for (job,) in (yield from self.lock_expired())]
        if expired:
            yield from self.free(expired)
        yield from commit_sweep()
        return expired


Claim: TypeAlias = Callable[[Queue, int], Script[list[Attempt]]]

begin_claim = Begin("begin")
commit_claim = Commit("commit")
nothing_there = Rollback("rollback")
begin_sweep = Begin("begin sweep")
commit_sweep = Commit("commit sweep")


def no_control(queue: Queue, me: int) -> Script[list[Attempt]]:
    """Take what is pending and tell nobody: every worker takes the same."""
    return _attempts((yield from queue.candidates(queue.settings.batch)))


def taken_flag(queue: Queue, me: int) -> Script[list[Attempt]]:
    """Select rows whose flag is down, flip the flag; a second reader in between has them too."""
    attempts = _attempts((yield from queue.candidates(queue.settings.batch)))
    if attempts:
        yield from queue.mark(me, _ids(attempts))
    return attempts


def guarded_flag(queue: Queue, me: int) -> Script[list[Attempt]]:
    """Flip the flag only where it is still down: who changed the row, owns it."""
    while candidates := _attempts((yield from queue.candidates(queue.settings.batch))):
        won = []
        for attempt in candidates:
            if (yield from queue.mark_if_pending(me, [attempt.job])) == 1:
                won.append(attempt)
        if won:
            return won
    return []


def for_update(queue: Queue, me: int) -> Script[list[Attempt]]:
    """Lock the rows that are read; whoever reads them next waits for the commit."""
    return _locked_claim(queue, queue.lock_ready, me)


def skip_locked(queue: Queue, me: int) -> Script[list[Attempt]]:
    """Lock the rows that are read; whoever reads next steps past them."""
    return _locked_claim(queue, queue.lock_ready_skipping, me)


def _locked_claim(queue: Queue, select: Select, me: int) -> Script[list[Attempt]]:
    yield from begin_claim()
    attempts = _attempts((yield from select(queue.settings.batch)))
    if not attempts:
        yield from nothing_there()
        return []
    if queue.settings.work == "after":
        yield from queue.mark(me, _ids(attempts))
        yield from commit_claim()
    else:
        yield from queue.count_attempt(me, _ids(attempts))
    return attempts


def _attempts(rows: Sequence[tuple[int, int]]) -> list[Attempt]:
    return [Attempt(job, attempts + 1) for job, attempts in rows]


def _ids(attempts: Sequence[Attempt]) -> list[int]:
    return [attempt.job for attempt in attempts]


CLAIMS: dict[str, Claim] = {
    "no-control": no_control,
    "taken-flag": taken_flag,
    "guarded-flag": guarded_flag,
    "for-update": for_update,
    "skip-locked": skip_locked,
}
LOCKING = {"for-update", "skip-locked"}
"""Claims made in a transaction of their own, which the work may be done inside of."""


def _statements(settings: QueueSettings, jobs: Table) -> dict[str, object]:
    """The statements of a queue with these settings, each built once."""
    ready = column("status").equals(PENDING)
    claimed = column("status").equals(settings.claimed_name)
    expired = all_of(claimed, column("claimed_at").at_most(Ago(settings.reclaim_s)))
    these = column("id").is_in(Param("ids"))
    order, batch, read = ORDERS[settings.order], Param("batch"), ("id", "attempts")
    ownership = (
        ("claimed_by", Param("worker")),
        ("claimed_at", NOW),
        ("attempts", More("attempts")),
    )
    taking = (("status", settings.claimed_name), *ownership)
    fences: dict[str, tuple[Compare, ...]] = {
        "none": (),
        "state": (claimed,),
        "token": (claimed, column("attempts").equals(Param("attempt"))),
    }
    mine = all_of(these, *fences[settings.fence])

    def ending(status: str, label: str) -> Update:
        return Update(label, jobs, (("status", status), ("finished_at", NOW)), mine)

    return {
        "ready": ready,
        "expired": expired,
        "submit": Insert("submit", jobs, ("id", "kind", "priority", "created_at")),
        "candidates": Select("select", jobs, read, ready, order, batch),
        "lock_ready": Select("select", jobs, read, ready, order, batch, lock=True),
        "lock_ready_skipping": Select(
            "select", jobs, read, ready, order, batch, lock=True, on_locked="skip"
        ),
        "mark": Update("mark", jobs, taking, these),
        "mark_if_pending": Update("mark", jobs, taking, all_of(these, ready)),
        "count_attempt": Update("mark", jobs, ownership, these),
        "complete": ending(COMPLETED, "finish"),
        "fail": ending(FAILED, "finish"),
        "renewal": Update(
            "renew",
            jobs,
            (("claimed_at", NOW),),
            all_of(these, claimed, column("claimed_by").equals(Param("worker"))),
        ),
        "lock_expired": Select("select expired", jobs, ("id",), expired, lock=True),
        "free": Update(
            "free", jobs, (("status", PENDING), ("claimed_by", None), ("claimed_at", None)), these
        ),
    }
