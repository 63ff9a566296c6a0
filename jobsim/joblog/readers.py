"""The formats of job logs that jobsim reads; a new one is one more entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobsim.errors import UsageError
from jobsim.joblog import own_csv, swf
from jobsim.joblog.faultlist import nearest, refuse
from jobsim.joblog.files import HEAD_BYTES, read_bytes
from jobsim.joblog.reading import OPTION_OF, Reading
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular import TAKES, read_csv, read_json, read_parquet


@dataclass(frozen=True, slots=True)
class Reader:
    """How one format is told from others, and read.

    Attributes
    ----------
    name
        What ``--format`` calls it.
    what
        One line for people.
    endings
        Of file names, without ``.gz``; used where the content says nothing.
    looks_like
        Whether a file whose unpacked content begins like this is of the format: sure, not
        perhaps, as the first reader that says so is taken.
    read
        Reads a file, plain or gzip, as the user says; raises LogError.
    takes
        The attributes of a `Reading` that mean something for this format; others are refused.
    """

    name: str
    what: str
    endings: tuple[str, ...]
    looks_like: Callable[[bytes], bool]
    read: Callable[[Path, Reading], JobLog]
    takes: frozenset[str] = frozenset()


READERS = (
    Reader(
        "parquet",
        "any table as Parquet; jobsim's own columns, or others (--map)",
        (".parquet", ".pq"),
        read_parquet.looks_like,
        read_parquet.read,
        TAKES,
    ),
    Reader("csv", "jobsim's own columns as CSV", (), own_csv.looks_like, own_csv.read),
    Reader(
        "swf",
        "Standard Workload Format of the Parallel Workloads Archive",
        (".swf", ".swf-ext"),
        swf.looks_like,
        swf.read,
    ),
    Reader(
        "table",
        "any table with a header as CSV or TSV; columns are guessed, or said with --map",
        (".csv", ".tsv", ".tab", ".psv"),
        read_csv.looks_like,
        read_csv.read,
        TAKES,
    ),
    Reader(
        "json",
        "any table as JSON lines or a list of objects (--map)",
        (".json", ".jsonl", ".ndjson"),
        read_json.looks_like,
        read_json.read,
        TAKES,
    ),
)
"""Asked in this order: those that know one system stand before those that take any table."""


def by_name(name: str) -> Reader:
    """The reader of a format; UsageError with the nearest right names if there is none."""
    for reader in READERS:
        if reader.name == name:
            return reader
    names = [reader.name for reader in READERS]
    raise UsageError(f"no log format {name!r}; {nearest(name, names)}")


def check_taken(reader: Reader, reading: Reading) -> None:
    """Raise a UsageError where the user says of a file what its format cannot need."""
    for name in sorted(reading.said() - reader.takes - {"assume_run_s"}):
        taken = ", ".join(sorted(OPTION_OF[each] for each in reader.takes)) or "none of these"
        raise UsageError(
            f"{OPTION_OF[name]} says nothing of a log in the format {reader.name};"
            f" what that format takes: {taken}"
        )


def recognise(path: Path) -> Reader:
    """The reader of a file, by its content or else by its name's ending.

    Raises
    ------
    LogError
        It cannot be read, is empty, or is of no known format.
    """
    head = read_bytes(path, HEAD_BYTES)
    if not head or head.isspace():
        refuse(str(path), "the file is empty", "one line for each job")
    name = path.name.removesuffix(".gz")
    sure = [reader for reader in READERS if reader.looks_like(head)]
    fitting = sure or [reader for reader in READERS if name.endswith(reader.endings)]
    if not fitting:
        names = ", ".join(reader.name for reader in READERS)
        refuse(str(path), "the format is not recognised", f"say which with --format: {names}")
    return fitting[0]
