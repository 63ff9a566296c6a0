"""Recorded samples: real logs that come with jobsim, called by name."""

from __future__ import annotations

import os
from pathlib import Path

from jobsim.joblog.files import log_name

ENDINGS = (".parquet", ".csv", ".csv.gz")


def folder() -> Path:
    """Where the samples are: $JOBSIM_DATA, or ``data`` beside the package."""
    beside = Path(__file__).resolve().parents[2] / "data"
    return Path(os.environ.get("JOBSIM_DATA") or beside)


def paths() -> dict[str, Path]:
    """The file of each sample by its name; of two files with one name, Parquet before CSV."""
    found = [path for ending in ENDINGS for path in sorted(folder().glob(f"*{ending}"))]
    return {log_name(path): path for path in reversed(found)}
