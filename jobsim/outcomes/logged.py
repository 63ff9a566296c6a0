"""What a job log itself says about waiting: the run that really happened."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from jobsim.events import ATTEMPT_COLUMNS, CODE, EMPTY_COLUMNS, OUTCOMES, Event
from jobsim.outcomes.arrays import column
from jobsim.outcomes.facts import WHAT, Facts
from jobsim.outcomes.measure import Metrics, measure

TOLD = ("driver", "name", "speedup", "makespan_s", "throughput_per_s", "wait", "backlog")


def as_logged(jobs: pd.DataFrame) -> Metrics | None:
    """The metrics that a job log gives by itself: waits, backlog, throughput, in its own seconds.

    ``jobs`` is the tidy table of a log. Jobs without a start time are left out; None where none has
    one. What a log cannot tell is None.
    """
    facts = logged_facts(jobs)
    if facts is None:
        return None
    measured = measure(facts, driver="log", name="as-logged")
    metrics = {key: value if key in TOLD else _untold(value) for key, value in measured.items()}
    metrics["backlog"]["visible_oldest_age_max_s"] = None
    for kind, values in measured["by_kind"].items():
        metrics["by_kind"][kind]["wait_p95_s"] = values["wait_p95_s"]
    return metrics


def _untold(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _untold(inner) for key, inner in value.items()}
    return None


def logged_facts(jobs: pd.DataFrame) -> Facts | None:
    """A job log as the facts of a run, from its first submission on; None without start times."""
    known = jobs[jobs["start_s"].notna()]
    known = known.sort_values("submit_s", kind="stable", ignore_index=True)
    if known.empty:
        return None
    began_s = float(known["submit_s"].iloc[0])
    due_s, started_s = column(known, "submit_s") - began_s, column(known, "start_s") - began_s
    run_s = column(known, "run_s")
    ended_s = started_s + run_s
    end_s = float(np.nanmax(np.append(started_s, ended_s)))
    fails = (known["outcome"] != "completed").to_numpy() & (
        known["outcome"] != "unknown"
    ).to_numpy()
    return Facts(
        jobs=pd.DataFrame(
            {
                "job": np.arange(1, len(known) + 1, dtype=np.int32),
                "what": pd.Categorical(["job"] * len(known), categories=WHAT),
                "kind": known["kind"],
                "due_s": due_s,
                "run_s": run_s,
                "fails": fails,
                "submitted_s": due_s,
            }
        ),
        attempts=_attempts(started_s, ended_s, fails, end_s),
        events=pd.DataFrame({name: [] for name in Event._fields}),
        empty=pd.DataFrame({name: [] for name in EMPTY_COLUMNS}),
        counts={},
        workers=0,
        end_s=end_s,
    )


def _attempts(started_s: Any, ended_s: Any, fails: Any, end_s: float) -> pd.DataFrame:
    """One attempt a job, as a recorder would have it; where the end is not known, still at work."""
    outcome = np.where(fails, CODE["failed"], CODE["completed"])
    outcome[np.isnan(ended_s)] = CODE["unfinished"]
    attempts = pd.DataFrame(np.nan, index=range(len(started_s)), columns=list(ATTEMPT_COLUMNS))
    return attempts.assign(
        job=np.arange(1, len(started_s) + 1),
        number=1,
        worker=-1,
        started_s=started_s,
        ended_s=ended_s,
        finished_s=ended_s,
        outcome=pd.Categorical.from_codes(outcome, pd.Index(OUTCOMES)),
        gone_s=np.where(np.isnan(ended_s), end_s, ended_s),
    )
