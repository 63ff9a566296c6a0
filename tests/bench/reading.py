"""How fast logs are read, and in how much memory, beside ``pandas.read_csv`` of the same bytes.

The files are made here with a seed, so that every machine reads the same: an SWF log without a
header, as long as the longest public ones, and a table of a million rows. Each is read in a
process of its own, which tells its peak; the two ways take turns.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import pandas as pd

from tests.bench.peak import peak_mb

SWF_JOBS, TABLE_ROWS = 450_000, 1_000_000
TARGETS = {"jobs.swf.gz": "at most 3 s and 400 MB", "jobs.csv": "at most 5 s", "own.csv": "none"}


def make_swf(path: Path) -> None:
    """450,000 lines of 18 fields and no header, packed."""
    random = np.random.default_rng(1)
    fields = np.full((SWF_JOBS, 18), -1)
    fields[:, 0] = np.arange(1, SWF_JOBS + 1)
    fields[:, 1] = np.cumsum(random.exponential(30, SWF_JOBS)).astype(int)
    fields[:, 2] = random.exponential(600, SWF_JOBS).astype(int)
    fields[:, 3] = random.lognormal(7, 2, SWF_JOBS).astype(int)
    fields[:, 4] = 2 ** random.integers(0, 8, SWF_JOBS)
    fields[:, 10] = random.choice([1, 5], SWF_JOBS, p=[0.96, 0.04])
    fields[:, 11] = random.integers(1, 200, SWF_JOBS)
    text = "\n".join(" ".join(map(str, row)) for row in fields.tolist())
    path.write_bytes(gzip.compress(text.encode(), compresslevel=6, mtime=0))


def make_table(path: Path) -> None:
    """A million rows of a queue table, about 100 MB, its columns called as people call them."""
    random = np.random.default_rng(2)
    submit_s = 1.7e9 + np.cumsum(random.exponential(2, TABLE_ROWS))
    start_s = submit_s + random.exponential(3, TABLE_ROWS)
    end_s = start_s + random.lognormal(1, 1.5, TABLE_ROWS)
    pd.DataFrame(
        {
            "id": np.arange(TABLE_ROWS),
            "job_class": random.choice(["Mail", "Report", "Resize"], TABLE_ROWS),
            "status": random.choice(["done", "failed"], TABLE_ROWS, p=[0.95, 0.05]),
            "created_at": _written(submit_s),
            "started_at": _written(start_s),
            "finished_at": _written(end_s),
            "user_id": random.integers(0, 500, TABLE_ROWS),
        }
    ).to_csv(path, index=False)


def make_own(path: Path) -> None:
    """A million jobs in jobsim's own CSV."""
    from jobsim.joblog import read_log, write

    load = f"mmc:arrival=3.6,service=1,servers=4,jobs={TABLE_ROWS},seed=1"
    write(read_log(load), path)


def _written(seconds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> pd.Index[str]:
    return pd.to_datetime(seconds, unit="s").strftime("%Y-%m-%d %H:%M:%S.%f")


MADE: dict[str, Callable[[Path], None]] = {
    "jobs.swf.gz": make_swf,
    "jobs.csv": make_table,
    "own.csv": make_own,
}
WAYS = ("read_log", "pandas.read_csv")


def time_readers(turns: int) -> None:
    """Print the seconds and the peak of each file, read either way."""
    with tempfile.TemporaryDirectory() as folder:
        for name, make in MADE.items():
            path = Path(folder, name)
            make(path)
            took: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
            for _ in range(turns):
                for way in WAYS:
                    took[way].append(_in_a_process(way, path))
            for way, figures in took.items():
                seconds, peaks = zip(*figures, strict=True)
                spread = f"{min(seconds):.2f} to {max(seconds):.2f}"
                target = f"; wanted: {TARGETS[name]}" if way == "read_log" else ""
                print(
                    f"{name:<12} {way:<16} {median(seconds):6.2f} s ({spread}),"
                    f" peak {max(peaks):4.0f} MB{target}"
                )


def _in_a_process(way: str, path: Path) -> tuple[float, float]:
    command = [sys.executable, "-m", "tests.bench.reading", way, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, peak_mb = map(float, done.stdout.split())
    return seconds, peak_mb


def read_once(way: str, path: Path) -> None:
    """Read one file, and print the seconds that it took and the process's peak in MB."""
    from jobsim.joblog import read_log

    began_s = perf_counter()
    if way == "read_log":
        read_log(path)
    elif path.name.endswith(".swf.gz"):
        pd.read_csv(path, sep=r"\s+", header=None)
    else:
        pd.read_csv(path, comment="#")
    seconds = perf_counter() - began_s
    print(seconds, peak_mb())


if __name__ == "__main__":
    read_once(sys.argv[1], Path(sys.argv[2]))
