"""The rows of a process list: what their columns are called, and what a query killer prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jobsim.joblog.printed import Columns, Row, parts, row_of

KILL = re.compile(r"^# \d{4}-\S+ KILL(?: QUERY)? (\d+) \(([A-Z][\w ]*?) (\d+) sec\) ?(.*)")

MADE_AT = "made_at"
"""The column with the instant at which the list was made, where a user asked for one."""

_OF_THREADS = ("id", "user", "host", "db", "command", "time", "state", "info")
_INSTANTS = {"now()", "now(6)", "sysdate()", "current_timestamp", "current_timestamp()", "ts"}
_INSTANTS |= {"utc_timestamp()", "timestamp", "sampled_at", "captured_at", "collected_at"}
_INSTANTS |= {"snapshot_time", "sample_time", "log_time", "logged_at"}
_OTHERS = {"progress", "rows_sent", "rows_examined", "rows_read", "stage", "tid", "max_stage"}
_OTHERS |= {"memory_used", "max_memory_used", "examined_rows", "query_id", "info_binary"}
_OTHERS |= {"sent_rows", "execution_engine", "thd_id", "statement_latency", "lock_latency"}
_OTHERS |= {"cpu_latency", "rows_affected", "tmp_tables", "tmp_disk_tables", "full_scan", "source"}
_OTHERS |= {"last_statement", "last_statement_latency", "current_memory", "last_wait", "pid"}
_OTHERS |= {"last_wait_latency", "trx_latency", "trx_state", "trx_autocommit", "program_name"}
_OTHERS |= {"thread_id", "name", "type", "parent_thread_id", "role", "instrumented", "history"}
_OTHERS |= {"connection_type", "thread_os_id", "resource_group"}

COLUMNS = Columns(
    needed=(
        *(frozenset({name}) for name in ("id", "command", "info")),
        frozenset({"time", "time_ms"}),
        frozenset({"user", "host", "db", "state"}),
    ),
    text="info",
    hint="command",
    called={
        **{f"processlist_{name}": name for name in _OF_THREADS},
        **dict.fromkeys(_INSTANTS, MADE_AT),
        "conn_id": "id",  # sys.session and sys.processlist
        "current_statement": "info",
        "sessionid": "id",  # ProxySQL
    },
    others=frozenset(_OTHERS | {MADE_AT}),
)
"""Those of ``SHOW PROCESSLIST``, ``information_schema``, ``performance_schema`` and ``sys``."""


def kill_rows(lines: list[str], first: int) -> Iterator[Row]:
    """What a killer says of its victims, a line each and more where the statement has more."""
    for at, part in parts(lines, KILL):
        found = KILL.match(part[0])
        assert found is not None
        names = ("id", "command", "time", "info")
        fields = dict(zip(names, found.groups(), strict=True))
        yield row_of(fields | {"info": "\n".join([fields["info"], *part[1:]])}, first + at)
