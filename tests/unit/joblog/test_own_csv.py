"""jobsim's CSV: exact there and back, forgiving to hands, clear about every fault."""

from __future__ import annotations

from contextlib import suppress

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import own_csv
from jobsim.joblog.schema import schema
from jobsim.joblog.table import JobLog


@pytest.fixture
def read(file):
    return lambda *lines: own_csv.read(file("a.csv", *lines))


@pytest.fixture
def faults_of(file):
    """The faults of a CSV of these lines, each without the path of the file."""

    def faults(*lines):
        path = file("a.csv", *lines)
        with pytest.raises(LogError) as raised:
            own_csv.read(path)
        return [line.removeprefix(f"{path}") for line in str(raised.value).splitlines()]

    return faults


@settings(max_examples=15)
@given(data=st.data())
def test_what_is_written_is_read_exactly(data, logs, assert_same, tmp_path_factory):
    log = data.draw(logs)
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    own_csv.write_csv(log, path)
    assert_same(own_csv.read(path), log)


def test_the_same_log_is_the_same_bytes_packed_or_not(tmp_path):
    log = JobLog.of({"submit_s": [0], "run_s": [1]}, name="one")
    for ending in ("csv", "csv.gz"):
        one, other = tmp_path / f"1.{ending}", tmp_path / f"2.{ending}"
        own_csv.write_csv(log, one)
        own_csv.write_csv(log, other)
        assert one.read_bytes() == other.read_bytes()


def test_a_table_by_hand_needs_only_submissions_and_run_times(read):
    log = read("run_s, submit_s", "1, 5", "2 ,3", "", ",4")
    assert log.jobs["submit_s"].tolist() == [3, 4, 5]
    assert log.jobs["run_s"].isna().tolist() == [False, True, False]
    assert (log.name, log.origin, log.notes) == ("a", None, ())


def test_comments_above_the_header_are_left(read):
    assert len(read("# from the spreadsheet", "", "submit_s,run_s", "0,1")) == 1


def test_a_spreadsheet_s_line_endings_quotes_and_mark_are_read(read):
    log = read(b'\xef\xbb\xbfsubmit_s,run_s,kind\r\n"0",1,"a, ""b"""\r\n')
    assert log.jobs["kind"].tolist() == ['a, "b"']


def test_an_empty_cell_is_missing_and_an_empty_outcome_unknown(read):
    log = read("submit_s,run_s,kind,outcome", "0,,,", "1,1,a,failed")
    assert log.jobs["outcome"].tolist() == ["unknown", "failed"]
    assert pd.isna(log.jobs["kind"][0])


def test_words_that_elsewhere_mean_missing_are_words_here(read):
    assert read("submit_s,run_s,kind", "0,1,NA", "1,1,nan").jobs["kind"].tolist() == ["NA", "nan"]


def test_every_fault_is_one_line_with_its_place(faults_of):
    assert faults_of(
        "# comment",
        "submit_s,run_s,outcome,kind",
        "0,1,completed,a",
        "soon,1,completed,a",
        "1,-5,done,a",
        "2,1,completed",
        ",1,completed,a",
        "3,inf,completed,a",
        '4,1,completed,"two',
        'lines"',
    ) == [
        ":4: column submit_s: 'soon' is not a number; seconds since the log's origin, 0 or more",
        ":5: column run_s: '-5.0' is below 0; seconds, 0 or more, or empty where unknown",
        ":5: column outcome: 'done' is no outcome;"
        " one of completed, failed, cancelled, timeout, unknown",
        ":6: 3 cells; 4 cells, as in the header",
        ":7: column submit_s: is missing; seconds since the log's origin, 0 or more",
        ":8: column run_s: 'inf' is not a number; seconds, 0 or more, or empty where unknown",
        r":10: column kind: 'two\nlines' is no name;"
        " printable text without blanks around it, or empty where unknown",
    ]


def test_faults_are_counted_beyond_the_limit(faults_of):
    faults = faults_of("submit_s,run_s", *["x,1"] * 50)
    assert (len(faults), faults[-1]) == (21, "... and 30 more")


def test_wrong_columns_are_named(faults_of):
    (wrong, missing) = faults_of("submit_s,run_time", "0,1")
    assert wrong == ":1: unknown column 'run_time'; did you mean run_s?"
    assert missing.startswith(":1: there is no column run_s; columns submit_s and run_s")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["submit_s,run_s", "0,1,2"], ":2: 3 cells; 2 cells, as in the header"),
        (["submit_s,run_s"], "there is no job in it, only a header"),
        (["# jobsim job log {", "submit_s,run_s", "0,1"], "is damaged"),
        (["# nothing but a comment"], "there is no column submit_s"),
        (["submit_s,run_s", '0,"1'], "this is not CSV"),
        (["submit_s,run_s", '0,"1"2'], "this is not CSV"),
        ([b"submit_s,run_s\n0,\xff\n"], "2: this is not UTF-8 text"),
        (["submit_s,run_s", "0," + "1" * 200_000], "this is not CSV: field larger"),
    ],
)
def test_what_is_no_log_is_refused(faults_of, lines, message):
    assert message in faults_of(*lines)[0]


@pytest.mark.parametrize(
    ("head", "is_ours"),
    [
        (b"# jobsim job log {}", True),
        (b"# mine\n\nrun_s,kind\n", True),
        (b'"submit_s", run_s\n', True),
        (b"submitted,ran\n", False),
        (b"submit_s\n", False),
        (b"; swf\n1 2 3", False),
        (b"", False),
    ],
)
def test_our_csv_is_known_by_its_mark_or_its_columns(head, is_ours):
    assert own_csv.looks_like(head) is is_ours


@settings(max_examples=15)
@given(data=st.data())
def test_any_spoilt_file_gives_a_right_table_or_a_clear_error(data, logs, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    own_csv.write_csv(data.draw(logs), path)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole)))
    rubbish = data.draw(st.binary(max_size=4) | st.sampled_from([b",", b'"', b"\n", b"-", b"x"]))
    path.write_bytes(whole[:at] + rubbish + whole[at + data.draw(st.integers(0, 9)) :])
    with suppress(LogError):
        schema().validate(own_csv.read(path).jobs, lazy=True)
