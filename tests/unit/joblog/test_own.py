"""The ending of a name chooses the format in which a log is written."""

from __future__ import annotations

import pytest

from jobsim.errors import UsageError
from jobsim.joblog import read_log, write
from jobsim.joblog.table import JobLog


@pytest.fixture
def log() -> JobLog:
    return JobLog.of({"submit_s": [0, 1], "run_s": [1, 2]}, name="two", workers=3)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_a_log_comes_back_from_every_format(log, tmp_path, name, assert_same):
    write(log, tmp_path / name)
    back = read_log(str(tmp_path / name))
    assert_same(back, log)
    assert back.source == str(tmp_path / name)


def test_another_ending_is_refused_with_the_right_ones(log, tmp_path):
    with pytest.raises(UsageError, match=r"written as \.parquet, \.csv, \.csv\.gz"):
        write(log, tmp_path / "a.xlsx")


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_place_that_cannot_be_written_is_said(log, tmp_path, name):
    with pytest.raises(UsageError, match="cannot be written: No such file"):
        write(log, tmp_path / "none" / name)
