"""Any CSV."""

import contextlib
import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError, UsageError
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import schema
from jobsim.joblog.tabular import read_csv

HEADER = "id,job_class,status,created_at,started_at,finished_at"
ROWS = [
    "1,Mail,done,2024-05-13 10:00:00,2024-05-13 10:00:10,2024-05-13 10:00:15",
    '2,"Re,port",failed,2024-05-13 10:01:00,2024-05-13 10:01:30,2024-05-13 10:01:40',
    "3,Mail,pending,2024-05-13 10:02:00,\\N,",
]


@pytest.fixture
def read(file):
    return lambda *lines, name="a.csv", reading=PLAIN: read_csv.read(file(name, *lines), reading)


def test_a_table_with_a_header_is_read(read):
    log = read(HEADER, *ROWS)
    assert log.jobs["kind"].tolist() == ["Mail", "Re,port", "Mail"]
    assert log.jobs["run_s"].tolist()[:2] == [5, 10]
    assert log.jobs["outcome"].tolist() == ["completed", "failed", "unknown"]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_are_the_headers(read, delimiter):
    lines = [line.replace(",", delimiter) for line in (HEADER, ROWS[0], ROWS[2])]
    assert read(*lines).jobs["job_id"].tolist() == [1, 3]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_other_encodings_are_read(read, encoding):
    text = "\n".join([HEADER, ROWS[0].replace("Mail", "Größe")]) + "\n"
    assert read(text.encode(encoding)).jobs["kind"].tolist() == ["Größe"]


def test_packed_files_are_read(read):
    assert len(read(HEADER, *ROWS, name="a.tsv.gz")) == 3


def test_a_cell_may_hold_a_line_break_and_lines_are_still_right(read):
    broken = '4,"a\nb",done,soon,2024-05-13 10:03:30,2024-05-13 10:03:40'
    with pytest.raises(LogError, match=r"a\.csv:5: column created_at: 'soon'"):
        read(HEADER, *ROWS, *[broken])
    assert len(read(HEADER, broken.replace("soon", "2024-05-13 10:03:00"))) == 1


def test_rows_of_another_width_are_each_listed(read):
    with pytest.raises(LogError) as refused:
        read(HEADER, ROWS[0], "1,2,3", ROWS[1], "1,2,3,4,5,6,7")
    assert [fault.line for fault in refused.value.faults] == [3, 5]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([HEADER], "only a header"),
        (["1,2,3", "4,5,6"], "no header"),
        (["created_at,created_at", "1,2"], "comes 2 times"),
        (['created_at,"x', "1,2"], "CSV"),
    ],
)
def test_what_is_no_table_of_jobs_is_refused(read, lines, message):
    with pytest.raises(LogError, match=message):
        read(*lines)


def test_ids_keep_their_zeros(read):
    assert read("job_id,created_at", "007,1700000000", "1e5,1700000001").jobs[
        "job_id"
    ].tolist() == [
        "007",
        "1e5",
    ]


def test_a_reading_says_which_columns(read):
    reading = Reading(
        columns={"submit": "t", "run": "d"},
        units={"submit": "ms", "run": "min"},
        outcomes={"k": "failed"},
    )
    log = read("t,d,status", "1700000000000,2,k", "1700000060000,0.5,done", reading=reading)
    assert log.jobs["run_s"].tolist() == [120, 30]
    assert log.jobs["outcome"].tolist() == ["failed", "completed"]


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        (f"{HEADER}\n{ROWS[0]}", True),
        ("created_at;duration\n1;2", True),
        ("a,b\n1,2", False),
        ("1 2 3 4", False),
        ("created_at\n1", False),
        ("# Time: 2024-05-13T10:00:00Z\n# User@Host: a[b] @ c", False),
        ("*/5 * * * * /usr/bin/php status, user", False),
        ("INSERT INTO jobs VALUES (1,2,3)", False),
    ],
)
def test_only_headers_that_name_columns_of_jobs_are_taken_for_tables(head, is_one):
    assert read_csv.looks_like(head.encode()) is is_one


CELLS = st.one_of(
    st.sampled_from(
        ["", "NULL", "done", "2024-05-13 10:00:00", "1700000000", "x" * 500, '"', "\x00"]
    ),
    st.text(max_size=8),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.lists(CELLS, min_size=5, max_size=7).map(",".join), max_size=8))
def test_random_cells_give_a_right_table_or_listed_faults(read, lines):
    with contextlib.suppress(LogError, UsageError):
        log = read(HEADER.encode() + b"\n" + "\n".join(lines).encode(errors="replace"))
        schema().validate(log.jobs, lazy=True)


def test_damaged_files_end_in_a_log_or_a_clear_refusal_and_soon(read):
    whole = "\n".join([HEADER, *ROWS * 50]).encode()
    draw = random.Random(7)
    began = time.monotonic()
    for _ in range(60):
        kind = draw.randrange(3)
        if kind == 0:
            data = whole[: draw.randrange(len(whole))]
        elif kind == 1:
            lines = whole.split(b"\n")
            draw.shuffle(lines)
            data = b"\n".join(lines)
        else:
            damaged = bytearray(whole)
            for _ in range(30):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            data = bytes(damaged)
        with contextlib.suppress(LogError, UsageError):
            schema().validate(read(data).jobs, lazy=True)
    assert time.monotonic() - began < 60


def test_the_line_by_which_a_spreadsheet_names_the_delimiter_is_no_header(read):
    lines = [line.replace(",", ";") for line in (HEADER, ROWS[0])]
    assert read("sep=;", *lines).jobs["job_id"].tolist() == [1]
    with pytest.raises(LogError, match=r"a\.csv:4"):
        read("sep=;", *lines, "2;x")
