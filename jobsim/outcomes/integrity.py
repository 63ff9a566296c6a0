"""Whether each job was done once, and by its owner."""

from __future__ import annotations

from typing import Any

import numpy as np

from jobsim.events import CODE
from jobsim.outcomes.arrays import Rows, Whole, column, repeated, rows_by, running_max
from jobsim.outcomes.facts import Facts
from jobsim.outcomes.ownership import passed_on_s
from jobsim.outcomes.work import at_work


def integrity(facts: Facts) -> dict[str, Any]:
    """The metrics of integrity."""
    again = duplicates(facts)
    ended_s, started_s = (facts.attempts[name].iloc[again] for name in ("ended_s", "started_s"))
    return {
        "duplicates": len(again),
        "duplicate_s": float((ended_s - started_s).sum()),
        "lost": lost(facts),
        "overlaps": overlaps(facts),
        "zombie_finishes": zombie_finishes(facts),
        "duplicated_jobs": len(np.unique(facts.at[again])),
    }


def duplicates(facts: Facts) -> Rows:
    """The attempts (their rows) that ran a job to its good end when one had done so before.

    A job that the log says failed ends no run well: its further attempts are retries.
    """
    blocks = [_duplicates(facts, rows) for _, rows in rows_by(facts.at, len(facts.jobs))]
    return np.concatenate(blocks) if blocks else np.empty(0, dtype=np.int64)


def _duplicates(facts: Facts, rows: Rows) -> Rows:
    """The duplicates among these, which are all the attempts of some jobs."""
    ended_s = column(facts.attempts, "ended_s")
    fails = facts.jobs["fails"].to_numpy(dtype=bool)
    well = rows[~np.isnan(ended_s[rows]) & ~fails[facts.at[rows]]]
    well = well[repeated(facts.at[well])]
    order = well[np.lexsort((ended_s[well], facts.at[well]))]
    again = facts.at[order[1:]] == facts.at[order[:-1]]
    duplicated: Rows = order[1:][again]
    return duplicated


def lost(facts: Facts) -> int:
    """Jobs of a queue recorded as completed or failed whose work no attempt ran to its end."""
    ran = np.zeros(len(facts.jobs), dtype=bool)
    ran[facts.at[facts.attempts["ended_s"].notna().to_numpy()]] = True
    return int((facts.are("job") & facts.ended_as("completed", "failed") & ~ran).sum())


def overlaps(facts: Facts) -> int:
    """Attempts that began, or went on, while another of the same job or lease was at work.

    All firings of a kind share a lease; one that was refused and works all the same acts as a
    holder.
    """
    lease = _lease(facts)
    leases, lease = int(lease.max(initial=-1)) + 1, lease[facts.at]
    return sum(_overlaps(facts, rows, lease) for _, rows in rows_by(lease, leases))


def _overlaps(facts: Facts, rows: Rows, lease: Whole) -> int:
    """The overlaps among these, which are all the attempts under some leases."""
    work = at_work(facts, rows)
    lease = lease[work.attempt]
    several = np.flatnonzero(repeated(lease))
    order = several[np.lexsort((work.from_s[several], lease[several]))]
    latest_s = running_max(lease[order], work.to_s[order])
    same = lease[order[1:]] == lease[order[:-1]]
    return int((same & (work.from_s[order[1:]] < latest_s[:-1])).sum())


def _lease(facts: Facts) -> Whole:
    """What each job must hold alone, numbered: a firing its kind's lease, any other itself."""
    kind = np.asarray(facts.jobs["kind"].cat.codes, dtype=np.int32)
    itself = np.arange(len(kind), dtype=np.int32)
    return np.where(facts.are("firing"), len(kind) + kind, itself).astype(np.int32)


def zombie_finishes(facts: Facts) -> int:
    """Finishes sent by an attempt that no longer owned its job, refused ones included."""
    finished_s = column(facts.attempts, "finished_s")
    refused = facts.outcome == CODE["refused"]
    return int((refused | (passed_on_s(facts) < finished_s)).sum())
