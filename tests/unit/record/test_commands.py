"""Commands run as the jobs of a live queue."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from jobsim.live.database import Database, on_throw_away
from jobsim.live.record import Progress
from jobsim.live.server import ThrowAwayServer
from jobsim.record.commands import Job, record_jobs

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def database(mariadb: ThrowAwayServer) -> Database:
    return on_throw_away(mariadb)


def shell(text: str, submit_s: float = 0.0) -> Job:
    return Job(("/bin/sh", "-c", text), submit_s, "sh", "me")


def test_each_command_is_a_row_with_what_it_came_to(database: Database) -> None:
    large = Job((sys.executable, "-c", "block = bytearray(64 << 20)"), 5.3, "large")
    jobs = [shell("true", 5.0), shell("exit 3", 5.0), large]
    recording = record_jobs(jobs, name="made", workers=2, database=database)
    rows = recording.log.jobs
    assert list(rows["outcome"]) == ["completed", "failed", "completed"]
    assert list(rows["submit_s"]) == pytest.approx([0, 0, 0.3])
    assert (rows["start_s"] >= rows["submit_s"]).all()
    assert (rows["run_s"] > 0).all()
    assert 64 < rows["memory_mb"].max() < 110
    assert (recording.log.name, recording.log.workers, recording.interrupted) == ("made", 2, False)
    assert recording.log.origin is not None


def test_ctrl_c_stops_all_and_leaves_what_has_ended(database: Database, tmp_path: Path) -> None:
    def tell(now: Progress) -> None:
        if now.final and (tmp_path / "began").exists():
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    jobs = [shell("true"), shell(f"touch {tmp_path}/began; exec sleep 60"), shell("true", 900.0)]
    recording = record_jobs(jobs, name="made", workers=2, database=database, tell=tell)
    assert recording.interrupted
    assert list(recording.log.jobs["outcome"]) == ["completed", "unknown"]
    assert list(recording.log.jobs["run_s"].notna()) == [True, False]
    assert signal.getsignal(signal.SIGINT) is before
