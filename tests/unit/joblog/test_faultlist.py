"""Faults are gathered, limited and shown short."""

from __future__ import annotations

import pytest

from jobsim.errors import LogError
from jobsim.joblog.faultlist import LIMIT, FaultList, refuse, shown


def test_no_fault_raises_nothing():
    FaultList("a").raise_if_any()


def test_faults_are_listed_by_line_up_to_the_limit_and_the_rest_counted():
    faults = FaultList("a")
    for line in reversed(range(1, LIMIT + 6)):
        faults.add("wrong", "right", line)
    with pytest.raises(LogError) as raised:
        faults.raise_if_any()
    lines = [fault.line for fault in raised.value.faults]
    assert lines == sorted(lines)
    assert len(lines) == LIMIT
    assert raised.value.more == 5


def test_one_cell_has_one_fault():
    faults = FaultList("a")
    faults.add("first", "right", 1, "run_s")
    faults.add("second", "right", 1, "run_s")
    with pytest.raises(LogError) as raised:
        faults.raise_if_any()
    assert [fault.wrong for fault in raised.value.faults] == ["first"]


def test_a_refusal_is_one_line():
    with pytest.raises(LogError) as raised:
        refuse("a.swf", "the file is empty", "one line for each job")
    assert str(raised.value) == "a.swf: the file is empty; one line for each job"


def test_text_is_shown_short_and_printable():
    assert shown("a\x00b") == r"'a\x00b'"
    assert len(shown("z" * 1000)) <= 41
