"""Record a day of real jobs, run by a live skip-locked queue, as a job log.

    python record.py --seed 20 -o FOLDER           the whole day, 16 minutes
    python record.py --seed 20 -o FOLDER --first 40     a trial

Makes the inputs in a temporary folder, draws the schedule, lets four workers of jobsim's live queue
run the jobs, and writes ``media-batch.csv`` (the log) and ``media-batch.json`` (how it was made).
"""

from __future__ import annotations

import argparse
import json
import platform
import secrets
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import PIL
import psutil
from inputs import make_inputs
from schedule import Planned, draw_schedule

from jobsim.joblog import write
from jobsim.live.record import LiveRecord, Progress
from jobsim.record.commands import Job, record_jobs

NAME = "media-batch"
JOBS_PROGRAM = Path(__file__).with_name("jobs.py")
WORKERS = 4
PATIENCE_S = 300.0
"""Given to the backlog after the last submission."""


def record(seed: int, first: int | None, outputs: Path) -> None:
    """Record a day, or its first jobs, into a folder."""
    with tempfile.TemporaryDirectory(prefix="jobsim-recording-") as made:
        folder = Path(made)
        tell(f"seed {seed}: making the inputs")
        schedule = draw_schedule(make_inputs(folder, seed), seed)[:first]
        tell(f"{len(schedule)} jobs in {schedule[-1].submit_s:.0f} s")
        (folder / "outputs").mkdir()
        watch = Watch()
        recording = record_jobs(
            [job(planned, folder) for planned in schedule],
            name=NAME,
            workers=WORKERS,
            seed=seed,
            until_s=schedule[-1].submit_s + PATIENCE_S,
            tell=watch,
        )
        facts = watch.facts()
    log, live = recording.log, recording.live
    write(log, outputs / f"{NAME}.csv")
    assert log.origin is not None
    about = {
        "seed": seed,
        "workers": WORKERS,
        "recorded_at": log.origin.isoformat(timespec="seconds"),
        **facts,
        **server(live),
        **machine(),
    }
    about["cpu_s"] = cpu_s(schedule, live)
    (outputs / f"{NAME}.json").write_text(json.dumps(about, indent=2) + "\n")
    tell(f"{log!r}, {(log.jobs['outcome'] == 'failed').sum()} of them failed; {live.ended}")


def job(planned: Planned, folder: Path) -> Job:
    """The process that does a planned job."""
    places = ["--inputs", str(folder), "--outputs", str(folder / "outputs")]
    words = [sys.executable, str(JOBS_PROGRAM), planned.kind, "--item", str(planned.item), *places]
    return Job(tuple(words), planned.submit_s, planned.kind, planned.owner, priority=0)


class Watch:
    """Sees a run: how far it is, and how busy the machine was with it and others."""

    def __init__(self) -> None:
        self.began = False
        self.told_s = 0.0

    def __call__(self, now: Progress) -> None:
        if not self.began:
            self.began = True
            self.load_before = load_average()
            self.busy_before_s = busy_s()
        if now.t_s > self.told_s:
            tell(f"{now.t_s:5.0f} s: {now.submitted} submitted, {now.final} over, of {now.jobs}")
            self.told_s += 30.0

    def facts(self) -> dict[str, Any]:
        """To be kept with the log."""
        return {
            "load_average_before": self.load_before,
            "load_average_after": load_average(),
            "machine_busy_s": round(busy_s() - self.busy_before_s, 1),
        }


def load_average() -> str:
    """Over the last 1, 5 and 15 minutes."""
    return " ".join(f"{load:.2f}" for load in psutil.getloadavg())


def busy_s() -> float:
    """Processor seconds that this machine has used since it was started."""
    used = psutil.cpu_times()
    return float(sum(used) - used.idle - getattr(used, "iowait", 0.0))


def cpu_s(schedule: Sequence[Planned], ran: LiveRecord) -> dict[str, float]:
    """Processor seconds of the jobs' processes by kind, as the kernel counted them."""
    runs = pd.DataFrame(ran.ran)
    kinds = runs["job"].map(lambda job: schedule[job - 1].kind)
    return {str(kind): round(float(s), 1) for kind, s in runs.groupby(kinds)["cpu_s"].sum().items()}


def server(ran: LiveRecord) -> dict[str, Any]:
    """The database that the queue was in."""
    version, _, _ = ran.database.partition(" at ")
    return {"database": version, "database_settings": dict(ran.settings)}


def machine() -> dict[str, Any]:
    """What it ran on, without names."""
    os_release = platform.freedesktop_os_release() if sys.platform == "linux" else {}
    return {
        "cores": psutil.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 2**30, 1),
        "system": os_release.get("PRETTY_NAME", platform.system()),
        "kernel": platform.release().split("-")[0],
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pillow": PIL.__version__,
    }


def tell(text: str) -> None:
    """Progress, on stderr."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Record."""
    parser = argparse.ArgumentParser(description="Record a day of real jobs.")
    parser.add_argument("--seed", type=int, help="default: a new one, which is kept with the log")
    parser.add_argument("--first", type=int, help="only so many jobs")
    parser.add_argument("-o", "--outputs", type=Path, required=True)
    given = parser.parse_args()
    seed = secrets.randbelow(10**6) if given.seed is None else given.seed
    record(seed, given.first, given.outputs)


if __name__ == "__main__":
    main()
