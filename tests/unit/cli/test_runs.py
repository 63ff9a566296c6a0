"""simulate, live, run and compare, from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pandas as pd
import psutil
import pytest

from tests.unit.cli.conftest import JOBSIM, SMALL, Jobsim, unclocked

KILL = "kind=kill,worker=0,at=work,nth=3,when=during"
PATIENCE_S = 30.0


def test_json_is_one_document_alone_on_stdout_and_progress_is_on_stderr(jobsim: Jobsim) -> None:
    done = jobsim("simulate", SMALL, "--json")
    assert done.returncode == 0
    (run,) = json.loads(done.stdout)["runs"]
    assert (run["driver"], run["name"], run["workers"]) == ("sim", "skip-locked", 4)
    assert run["jobs"]["completed"] == 60
    assert "simulating skip-locked" in done.stderr


def test_a_comparison_prints_a_row_and_a_sentence_a_policy(jobsim: Jobsim) -> None:
    done = jobsim("compare", SMALL, "--queue", "taken-flag", "--queue", "skip-locked")
    assert done.returncode == 0
    for policy in ("taken-flag", "skip-locked"):
        assert done.stdout.count(policy) >= 2
    assert "seed 1" in done.stdout


@pytest.mark.parametrize(
    ("condition", "status"), [("jobs.completed < 60", 0), ("jobs.completed > 5", 1)]
)
def test_a_condition_that_holds_exits_with_1_after_the_results(
    condition: str, status: int, jobsim: Jobsim
) -> None:
    done = jobsim("simulate", SMALL, "--json", "--fail-if", condition)
    assert done.returncode == status
    assert json.loads(done.stdout)["runs"]
    assert ("holds of skip-locked (sim): jobs.completed > 5" in done.stderr) is (status == 1)


def test_what_is_saved_can_be_read_and_its_scenario_run_again(
    jobsim: Jobsim, tmp_path: Path
) -> None:
    done = jobsim("simulate", SMALL, "--json", "--seed", "3", "--fault", KILL, "-o", "out")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "out"
    for table in ("attempts", "events", "jobs"):
        (path,) = folder.rglob(f"{table}.parquet")
        assert list(pd.read_parquet(path).columns)
    assert json.loads((folder / "metrics.json").read_text()) == json.loads(done.stdout)
    (manifest,) = folder.rglob("manifest.json")
    assert json.loads(manifest.read_text())["seed"] == 3

    again = jobsim("run", "out/scenario.toml", "--json")
    assert again.returncode == 0, again.stderr
    assert unclocked(again.stdout) == unclocked(done.stdout)


@pytest.mark.parametrize("document", [(), ("--json",)])
def test_jobs_that_are_not_played_are_told_of(
    jobsim: Jobsim, tmp_path: Path, document: tuple[str, ...]
) -> None:
    (tmp_path / "a.csv").write_text("submit_s,run_s\n0,1\n2,\n3,1\n")
    done = jobsim("simulate", "a.csv", *document)
    said = done.stderr if document else done.stdout
    assert "! a: 1 of 3 jobs have no run time and are not played" in said


FOREIGN = "when;took;how\n0;1,5;gut\n2;2,5;aus\n3;0,5;gut\n9;0,5;gut\n"
SAYS = (
    *("--map", "submit=when,run=took,outcome=how", "--unit", "submit=s"),
    *("--status", "gut=completed,aus=failed", "--jobs", "3"),
)


def test_a_comparison_of_a_log_that_needs_words_is_played_again_by_its_scenario_alone(
    jobsim: Jobsim, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(FOREIGN)
    policies = ("--queue", "taken-flag", "--queue", "skip-locked", "--replications", "2")
    how = ("--costs", "zero", "--speedup", "2", "-o", "out", "--json")
    done = jobsim("compare", "a.csv", *SAYS, *policies, *how)
    assert done.returncode == 0, done.stderr
    assert "a: 3 jobs" in done.stderr
    again = jobsim("run", "out/scenario.toml", "--json")
    runs = unclocked(done.stdout)
    assert unclocked(again.stdout) == runs
    assert [run["name"] for run in runs] == ["taken-flag", "skip-locked"]
    once = jobsim("run", "out/scenario.toml", "--replications", "1", "--costs", "default", "--json")
    assert unclocked(once.stdout) != runs


def test_a_log_that_is_refused_leaves_no_folder(jobsim: Jobsim, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("submit_s,run_s\n0,\n0,\n")
    assert jobsim("simulate", "a.csv", "-o", "deep/out").returncode == 2
    assert not (tmp_path / "deep").exists()
    assert jobsim("simulate", SMALL, "-o", "deep/out", "--json").returncode == 0


def test_a_dry_run_prints_statements_and_grants_and_starts_nothing(jobsim: Jobsim) -> None:
    done = jobsim("live", SMALL, "--dry-run")
    assert done.returncode == 0
    assert "CREATE TABLE" in done.stdout
    assert "FOR UPDATE SKIP LOCKED" in done.stdout
    assert "-- needed:" in done.stdout


@pytest.mark.live
def test_ctrl_c_in_a_live_run_stops_everything_and_leaves_nothing(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    jobsim = subprocess.Popen(
        [JOBSIM, "live", "mmc:arrival=10,service=5,servers=4,jobs=2000", "--workers", "3"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        started = at_work(psutil.Process(jobsim.pid))
        os.killpg(jobsim.pid, signal.SIGINT)
        _, said = jobsim.communicate(timeout=PATIENCE_S)
    finally:
        jobsim.kill()
        jobsim.wait()
    assert jobsim.returncode == 130
    assert "interrupted" in said
    assert "Traceback" not in said
    _, alive = psutil.wait_procs(started, timeout=PATIENCE_S)
    assert alive == []
    assert list(temporary.iterdir()) == []


def at_work(jobsim: psutil.Process) -> list[psutil.Process]:
    """Every process of a live run, once its server and its workers are there."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        children = jobsim.children(recursive=True)
        names = [name_of(child) for child in children]
        served = any(name in ("mariadbd", "mysqld") for name in names)
        if served and len(children) >= 5:
            return children
        time.sleep(0.05)
    raise AssertionError(f"no live run within {PATIENCE_S} s: {names}")


def name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""
