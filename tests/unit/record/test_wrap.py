"""Recording a command, as a crontab has it."""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from jobsim.joblog import read_log
from tests.unit.record.conftest import BOUND_S, Recorded, rows

ROOT = Path(__file__).parents[3]


def test_each_run_adds_a_line_that_jobsim_reads(recorded: Recorded, file: Path) -> None:
    for status in (0, 3):
        recorded("sh", "-c", f"exit {status}").communicate(timeout=BOUND_S)
    recorded("true", options=("--kind", "nightly")).communicate(timeout=BOUND_S)
    jobs = read_log(file).jobs
    assert list(jobs["outcome"]) == ["completed", "failed", "completed"]
    assert list(jobs["kind"]) == ["sh", "sh", "nightly"]
    assert set(jobs["owner"]) == {getpass.getuser()}
    assert jobs["job_id"].is_unique
    assert jobs["start_s"].isna().all(), "the start stands for the submission: no wait is known"
    assert (jobs["run_s"] > 0).all()


def test_the_instant_at_which_it_was_due_gives_the_wait(recorded: Recorded, file: Path) -> None:
    due_s = time.time() - 90
    local = datetime.fromtimestamp(due_s).isoformat()  # as cron's clock shows it
    for text in (local, f"{due_s:.3f}"):
        recorded("true", options=(f"--submitted={text}",)).communicate(timeout=BOUND_S)
    for row in rows(file):
        assert float(row["submit_s"]) == pytest.approx(due_s, abs=0.01)
        assert 90 <= float(row["start_s"]) - float(row["submit_s"]) < 90 + BOUND_S


@pytest.mark.parametrize("text", ["yesterday", "2999-01-01", "9" * 400])
def test_an_instant_that_cannot_be_is_said_and_the_command_runs_all_the_same(
    recorded: Recorded, file: Path, text: str
) -> None:
    one = recorded("echo", "done", options=("--submitted", text))
    out, err = one.communicate(timeout=BOUND_S)
    assert (one.returncode, out) == (0, "done\n")
    assert "taken as unknown" in err
    assert rows(file)[0]["start_s"] == ""


def test_a_log_that_cannot_be_written_is_no_matter_to_the_command(
    recorded: Recorded, file: Path
) -> None:
    file.write_text("the diary\n")
    one = recorded("sh", "-c", "echo done; exit 3")
    out, err = one.communicate(timeout=BOUND_S)
    assert (one.returncode, out) == (3, "done\n")
    assert "this run is not recorded" in err
    assert file.read_text() == "the diary\n"


def test_eight_crons_at_once_leave_eight_whole_lines(recorded: Recorded, file: Path) -> None:
    crons = [recorded("sh", "-c", f"exit {n}") for n in range(8)]
    assert [one.wait(BOUND_S) for one in crons] == list(range(8))
    assert len(read_log(file)) == 8
    assert file.read_text().count("job_id,") == 1


def test_nothing_slow_is_loaded_for_it(recorded: Recorded, file: Path) -> None:
    """Each start of a cron job waits for what is imported here."""
    recorded("true").communicate(timeout=BOUND_S)
    asked = (
        "import sys, jobsim.cli; from jobsim.record.shortcut import shortcut; "
        "print(shortcut(['record', 'run', '--append', sys.argv[1], 'true']), *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", asked, file], capture_output=True, text=True,
        check=True, timeout=BOUND_S, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    status, *modules = done.stdout.split()
    assert status == "0"
    assert len(rows(file)) == 2
    slow = {"typing", "re", "enum", "dataclasses", "typer", "numpy", "pandas", "sqlalchemy"}
    assert not slow & set(modules)
