"""Times of sacct's rows, from whichever fields the file has."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jobsim.errors import LogError
from jobsim.joblog.faultlist import FaultList
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN
from jobsim.joblog.sacct.times import numbers_of, times_of

AT = {"submit": "2024-03-05T10:00:00", "start": "2024-03-05T10:00:30", "end": "2024-03-05T10:02:00"}


def times(**cells):
    rows = pd.DataFrame({name: [cell] for name, cell in cells.items()}, dtype="str")
    faults = FaultList("jobs.txt")
    found = times_of(rows.assign(line=2), PLAIN, Notes(), faults, "jobs.txt")
    faults.raise_if_any()
    return found


@pytest.mark.parametrize(
    ("cells", "run_s"),
    [
        ({**AT, "elapsedraw": "80", "elapsed": "00:00:01"}, 80),
        ({**AT, "elapsed": "00:01:20"}, 80),
        ({**AT, "elapsed": "Unknown"}, 90),
        (AT, 90),
        ({"submit": AT["submit"], "cputimeraw": "80", "ncpus": "4"}, 20),
        ({"submit": AT["submit"], "cputime": "00:01:20", "alloccpus": "4"}, 20),
    ],
)
def test_run_times_come_from_the_best_field_there_is(cells, run_s):
    assert times(**cells).run_s.tolist() == [run_s]


@pytest.mark.parametrize(
    "cells", [{}, {"cputimeraw": "80"}, {"cputimeraw": "80", "ncpus": "0"}, {"start": AT["start"]}]
)
def test_without_such_a_field_run_times_are_unknown(cells):
    assert np.isnan(times(submit=AT["submit"], **cells).run_s).all()


@pytest.mark.parametrize(
    ("cells", "wait_s"),
    [
        ({"start": AT["start"], "planned": "00:00:01"}, 30),
        ({"planned": "00:00:07"}, 7),
        ({"eligible": "2024-03-05T10:00:02", "planned": "00:00:07"}, 9),
        ({"plannedcpuraw": "80", "reqcpus": "4"}, 20),
    ],
)
def test_starts_come_from_the_best_field_there_is(cells, wait_s):
    found = times(submit=AT["submit"], **cells)
    assert (found.start_s - found.submit_s).tolist() == [wait_s]


@pytest.mark.parametrize("cells", [{"plannedcpuraw": "80", "reqcpus": "0"}, {"planned": "-1"}, {}])
def test_without_such_a_field_starts_are_unknown(cells):
    assert np.isnan(times(submit=AT["submit"], **cells).start_s).all()


@pytest.mark.parametrize(
    ("cells", "never"),
    [
        ({**AT, "nodelist": "None assigned"}, True),
        ({**AT, "nodelist": "n[1-3]", "elapsed": "00:00:00"}, False),
        ({**AT, "alloccpus": "0"}, True),
        ({**AT, "elapsed": "00:00:00"}, True),
        (AT, False),
    ],
)
def test_a_cancelled_job_that_got_nothing_never_started(cells, never):
    found = times(**cells)
    assert found.never_started(pd.Series([True])).tolist() == [never]
    assert found.never_started(pd.Series([False])).tolist() == [False]


def test_numbers_that_are_none_are_told_with_their_line():
    faults, rows = (
        FaultList("jobs.txt"),
        pd.DataFrame({"priority": ["5", "x", ""], "line": [2, 3, 4]}),
    )
    found = numbers_of(rows, "priority", faults, "a number")
    assert found.tolist() == pytest.approx([5, np.nan, np.nan], nan_ok=True)
    with pytest.raises(LogError, match=r"jobs.txt:3: column priority: 'x' is wrong; a number"):
        faults.raise_if_any()
    assert np.isnan(numbers_of(rows, "restarts", faults, "a number")).all()
