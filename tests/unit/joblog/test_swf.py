"""What SWF numbers mean for jobs, on small logs with the quirks of the public ones."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import swf
from jobsim.joblog.notes import Note
from jobsim.joblog.schema import schema


def a_job(**fields):
    return fields


@pytest.fixture
def read(file, swf_line):
    """Reads a log of these lines: text as it stands, dictionaries as the fields of a job."""

    def read_lines(*lines, name="log.swf"):
        texts = [line if isinstance(line, str) else swf_line(**line) for line in lines]
        return swf.read(file(name, *texts))

    return read_lines


@pytest.mark.parametrize(
    ("header", "zone"),
    [
        ("; TimeZoneString: US/Pacific", "US/Pacific"),
        ("; TimeZoneString: ../etc", None),
        ("", None),
    ],
)
def test_the_time_zone_of_the_header_is_the_log_s_where_there_is_one(read, header, zone):
    log = read("; UnixStartTime: 1000000000", header, a_job(submit=0, run=1))
    assert log.zone == zone
    assert log.origin == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)


def test_a_job_has_its_submission_start_run_time_owner_and_memory(read):
    log = read(a_job(job=7, submit=0, wait=3, run=2.5, procs=4, used=2048, user=9, app=1))
    assert log.jobs.iloc[0].dropna().to_dict() == {
        "job_id": 7,
        "kind": "app-1",
        "submit_s": 0.0,
        "start_s": 3.0,
        "run_s": 2.5,
        "outcome": "completed",
        "owner": "user-9",
        "memory_mb": 8.0,
    }
    assert log.notes == ()


def test_the_status_says_how_a_job_ended(read):
    log = read(*(a_job(job=n, status=s) for n, s in enumerate([1, 0, 5, -1])))
    assert log.jobs["outcome"].tolist() == ["completed", "failed", "cancelled", "unknown"]


def test_a_status_that_the_format_does_not_have_is_unknown_and_counted(read):
    log = read(a_job(job=1, wait=0, status=9), a_job(job=2, wait=0))
    assert log.jobs["outcome"].tolist() == ["unknown", "completed"]
    assert log.notes == (Note("mended: status that the format does not have, outcome unknown", 1),)


def test_minus_one_is_missing_everywhere(read):
    log = read(a_job(job=1, run=-1, procs=-1, status=-1))
    known = log.jobs.iloc[0].dropna()
    assert sorted(known.index) == ["job_id", "outcome", "submit_s"]
    assert [note.reason for note in log.notes] == [
        "mended: run time unknown (-1), left missing",
        "mended: wait unknown (below 0), start left missing",
    ]


def test_a_run_time_of_zero_was_measured_and_stays(read):
    assert read(a_job(job=1, run=0)).jobs["run_s"].tolist() == [0.0]


def test_a_job_cancelled_before_it_started_has_no_start_although_it_waited(read):
    log = read(a_job(job=1, wait=500, run=-1, status=5), a_job(job=2, wait=1, run=3, status=5))
    assert log.jobs["start_s"].isna().tolist() == [True, False]
    assert log.notes == (
        Note("mended: cancelled before it started (run time -1), left missing", 1),
    )


def test_a_run_time_of_minus_a_billion_means_that_the_job_never_ended(read):
    log = read(a_job(job=1, wait=5, run=-1359980917, status=1))
    (job,) = log.jobs.itertuples()
    assert pd.isna(job.run_s)
    assert (job.start_s, job.outcome) == (5.0, "unknown")
    assert log.notes == (Note("mended: run time far below 0, never ended, left missing", 1),)


def test_a_job_without_a_submit_time_is_dropped_and_counted(read):
    log = read(a_job(job=1, submit=-1, wait=0), a_job(job=2, submit=0, wait=0))
    assert log.jobs["job_id"].tolist() == [2]
    assert log.notes == (Note("dropped: submit time unknown (below 0)", 1),)


def test_a_log_without_any_submit_time_is_refused(read):
    with pytest.raises(LogError, match="no job has a submit time"):
        read(a_job(job=1, submit=-1))


def test_lines_out_of_order_are_sorted_and_those_of_one_instant_stay_as_they_were(read):
    log = read(*(a_job(job=n, submit=s, wait=0) for n, s in [(1, 5), (2, 9), (3, 5), (4, 0)]))
    assert log.jobs["job_id"].tolist() == [4, 1, 3, 2]
    assert log.jobs.index.tolist() == [0, 1, 2, 3]
    assert log.notes == (Note("mended: submitted before a job on an earlier line, sorted", 2),)


def test_the_clock_begins_at_the_first_submission_and_the_origin_moves_with_it(read):
    log = read("; UnixStartTime: 843480031", a_job(job=1, submit=599850, wait=10, run=1))
    assert log.jobs[["submit_s", "start_s"]].values.tolist() == [[0, 10]]
    assert log.origin == datetime.fromtimestamp(843480031 + 599850, UTC)
    assert log.notes == (
        Note("moved: the clock begins at the first submission (was at 599850 s)", 1),
    )


def test_submit_times_that_count_from_1970_give_the_origin(read):
    log = read(*(a_job(job=n, submit=1356996147 + n, wait=0) for n in range(2)))
    assert log.jobs["submit_s"].tolist() == [0, 1]
    assert log.origin == datetime(2012, 12, 31, 23, 22, 27, tzinfo=UTC)


def test_a_log_without_a_header_has_no_origin(read):
    assert read(a_job(job=1)).origin is None


@pytest.mark.parametrize("start", ["9" * 5000, "9" * 10, "soon", "0", "-1"])
def test_a_start_time_that_is_no_instant_is_no_origin(read, start):
    assert read(f"; UnixStartTime: {start}", a_job(job=1)).origin is None


def test_the_first_of_repeated_header_keys_counts_and_continued_lines_are_no_keys(read):
    log = read(
        "; Note: three kinds of nodes,",
        ";\tsee: http://example.org",
        "; UnixStartTime: 1000000000",
        "; UnixStartTime: 2000000000",
        "; Note: again",
        a_job(job=1),
    )
    assert log.origin == datetime.fromtimestamp(1_000_000_000, UTC)


def test_kinds_are_executables_where_the_log_tells_several_apart(read):
    log = read(a_job(job=1, app=10, queue=1), a_job(job=2, app=9), a_job(job=3, app=-1))
    assert log.jobs["kind"].tolist()[:2] == ["app-10", "app-9"]
    assert pd.isna(log.jobs["kind"][2])


def test_kinds_are_queues_by_name_where_one_executable_says_nothing(read):
    log = read(
        "; Queue: 0 interactive   ",
        "; Queue: 1 batch",
        "; Queue: 2 batch",
        "; Queue: 3 0",
        "; Queue: 4",
        *(a_job(job=n, app=1, queue=n) for n in range(6)),
    )
    assert log.jobs["kind"].tolist() == [
        "interactive",
        "queue-1",
        "queue-2",
        "queue-3",
        "queue-4",
        "queue-5",
    ]


def test_kinds_are_the_queue_names_of_an_extended_line(read, swf_line):
    ends = ("{1,1} q_1d 1:ppn=2", "{7} q_2w 1:ppn=1:x86#excl")
    log = read(*(f"{swf_line(job=n, app=1)} {end}" for n, end in enumerate(ends)))
    assert log.jobs["kind"].tolist() == ["q_1d", "q_2w"]


def test_a_queue_name_that_is_not_printable_is_made_so(read, swf_line):
    log = read(f"{swf_line(job=1)} {{1}} q\x01\u00a0x spec")
    assert log.jobs["kind"].tolist() == ["q??x"]


def test_memory_over_32_bits_is_read_whole(read):
    log = read(a_job(job=1, used=68719476736, procs=1))
    assert log.jobs["memory_mb"].tolist() == [68719476736 / 1024]


def test_part_lines_count_as_attempts_of_the_line_that_sums_them_up(read):
    log = read(
        a_job(job=1, submit=0, wait=0, run=9, status=1),
        a_job(job=1, submit=0, wait=0, run=4, status=2),
        a_job(job=1, submit=5, wait=0, run=5, status=3),
        a_job(job=2, submit=6, wait=0, run=1, status=0),
    )
    assert log.jobs["run_s"].tolist() == [9, 1]
    assert log.jobs["attempts"].tolist()[0] == 2
    assert pd.isna(log.jobs["attempts"][1])
    assert log.notes == (Note("mended: lines that are parts of one job, joined", 2),)


def test_part_lines_that_nothing_sums_up_are_joined(read):
    log = read(
        a_job(job=1, submit=0, wait=2, run=4, status=2),
        a_job(job=2, submit=1, wait=0, run=1, status=1),
        a_job(job=1, submit=5, wait=0, run=5, status=4),
    )
    (job, other) = log.jobs.itertuples()
    assert (job.job_id, job.start_s, job.run_s, job.outcome) == (1, 2, 9, "failed")
    assert (job.attempts, other.job_id) == (2, 2)


def test_the_name_is_the_file_name_without_its_endings(read):
    assert read(a_job(job=1), name="HPC-2002-2.1-cln.swf.gz").name == "HPC-2002-2.1-cln"


def test_jobs_of_one_number_are_told_apart_and_a_line_that_comes_twice_counts_once(read):
    lines = [a_job(job=7, submit=0, run=1), a_job(job=7, submit=5, run=2), a_job(job=8, submit=9)]
    log = read(*lines, lines[1])
    assert log.jobs["job_id"].tolist() == ["7", "7#2", "8"]
    assert log.jobs["submit_s"].tolist() == [0, 5, 9]
    assert {
        Note("dropped: the same line a second time", 1),
        Note("mended: a job number that an earlier line has, told apart (7#2)", 1),
    } <= set(log.notes)


@pytest.mark.parametrize(
    ("head", "is_swf"),
    [
        (b"; a comment\n 1 2 3.5 4 5 6 7 8 9 10 11 12 13 14 15 16 17 -1\n", True),
        (b"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 -1 {1,2} q_1d\n", True),
        (b"; only a comment\n", False),
        (b"1 2 3\n", False),
        (b"a b c d e f g h i j k l m n o p q r\n", False),
        (b"\x00\xff\x1f", False),
    ],
)
def test_swf_is_known_by_its_first_job_line(head, is_swf):
    assert swf.looks_like(head) is is_swf


@settings(max_examples=30)
@given(data=st.data())
def test_any_numbers_give_a_right_table_or_a_clear_error(data, swf_line, tmp_path_factory):
    quirks = st.sampled_from([-1, 0, 1, 5, 2.5, -1359980917, 1356996147, 10**15, "1e15", "x"])
    number = st.integers(-2, 10) | quirks
    names = ["submit", "wait", "run", "procs", "used", "user", "app", "queue", "part"]
    fields = st.fixed_dictionaries(dict.fromkeys(names, number)) | st.just({})
    lines = data.draw(st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 6), fields)))
    path = tmp_path_factory.mktemp("swf") / "a.swf"
    path.write_text(
        "\n".join(swf_line(job=job, status=status, **other) for job, status, other in lines)
    )
    with suppress(LogError):
        log = swf.read(path)
        schema().validate(log.jobs, lazy=True)
        assert log.jobs["submit_s"].iloc[0] == 0
