"""Public logs of Slurm and of CI services, with all their quirks, where they are at hand.

They are no part of the project. Their folder is looked for at $JOBSIM_JOBLOGS, or beside the
checkout at ``shared/joblogs``.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from jobsim.joblog import sacct
from jobsim.joblog.ci import azure, github
from jobsim.joblog.files import HEAD_BYTES, read_bytes

FOLDER = Path(os.environ.get("JOBSIM_JOBLOGS") or Path(__file__).parents[4] / "shared" / "joblogs")


def public(name):
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no public log {name} in {FOLDER} (set JOBSIM_JOBLOGS)")
    return path


@cache
def slurm(name):
    path = public(f"slurm/{name}")
    assert sacct.looks_like(read_bytes(path, HEAD_BYTES))
    return sacct.read(path)


def noted(log, words):
    return sum(note.count for note in log.notes if words in note.reason)


def test_a_slurm_log_without_a_header_has_the_jobs_that_are_known():
    log = slurm("xdmod-pozidriv-sacct.log.gz")
    assert len(log) == 11_704
    assert log.origin == datetime(2016, 12, 21, 21, 43, 34, tzinfo=UTC)
    never = noted(log, "cancelled before it started")
    assert (log.jobs["run_s"] == 0).sum() + never == 1_031
    assert log.jobs["run_s"].isna().sum() == log.jobs["start_s"].isna().sum() == never
    run_s = log.jobs["run_s"].fillna(0)
    assert (run_s.mean(), run_s.median()) == pytest.approx((2_066, 270), abs=0.5)
    assert log.jobs["memory_mb"].isna().all()
    assert noted(log, "chosen by END time") > 0


def test_states_of_that_log_are_outcomes():
    outcomes = slurm("xdmod-pozidriv-sacct.log.gz").jobs["outcome"].value_counts()
    preempted = 86
    assert outcomes.to_dict() == {
        "completed": 10_134,
        "failed": 1_007,
        "cancelled": 468 + preempted,
        "timeout": 9,
        "unknown": 0,
    }


def test_a_slurm_log_without_ids_starts_and_ends_still_tells_waits():
    log = slurm("kabre-2024h2-sacct.csv.gz")
    assert len(log) == 30_376
    assert log.jobs["submit_s"].max() / 86_400 == pytest.approx(190.4, abs=0.05)
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["outcome"].value_counts()[["failed", "cancelled", "timeout"]].tolist() == [
        18_156,
        2_111,
        872,
    ]
    waits_s = log.jobs["start_s"] - log.jobs["submit_s"]
    assert waits_s.notna().sum() == 30_376 - noted(log, "cancelled before it started")
    assert waits_s.iloc[:2].tolist() == [1, 45_900]
    assert noted(log, "run times are not in the file") == 30_376


@cache
def ci(name, service):
    path = public(f"ci/{name}")
    assert service.looks_like(read_bytes(path, HEAD_BYTES))
    return service.read(path)


def test_builds_of_azure_pipelines_are_those_known():
    log = ci("azure-pipelines-succeeded-2021.json", azure)
    run_s = log.jobs["run_s"]
    assert len(log) == 460
    assert log.jobs["submit_s"].max() / 86_400 == pytest.approx(30.1, abs=0.05)
    assert (run_s.mean(), run_s.median(), run_s.max()) == pytest.approx(
        (2_871, 2_922, 3_570), abs=1
    )
    assert log.jobs["start_s"].isna().all()
    assert noted(log, "every run succeeded") == noted(log, "submissions are not logged") == 460


def test_runs_of_github_actions_are_those_known():
    log = ci("github-actions-workflow_runs.csv", github)
    run_s = log.jobs["run_s"]
    assert len(log) == 56
    assert log.jobs["submit_s"].max() / 86_400 == pytest.approx(8.4, abs=0.05)
    assert (run_s.mean(), run_s.median(), run_s.max()) == pytest.approx((25, 13, 67), abs=0.5)
    assert log.jobs["outcome"].value_counts()[["completed", "failed"]].tolist() == [51, 5]
    assert log.jobs["start_s"].isna().all()
