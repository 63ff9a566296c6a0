"""jobsim's own log files: CSV to look at and edit, Parquet to keep."""

from __future__ import annotations

from pathlib import Path

from jobsim.errors import UsageError
from jobsim.joblog.own_csv import write_csv
from jobsim.joblog.own_parquet import write_parquet
from jobsim.joblog.table import JobLog

WRITERS = {".parquet": write_parquet, ".csv": write_csv, ".csv.gz": write_csv}


def write(log: JobLog, path: str | Path) -> None:
    """Write the log in the format that the name's ending says: .parquet, .csv or .csv.gz.

    Reading the file gives the same jobs, name, origin, workers and notes.

    Raises
    ------
    UsageError
        Another ending, or a place that cannot be written.
    """
    path = Path(path)
    for ending, write_as in WRITERS.items():
        if path.name.endswith(ending):
            try:
                return write_as(log, path)
            except OSError as error:
                raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    raise UsageError(f"{path}: a job log is written as {', '.join(WRITERS)}")
