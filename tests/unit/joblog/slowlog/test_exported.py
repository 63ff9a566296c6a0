"""The table mysql.slow_log, printed or exported."""

from __future__ import annotations

import json

import pytest

from jobsim.errors import LogError
from jobsim.joblog import slowlog
from jobsim.joblog.reading import Reading

NINE = 1796029200  # 2026-11-30 09:00 UTC
NAMES = ("start_time", "user_host", "query_time", "lock_time", "rows_sent", "sql_text", "thread_id")
USER = "app[app] @ web []"
ORDERS, LINES = "SELECT *\nFROM orders", "UPDATE lines SET a = 'x\ty'"
ROWS = (
    ("2026-11-30 09:00:10.250000", USER, "00:00:02.500000", "00:00:02", 1, ORDERS, 4),
    ("2026-11-30 09:00:11.125000", USER, "00:00:00.500000", "00:00:00", 1, LINES, 4),
)
UTC = Reading(zone="UTC")


def as_csv(names=NAMES, rows=ROWS):
    lines = [",".join(f'"{cell}"' for cell in row) for row in (names, *rows)]
    return "\n".join(lines)


def as_batch():
    rows = [[str(cell).replace("\n", "\\n").replace("\t", "\\t") for cell in row] for row in ROWS]
    return "\n".join("\t".join(row) for row in (NAMES, *rows))


def as_table():
    border = "+--+--+--+--+--+--+--+"
    head, *rows = ["| " + " | ".join(map(str, row)) + " |" for row in (NAMES, *ROWS)]
    return "\n".join([border, head, border, *rows, border])


def as_vertical():
    return "\n".join(
        "\n".join(
            [f"{'*' * 27} {number}. row {'*' * 27}"]
            + [f"{name:>14}: {cell}" for name, cell in zip(NAMES, row, strict=True)]
        )
        for number, row in enumerate(ROWS, 1)
    )


def as_json():
    return json.dumps([dict(zip(NAMES, row, strict=True)) for row in ROWS])


def as_own_file():
    """As in the server's data folder: without a head, and with all columns."""
    return "\n".join(
        f'"{at}","{user}","{query}","{lock}",{sent},0,"",0,0,1,"'
        + text.replace("\\", "\\\\").replace("\n", "\\n").replace("'x", "\\\"'x")
        + f'",{session}'
        for at, user, query, lock, sent, text, session in ROWS
    )


def instants(log):
    return (log.jobs["submit_s"] + log.origin.timestamp() - NINE).round(6).tolist()


@pytest.fixture
def read_table(file):
    def read(text, reading=UTC):
        path = file("slow_log.txt", text)
        assert slowlog.looks_like(path.read_bytes())
        return slowlog.read(path, reading)

    return read


@pytest.mark.parametrize("form", [as_csv, as_batch, as_table, as_vertical, as_json, as_own_file])
def test_each_form_has_the_same_statements(read_table, notes_of, form):
    log = read_table(form())
    assert instants(log) == [7.75, 10.625]
    assert log.jobs["run_s"].tolist() == [2.5, 0.5]
    assert log.jobs["kind"].tolist() == ["select orders", "update lines"]
    assert log.jobs["owner"].tolist() == ["app", "app"]
    assert [count for _, count in notes_of(log, "waiting for locks")] == [1]
    assert notes_of(log, "whole seconds") == []


def test_mysql_writes_the_end_into_the_column_start_time(read_table, notes_of):
    log = read_table(as_csv())
    assert notes_of(log, "start_time") == [
        ("guessed: start_time taken as that of the end, as MySQL logs it", 2)
    ]


def test_mariadb_which_has_a_column_more_writes_the_start(read_table, notes_of):
    log = read_table(as_csv((*NAMES, "rows_affected"), [(*ROWS[0], 0), (*ROWS[1][:-1], 5, 0)]))
    assert instants(log) == [10.25, 11.125]
    assert notes_of(log, "start_time") == []


def test_a_table_in_another_order_tells_ends_from_starts_by_its_sessions(read_table):
    """Two in one session, the longest first; taken wrongly, they would overlap."""

    def started(texts, names, more=()):
        rows = [(at, USER, run, "00:00:00", 1, "BEGIN", 4, *more) for at, run in texts]
        return instants(read_table(as_csv(names, rows)))

    ends = [("2026-11-30 09:00:20", "00:00:18"), ("2026-11-30 09:00:21", "00:00:01")]
    assert started(ends, (*NAMES, "rows_affected"), (0,)) == [2, 20]
    starts = [("2026-11-30 09:00:20", "00:00:20"), ("2026-11-30 09:00:02", "00:00:18")]
    assert started(starts, NAMES) == [2, 20]


def test_the_users_zone_holds(read_table):
    assert instants(read_table(as_csv(), Reading(zone="Europe/Berlin"))) == [-3592.25, -3589.375]


def test_a_statement_in_hexadecimal_is_text(read_table):
    rows = [(*ROWS[0][:5], "0x" + b"DELETE FROM old".hex(), 4)]
    assert read_table(as_csv(rows=rows)).jobs["kind"].tolist() == ["delete old"]


def test_a_query_time_that_is_no_duration_is_a_fault_with_its_line(read_table):
    rows = [ROWS[1], (*ROWS[1][:2], "soon", *ROWS[1][3:])]
    with pytest.raises(LogError, match=r"slow_log.txt:3: query_time is 'soon', not a duration"):
        read_table(as_csv(rows=rows))


def test_a_row_that_is_cut_off_is_dropped(read_table, notes_of):
    log = read_table(as_vertical()[: as_vertical().rindex("query_time")])
    assert len(log) == 1
    assert notes_of(log, "dropped") == [("dropped: an entry without a query time", 1)]


def test_the_servers_own_file_may_be_older(read_table):
    """Without the two last columns, as before MySQL 5.6."""
    lines = [line.rpartition(",")[0] for line in as_own_file().splitlines()]
    assert instants(read_table("\n".join(lines))) == [7.75, 10.625]


@pytest.mark.parametrize("text", [as_csv() + ',"x', as_json()[:-9]])
def test_a_table_that_is_cut_off_is_refused(read_table, text):
    with pytest.raises(LogError, match="the file as it was exported, whole"):
        read_table(text)
