"""The formats of job logs that jobsim reads; a new one is one more entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobsim.errors import UsageError
from jobsim.joblog import (
    cronlog,
    own_csv,
    processlist,
    queues,
    sacct,
    slowlog,
    swf,
    wfformat,
    xes,
)
from jobsim.joblog.ci import azure, github, gitlab
from jobsim.joblog.faultlist import refuse
from jobsim.joblog.files import HEAD_BYTES, looks_binary, read_bytes
from jobsim.joblog.reading import Reading
from jobsim.joblog.schedule import crontab, systemd, windows
from jobsim.joblog.table import JobLog
from jobsim.joblog.tabular import TAKES, read_csv, read_json, read_parquet
from jobsim.words import nearest


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


def _never(head: bytes) -> bool:
    """Of formats that only the user can tell apart."""
    return False


SCHEDULE = frozenset({"zone", "begin", "span_s"})
PLAIN_TIMES = frozenset({"zone"})
SHOWN_IN = PLAIN_TIMES
"""Of formats whose times are instants: in which zone their hours and days are to be shown."""
DUMP = TAKES | {"table"}

SQLITE = b"SQLite format 3\0"
NO_LOG = "the file is binary, and of no format that is known"

READERS = (
    Reader(
        "parquet",
        "any table as Parquet; jobsim's own columns, or others (--map)",
        (".parquet", ".pq"),
        read_parquet.looks_like,
        read_parquet.read,
        TAKES,
    ),
    Reader(
        "csv",
        "jobsim's own columns as CSV",
        (),
        own_csv.looks_like,
        own_csv.read,
        SHOWN_IN,
    ),
    Reader(
        "sql-dump",
        "an SQL dump (mysqldump, phpMyAdmin, pg_dump, sqlite3, SQL Server) with a queue's tables",
        (".sql",),
        queues.looks_like_dump,
        queues.read_dump,
        DUMP,
    ),
    Reader(
        "airflow-csv",
        "Airflow's task_instance or dag_run exported as CSV",
        (),
        queues.looks_like_airflow_csv,
        queues.read_airflow_csv,
        frozenset({"outcomes", "zone"}),
    ),
    Reader(
        "swf",
        "Standard Workload Format of the Parallel Workloads Archive",
        (".swf", ".swf-ext"),
        swf.looks_like,
        swf.read,
        SHOWN_IN,
    ),
    Reader(
        "sacct",
        "Slurm's sacct: -P with a header or without, --json, or columns of fixed width",
        (".sacct",),
        sacct.looks_like,
        sacct.read,
        sacct.TAKES,
    ),
    Reader(
        "slowlog",
        "slow query log of MySQL, Percona Server or MariaDB, or its table mysql.slow_log exported",
        (),
        slowlog.looks_like,
        slowlog.read,
        PLAIN_TIMES,
    ),
    Reader(
        "processlist",
        "process lists of MySQL or MariaDB (SHOW PROCESSLIST, or a table of it), one or several",
        (),
        processlist.looks_like,
        processlist.read,
        PLAIN_TIMES,
    ),
    Reader(
        "xes",
        "XES event log: START, COMPLETE and the other lifecycle transitions",
        (".xes",),
        xes.looks_like,
        xes.read,
        PLAIN_TIMES,
    ),
    Reader(
        "github",
        "GitHub Actions: runs or jobs as JSON (REST API, gh run list) or CSV",
        (),
        github.looks_like,
        github.read,
        TAKES,
    ),
    Reader("azure", "Azure Pipelines: builds as JSON", (), azure.looks_like, azure.read, TAKES),
    Reader(
        "gitlab",
        "GitLab CI: jobs or pipelines as JSON",
        (),
        gitlab.looks_like,
        gitlab.read,
        TAKES,
    ),
    Reader(
        "wfformat",
        "WfFormat workflow of the WfCommons project, as JSON",
        (),
        wfformat.looks_like,
        wfformat.read,
        PLAIN_TIMES,
    ),
    Reader(
        "cron",
        "cron's command lines in a syslog, or as journalctl prints them (also -o json)",
        (),
        cronlog.looks_like,
        cronlog.read,
        frozenset({"zone", "begin"}),
    ),
    Reader(
        "crontab",
        "a crontab, as a plan of its firings (says whether it has a column of users)",
        (".crontab", ".cron", "crontab", "cron.d"),
        crontab.looks_like,
        crontab.read,
        SCHEDULE,
    ),
    Reader(
        "system-crontab",
        "a crontab with a column of users, as /etc/crontab",
        (),
        _never,
        crontab.read_system,
        SCHEDULE,
    ),
    Reader(
        "user-crontab",
        "a crontab without a column of users, as crontab -l prints it",
        (),
        _never,
        crontab.read_user,
        SCHEDULE,
    ),
    Reader(
        "systemd-timer",
        "systemd timers, as systemctl cat '*.timer' prints them",
        (".timer",),
        systemd.looks_like,
        systemd.read,
        SCHEDULE,
    ),
    Reader(
        "windows-task",
        "tasks of the Windows Task Scheduler, exported as XML",
        (),
        windows.looks_like,
        windows.read,
        SCHEDULE,
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
    if head.startswith(SQLITE):
        refuse(str(path), "this is an SQLite database", f"say its URL: sqlite:///{path}")
    name = path.name.removesuffix(".gz")
    sure = [reader for reader in READERS if reader.looks_like(head)]
    fitting = sure or [reader for reader in READERS if name.endswith(reader.endings)]
    if not fitting and looks_binary(head):
        refuse(str(path), NO_LOG, "a log in text or Parquet (jobsim log formats), plain or gzip")
    if not fitting:
        names = ", ".join(reader.name for reader in READERS)
        refuse(str(path), "the format is not recognised", f"say which with --format: {names}")
    return fitting[0]
