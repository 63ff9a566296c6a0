"""Kill the worker at step N: what was recorded, and what becomes of the job, on both drivers."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.faults import parse_fault
from tests.contract.conftest import Play, log_of, scenario

STAGES = ["claimed_s", "started_s", "ended_s", "finished_s"]

CRASHES = [
    ("begin", "before", None),
    ("begin", "after", None),
    ("select", "after", None),
    ("mark", "before", None),
    ("mark", "after", None),
    ("commit", "before", None),
    ("commit", "after", "claimed_s"),
    ("start", "before", "claimed_s"),
    ("start", "after", "started_s"),
    ("work", "before", "started_s"),
    ("work", "during", "started_s"),
    ("work", "after", "ended_s"),
    ("finish", "before", "ended_s"),
    ("finish", "after", "finished_s"),
]
"""Where the only worker is killed, and the last stage of its only attempt that was reached."""


@pytest.mark.parametrize(("step", "when", "stage"), CRASHES)
def test_a_kill_at_a_step_leaves_the_attempt_at_that_stage(
    step: str, when: str, stage: str | None, play_it: Play
) -> None:
    fault = parse_fault(f"kind=kill,worker=0,at={step},when={when}")
    settings = {"queue": {"reclaim": "never"}}
    played = play_it(
        scenario(queue="skip-locked", workers=1, faults=(fault,), settings=settings, until_s=2.0),
        log_of([0.0], [0.02]),
    )
    reached = [] if stage is None else STAGES[: STAGES.index(stage) + 1]
    if stage is None:
        assert played.attempts.empty
    else:
        known = played.attempts.iloc[0][STAGES].notna()
        assert list(known.index[known]) == reached
    final = stage == "finished_s"
    assert played.metrics["jobs"]["unfinished"] == (not final)
    assert played.metrics["stuck"]["episodes"] == (stage is not None and not final)


@pytest.mark.parametrize("step", ["select", "mark", "commit"])
def test_a_row_whose_claim_was_not_committed_goes_to_the_next_worker(
    step: str, play_it: Play
) -> None:
    fault = parse_fault(f"kind=kill,worker=0,at={step},when=before")
    settings = {"queue": {"reclaim": "never"}}
    played = play_it(
        scenario(queue="skip-locked", workers=2, faults=(fault,), settings=settings),
        log_of(np.zeros(4), np.full(4, 0.05)),
    )
    assert played.metrics["jobs"]["completed"] == 4
    assert played.metrics["stuck"]["episodes"] == 0
