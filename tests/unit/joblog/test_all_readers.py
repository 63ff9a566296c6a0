"""What holds of every format: it is told from the others, and no file at all brings it down."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog import JobLog, read_log
from jobsim.joblog.readers import READERS, Reader, by_name, recognise
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import schema

DRAWS = int(os.environ.get("JOBSIM_FUZZ", "3"))
"""How many damaged files each reader gets of each format."""

SCHEDULED = Reading(begin=datetime(2026, 1, 1), span_s=86400.0)
SWF_LINE = "{id} {submit} 5 10 1 -1 -1 1 -1 -1 1 3 1 -1 1 -1 -1 -1"

SAMPLES = {
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
}
"""A small right file of each format of text that is recognised."""

each_sample = pytest.mark.parametrize("name", SAMPLES)
each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)


def said(reader: Reader) -> Reading:
    return SCHEDULED if "span_s" in reader.takes else PLAIN


def check(read: Callable[[], JobLog]) -> None:
    """It gives a right table, or refuses in words."""
    with contextlib.suppress(LogError, UsageError):
        schema().validate(read().jobs, lazy=True)


@each_sample
def test_a_right_file_is_recognised_and_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(SAMPLES[name])
    reader = recognise(path)
    assert reader.name == name
    log = read_log(path, reading=said(reader))
    assert len(log)
    schema().validate(log.jobs, lazy=True)


@each_sample
def test_only_one_format_besides_the_general_ones_claims_a_file(name: str) -> None:
    claims = {one.name for one in READERS if one.looks_like(SAMPLES[name].encode())}
    assert name in claims
    assert claims <= {name, "table", "json"}


@each_reader
def test_a_file_of_another_format_is_refused_or_read_rightly(
    tmp_path: Path, reader: Reader
) -> None:
    path = tmp_path / "a.txt"
    for text in (*SAMPLES.values(), "", "\n", "hello\n", "\x00\x01\x02" * 50, "PAR1", "\x1f\x8b"):
        path.write_bytes(text.encode("latin-1"))
        check(lambda: reader.read(path, said(reader)))


@each_sample
def test_a_damaged_file_is_refused_or_read_rightly(tmp_path: Path, name: str) -> None:
    reader = by_name(name)
    whole = SAMPLES[reader.name].encode() * 3
    path, draw = tmp_path / "a.txt", random.Random(reader.name)
    for _ in range(10 * DRAWS):
        data = bytearray(whole)
        kind = draw.choice(["cut", "flip", "shuffle"])
        if kind == "cut":
            data = data[: draw.randrange(len(data))]
        elif kind == "flip":
            for _ in range(draw.randrange(1, 20)):
                data[draw.randrange(len(data))] = draw.randrange(256)
        else:
            lines = bytes(data).split(b"\n")
            draw.shuffle(lines)
            data = bytearray(b"\n".join(lines))
        path.write_bytes(data)
        check(lambda: reader.read(path, said(reader)))


@each_reader
def test_what_a_format_does_not_take_is_refused(tmp_path: Path, reader: Reader) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x")
    for attribute, value in {"zone": "UTC", "table": "t", "span_s": 5.0}.items():
        if attribute not in reader.takes:
            with pytest.raises(UsageError, match="says nothing of a log in the format"):
                read_log(path, format=reader.name, reading=Reading(**{attribute: value}))
