"""What holds of every format: it is told from the others, and no file at all brings it down."""

from __future__ import annotations

import gzip
import io
import os
import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from jobsim.cli import app
from jobsim.errors import LogError, UsageError
from jobsim.joblog import JobLog, read_log
from jobsim.joblog.read import check_taken
from jobsim.joblog.readers import READERS, Reader, by_name, recognise
from jobsim.joblog.reading import OPTION_OF, PLAIN, Reading
from jobsim.joblog.schema import schema

DRAWS = int(os.environ.get("JOBSIM_FUZZ", "2"))
"""How many damaged files of each format each reader gets; of its own, ten times as many."""

BOUND_S = 20.0
"""Far more than any file here takes, and far less than what goes on for ever."""

SCHEDULED = Reading(begin=datetime(2026, 1, 1), span_s=86400.0)
SWF_LINE = "{id} {submit} 5 10 1 -1 -1 1 -1 -1 1 3 1 -1 1 -1 -1 -1"


def parquet() -> bytes:
    """A foreign table as Parquet."""
    table = {"id": [1, 2], "created_at": ["2024-01-01T00:00:00Z"] * 2, "took_ms": [5, 7]}
    file = io.BytesIO()
    pd.DataFrame(table).to_parquet(file)
    return file.getvalue()


TEXTS = {
    "csv": "submit_s,run_s\n0,1\n5,2\n",
    "swf": "".join(SWF_LINE.format(id=n, submit=60 * n) + "\n" for n in (1, 2, 3)),
    "sql-dump": "-- MariaDB dump\nCREATE TABLE `jobs` (`id` int, `queue` text, `payload` text,"
    " `attempts` int, `reserved_at` int, `available_at` int, `created_at` int);\n"
    "INSERT INTO `jobs` VALUES (1,'q','{}',0,NULL,1700000000,1700000000);\n",
    "airflow-csv": "task_id,dag_id,run_id,map_index,start_date,end_date,duration,state,try_number,"
    "hostname,pool,queue,priority_weight,operator,queued_dttm\n"
    "a,d,r,-1,2024-01-01 00:00:05,2024-01-01 00:00:09,4,success,1,h,p,q,1,O,2024-01-01 00:00:01\n",
    "sacct": "JobID|JobName|User|State|Submit|Start|End|Elapsed|ExitCode\n"
    "1|a|u|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:05|2024-01-01T00:01:05|00:01:00|0:0\n",
    "slowlog": "# Time: 2024-01-01T00:00:00.000000Z\n# User@Host: a[a] @ h []  Id: 1\n"
    "# Query_time: 2.0  Lock_time: 0.0 Rows_sent: 1  Rows_examined: 5\n"
    "SET timestamp=1704067200;\nselect * from t where id = 1;\n",
    "processlist": "*************************** 1. row ***************************\n"
    "     Id: 1\n   User: u\n   Host: h\n     db: d\nCommand: Query\n   Time: 3\n  State: x\n"
    "   Info: select 1 from t\n",
    "xes": '<?xml version="1.0"?><log><trace><string key="concept:name" value="1"/><event>'
    '<string key="concept:name" value="W"/><string key="lifecycle:transition" value="START"/>'
    '<date key="time:timestamp" value="2024-01-01T00:00:00Z"/></event><event>'
    '<string key="concept:name" value="W"/><string key="lifecycle:transition" value="COMPLETE"/>'
    '<date key="time:timestamp" value="2024-01-01T00:05:00Z"/></event></trace></log>\n',
    "github": '[{"databaseId": 1, "workflowName": "CI", "status": "completed", "conclusion":'
    ' "success", "createdAt": "2024-01-01T00:00:00Z", "startedAt": "2024-01-01T00:00:00Z",'
    ' "updatedAt": "2024-01-01T00:05:00Z", "attempt": 1}]\n',
    "azure": '{"count": 1, "value": [{"id": 1, "buildNumber": "1", "status": "completed", "result":'
    ' "succeeded", "queueTime": "2024-01-01T00:00:00.1234567Z", "startTime":'
    ' "2024-01-01T00:00:05Z", "finishTime": "2024-01-01T00:01:05Z",'
    ' "definition": {"name": "d"}}]}\n',
    "gitlab": '[{"id": 1, "name": "t", "stage": "s", "status": "success", "created_at":'
    ' "2024-01-01T00:00:00Z", "started_at": "2024-01-01T00:00:09Z", "finished_at":'
    ' "2024-01-01T00:01:00Z", "duration": 51.0, "queued_duration": 4.0, "pipeline": {"id": 1}}]\n',
    "cron": "Jan  2 12:01:01 host CRON[12]: (root) CMD (run-parts /etc/cron.hourly)\n"
    "Jan  2 13:01:01 host CRON[13]: (root) CMD (run-parts /etc/cron.hourly)\n",
    "crontab": "SHELL=/bin/sh\n*/5 * * * * /usr/bin/php /srv/x.php\n0 3 * * * /srv/backup.sh\n",
    "systemd-timer": "[Unit]\nDescription=x\n\n[Timer]\nOnCalendar=daily\n\n[Install]\n"
    "WantedBy=timers.target\n",
    "table": "id,created_at,started_at,finished_at,status\n"
    "1,2024-01-01 00:00:00,2024-01-01 00:00:05,2024-01-01 00:01:00,done\n",
    "json": '{"id": 1, "created_at": "2024-01-01T00:00:00Z", "took_ms": 5}\n',
    "wfformat": '{"name": "w", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": ['
    '{"name": "a", "id": "a", "parents": [], "children": ["b"]},'
    ' {"name": "b", "id": "b", "parents": ["a"], "children": []}]}, "execution":'
    ' {"makespanInSeconds": 9, "executedAt": "2024-03-01T09:00:00+01:00", "tasks":'
    ' [{"id": "a", "runtimeInSeconds": 4}, {"id": "b", "runtimeInSeconds": 5}]}}}\n',
    "system-crontab": "MAILTO=root\n17 * * * * root run-parts /etc/cron.hourly\n",
    "user-crontab": "*/10 * * * * sync-mail --quiet\n",
    "windows-task": '<?xml version="1.0"?>\n<Task version="1.2"'
    ' xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\n<RegistrationInfo>'
    "<URI>\\nightly</URI></RegistrationInfo>\n<Triggers><CalendarTrigger><StartBoundary>"
    "2019-01-01T02:30:00</StartBoundary>\n<ScheduleByDay><DaysInterval>1</DaysInterval>"
    "</ScheduleByDay></CalendarTrigger></Triggers>\n<Actions><Exec><Command>a.exe</Command></Exec>"
    "</Actions>\n</Task>\n",
}
SAMPLES = {name: text.encode() for name, text in TEXTS.items()} | {"parquet": parquet()}
"""A small right file of each format."""

SAID_BY_THE_USER = {"system-crontab", "user-crontab"}
"""Formats that nobody can tell by looking."""

NO_FORMAT = (
    *(b"", b"\n", b"hello\n", b"\x00\x01\x02" * 50, b"PAR1", b"\x1f\x8b", b"\xff\xfe"),
    *(b"[" * 9999, b"(" * 9999, b"," * 9999, b'"' * 9999),
)

each_sample = pytest.mark.parametrize("name", SAMPLES)
each_recognised = pytest.mark.parametrize("name", sorted(SAMPLES.keys() - SAID_BY_THE_USER))
each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)


def said(reader: Reader) -> Reading:
    return SCHEDULED if "span_s" in reader.takes else PLAIN


def check(reader: Reader, path: Path) -> bool:
    """Whether the file gives a right table; else it is refused in words, and either soon."""
    began_s, log, words = monotonic(), None, ""
    try:
        log = read_log(path, format=reader.name, reading=said(reader))
    except (LogError, UsageError) as refusal:
        words = str(refusal)
    assert monotonic() - began_s < BOUND_S
    if log is None:
        assert str(path) in words
        return False
    assert len(log)
    schema().validate(log.jobs, lazy=True)
    return True


def cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data))]


def flipped(data: bytes, draw: random.Random) -> bytes:
    wrong = bytearray(data)
    for _ in range(draw.randrange(1, 20)):
        wrong[draw.randrange(len(wrong))] = draw.randrange(256)
    return bytes(wrong)


def shuffled(data: bytes, draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    draw.shuffle(lines)
    return b"\n".join(lines)


def words_swapped(data: bytes, draw: random.Random) -> bytes:
    words = data.split(b" ")
    odd = [b"", b"-1", b"1e999", b"nan", b"9" * 30, b"2024-02-30", b"\xc3\xa9", b"\x00", b"'"]
    words[draw.randrange(len(words))] = draw.choice([*odd, draw.choice(words)])
    return b" ".join(words)


def garbage_within(data: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(data))
    return data[:at] + draw.randbytes(draw.randrange(1, 200)) + data[at:]


def packed_and_cut(data: bytes, draw: random.Random) -> bytes:
    return cut(gzip.compress(data), draw)


def packed_and_flipped(data: bytes, draw: random.Random) -> bytes:
    return flipped(gzip.compress(data), draw)


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(cut, flipped, shuffled, words_swapped, garbage_within, packed_and_cut, packed_and_flipped),
)


def test_there_is_a_sample_of_each_format() -> None:
    assert SAMPLES.keys() == {reader.name for reader in READERS}


@each_recognised
def test_a_right_file_is_recognised_and_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(SAMPLES[name])
    reader = recognise(path)
    assert reader.name == name
    assert check(reader, path)


@each_recognised
def test_only_the_general_formats_claim_a_file_of_another(name: str) -> None:
    claims = {one.name for one in READERS if one.looks_like(SAMPLES[name])}
    assert name in claims
    assert claims <= {name, "table", "json"}


@each_sample
def test_a_packed_file_is_read_like_a_plain_one(
    tmp_path: Path, name: str, assert_same: Callable[[JobLog, JobLog], None]
) -> None:
    reader, plain, packed = by_name(name), tmp_path / "a", tmp_path / "a.gz"
    plain.write_bytes(SAMPLES[name])
    packed.write_bytes(gzip.compress(SAMPLES[name]))
    if name != "parquet":
        assert_same(*(read_log(path, name, reading=said(reader)) for path in (plain, packed)))


@each_reader
def test_a_file_of_another_format_is_refused_or_read_rightly(
    tmp_path: Path, reader: Reader
) -> None:
    path = tmp_path / "a"
    for data in (*SAMPLES.values(), *NO_FORMAT):
        path.write_bytes(data)
        check(reader, path)


@each_reader
def test_a_damaged_file_of_any_format_is_refused_or_read_rightly(
    tmp_path: Path, reader: Reader
) -> None:
    path, draw = tmp_path / "a", random.Random(reader.name)
    for name, data in SAMPLES.items():
        for _ in range(DRAWS * (10 if name == reader.name else 1)):
            path.write_bytes(draw.choice(DAMAGES)(data * draw.choice([1, 3]), draw))
            check(reader, path)


ANYTHING: dict[str, Any] = {
    "columns": {"submit": "a"},
    "units": {"run": "ms"},
    "outcomes": {"done": "completed"},
    "zone": "UTC",
    "table": "t",
    "query": "select 1",
    "begin": datetime(2026, 1, 1),
    "span_s": 5.0,
}
"""Something that the user may say, for each option that some formats do not take."""


def test_every_option_is_asked_for() -> None:
    assert ANYTHING.keys() == OPTION_OF.keys() - {"assume_run_s"}


@each_reader
@pytest.mark.parametrize("attribute", ANYTHING)
def test_what_a_format_does_not_take_is_refused_and_nothing_else(
    tmp_path: Path, reader: Reader, attribute: str
) -> None:
    path, reading = tmp_path / "a", Reading(**{attribute: ANYTHING[attribute]})
    path.write_bytes(SAMPLES[reader.name])
    if attribute in reader.takes:
        check_taken(reader.name, reader.takes, reading)
        return
    words = f"^{OPTION_OF[attribute]} says nothing of a log in the format {reader.name};"
    with pytest.raises(UsageError, match=words):
        read_log(path, format=reader.name, reading=reading)


@each_sample
def test_a_converted_file_reads_back_the_same(
    tmp_path: Path, name: str, assert_same: Callable[[JobLog, JobLog], None]
) -> None:
    path, reader = tmp_path / "a", by_name(name)
    path.write_bytes(SAMPLES[name])
    log = read_log(path, format=name, reading=said(reader))
    period = ["--from", "2026-01-01", "--for", "1d"] if "span_s" in reader.takes else []
    for ending in ("csv", "csv.gz", "parquet"):
        put = tmp_path / f"b.{ending}"
        command = ["log", "convert", str(path), "--format", name, *period, "-o", str(put)]
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
        assert_same(read_log(put), log)
