"""Public dumps and exports of queue tables, where they are at hand (see test_public_logs)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jobsim.joblog.files import HEAD_BYTES, read_bytes
from jobsim.joblog.queues import (
    looks_like_airflow_csv,
    looks_like_dump,
    read_airflow_csv,
    read_dump,
)

FOLDER = Path(os.environ.get("JOBSIM_JOBLOGS") or Path(__file__).parents[4] / "shared" / "joblogs")


def public(name: str) -> Path:
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"no public log {name} in {FOLDER} (set JOBSIM_JOBLOGS)")
    return path


def test_action_schedulers_dump_gives_waits_and_run_times():
    log = read_dump(public("dbqueue/actionscheduler-mariadb-phpmyadmin.sql"))
    wait_s = log.jobs["start_s"] - log.jobs["submit_s"]
    assert dict(log.jobs["outcome"].value_counts()[:2]) == {"completed": 242, "failed": 2}
    assert [note.count for note in log.notes if note.reason.startswith("dropped")] == [3]
    assert log.jobs["submit_s"].max() / 3600 == pytest.approx(10.16, abs=0.01)
    assert log.jobs["run_s"].mean() == pytest.approx(0.037, abs=1e-3)
    assert log.jobs["run_s"].max() == 1
    assert (wait_s.median(), wait_s.max()) == (19.5, 12_928)


@pytest.mark.parametrize(
    ("name", "jobs", "dropped", "mean_s"),
    [
        ("bike", 30, 2, 1.44),
        ("examples", 10, 18, 0.66),
        ("practice", 6, 18, 0.24),
        ("backup", 18, 12, 1.25),
        ("forex", 15, 6, 0.29),
    ],
)
def test_task_instances_that_a_worker_got_are_jobs(name, jobs, dropped, mean_s):
    log = read_airflow_csv(public(f"airflow/airflow-{name}-task_instance.csv"))
    counts = [note.count for note in log.notes if note.reason.startswith("dropped")]
    assert (len(log), counts) == (jobs, [dropped])
    assert log.jobs["run_s"].mean() == pytest.approx(mean_s, abs=0.005)
    assert log.jobs["start_s"].notna().all()


@pytest.mark.parametrize(
    ("name", "runs"),
    [("bike", 12), ("examples", 6), ("practice", 5), ("backup", 10), ("forex", 3)],
)
def test_runs_of_dags_are_jobs(name, runs):
    assert len(read_airflow_csv(public(f"airflow/airflow-{name}-dag_run.csv"))) == runs


def test_no_other_public_file_is_taken_for_a_dump_or_an_export():
    public("SOURCES.md")
    heads = {path: read_bytes(path, HEAD_BYTES) for path in FOLDER.rglob("*") if path.is_file()}
    taken = {
        path.parent.name
        for path, head in heads.items()
        if looks_like_dump(head) or looks_like_airflow_csv(head)
    }
    assert taken == {"dbqueue", "airflow"}
