"""Runs made by hand, as the tests of the live driver need them."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from jobsim.effects import Index, Isolation
from jobsim.faults import parse_fault
from jobsim.live.record import LiveRecord
from jobsim.policies.registry import find
from jobsim.run import FIRING, JOB, STATEMENT, Load, Run

BOUND_S = 10.0


def wait_until(holds: Callable[[], object], every_s: float = 0.005) -> None:
    """Wait, within bounds, until something holds."""
    until_s = time.monotonic() + BOUND_S
    while not holds():
        assert time.monotonic() < until_s, "it never came to hold"
        time.sleep(every_s)


COMPOSITE = Index(("status", "created_at"))


def load(
    submit_s: Sequence[float],
    run_s: Sequence[float],
    *,
    what: int = JOB,
    fails: Sequence[int] = (),
    touches: Sequence[int] | None = None,
    owners: Sequence[str] = ("",),
) -> Load:
    """A load; ``fails`` are ids; the owners take turns."""
    rows = len(submit_s)
    return Load(
        submit_s=np.asarray(submit_s, dtype=float),
        run_s=np.asarray(run_s, dtype=float),
        fails=np.isin(np.arange(1, rows + 1), fails),
        kind=np.zeros(rows, dtype=np.int32),
        kinds=("zip",),
        what=np.full(rows, what, dtype=np.int8),
        owner=(np.arange(rows) % len(owners)).astype(np.int32),
        owners=tuple(owners),
        touches=np.asarray(touches or [0] * rows, dtype=np.int32),
    )


def queue_run(
    queue: str = "skip-locked",
    *,
    jobs: int = 1,
    run_s: float = 0.0,
    every_s: float = 0.0,
    workers: int = 1,
    fails: Sequence[int] = (),
    faults: Sequence[str] = (),
    isolation: Isolation = "repeatable-read",
    poll_s: float = 0.01,
    notify: bool = False,
    until_s: float = 10.0,
    indexes: Sequence[Index] = (COMPOSITE,),
    settings: Mapping[str, Any] | None = None,
) -> Run:
    """Jobs of one length, submitted at one pace."""
    policy = find("queue", queue).build(settings)
    policy = replace(policy, jobs=policy.jobs.indexed(*indexes))
    return Run(
        name=queue,
        family="queue",
        seed=1,
        workers=workers,
        load=load([at * every_s for at in range(jobs)], [run_s] * jobs, fails=fails),
        isolation=isolation,
        poll_s=poll_s,
        notify=notify,
        until_s=until_s,
        queue=policy,
        faults=tuple(map(parse_fault, faults)),
    )


def lease_run(
    lease: str,
    submit_s: Sequence[float],
    run_s: float,
    *,
    faults: Sequence[str] = (),
    **settings: Any,
) -> Run:
    """Scheduled runs of one kind."""
    return Run(
        name=lease,
        family="lease",
        seed=1,
        workers=1,
        load=load(submit_s, [run_s] * len(submit_s), what=FIRING),
        isolation="repeatable-read",
        poll_s=0.1,
        notify=False,
        until_s=10.0,
        lease=find("lease", lease).build(settings),
        faults=tuple(map(parse_fault, faults)),
    )


def killer_run(
    run_s: Sequence[float],
    *,
    touches: Sequence[int] | None = None,
    owners: Sequence[str] = ("web",),
    every_s: float = 0.0,
    **settings: Any,
) -> Run:
    """Statements watched by a killer."""
    submit_s = [at * every_s for at in range(len(run_s))]
    return Run(
        name="busy-time",
        family="killer",
        seed=1,
        workers=1,
        load=load(submit_s, run_s, what=STATEMENT, touches=touches, owners=owners),
        isolation="repeatable-read",
        poll_s=0.1,
        notify=False,
        until_s=10.0,
        killer=find("killer", "busy-time").build(settings),
    )


def attempts(record: LiveRecord) -> pd.DataFrame:
    return record.recorder.frames()[0]


def events(record: LiveRecord) -> pd.DataFrame:
    return record.recorder.frames()[1]
