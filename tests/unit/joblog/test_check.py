"""What is wrong with a table, said in the words of its file."""

from __future__ import annotations

import pytest

from jobsim.errors import LogError
from jobsim.joblog.check import check, check_names
from jobsim.joblog.faultlist import FaultList
from jobsim.joblog.schema import tidy


def faults_of(columns, rows, line_of=None):
    with pytest.raises(LogError) as raised:
        check(tidy(columns, rows), FaultList("a.csv"), line_of)
    return str(raised.value).splitlines()


def test_each_wrong_cell_is_one_line_with_file_line_and_column():
    columns = {"submit_s": [0, None, 2], "run_s": [1, 1, float("inf")], "kind": ["a", "b", " c"]}
    assert faults_of(columns, 3, line_of=lambda row: row + 2) == [
        "a.csv:3: column submit_s: is missing; seconds since the log's origin, 0 or more",
        "a.csv:4: column kind: ' c' is no name;"
        " printable text without blanks around it, or empty where unknown",
        "a.csv:4: column run_s: 'inf' is not a finite number;"
        " seconds, 0 or more, or empty where unknown",
    ]


def test_without_lines_the_row_is_named():
    (fault,) = faults_of({"submit_s": [0], "outcome": ["done"]}, 1)
    assert fault.startswith("a.csv: column outcome: row 1: 'done' is no outcome; one of completed")


def test_an_id_that_comes_twice_is_named_on_both_lines():
    faults = faults_of({"submit_s": [0, 1], "job_id": ["a", "a"]}, 2, line_of=lambda row: row + 2)
    assert [fault.split(";")[0] for fault in faults] == [
        "a.csv:2: column job_id: 'a' names two jobs",
        "a.csv:3: column job_id: 'a' names two jobs",
    ]


def test_a_start_before_the_submission_is_one_fault():
    columns = {"submit_s": [5, 5], "start_s": [4, 5]}
    (fault,) = faults_of(columns, 2, line_of=lambda row: row + 2)
    assert fault.startswith("a.csv:2: column start_s: '4.0' is before its submit_s; ")


def test_a_priority_may_be_below_zero():
    check(tidy({"submit_s": [0], "priority": [-5]}, 1), FaultList("a.csv"))


def test_faults_found_before_come_with_the_others_and_not_twice():
    faults = FaultList("a.csv")
    faults.add("'x' is not a number", "seconds", 2, "submit_s")
    with pytest.raises(LogError) as raised:
        check(tidy({"submit_s": [None], "run_s": [-1]}, 1), faults, lambda row: row + 2)
    wrong = [fault.wrong for fault in raised.value.faults]
    assert wrong == ["'x' is not a number", "'-1.0' is below 0"]


def test_an_unknown_column_is_answered_with_the_nearest():
    with pytest.raises(LogError, match=r"unknown column 'submit'; did you mean submit_s\?"):
        check_names(["submit", "submit_s", "run_s"], "a.csv", 1)


def test_a_column_that_comes_twice_is_refused():
    with pytest.raises(LogError, match="column run_s comes 2 times"):
        check_names(["submit_s", "run_s", "run_s"], "a.csv", 1)
