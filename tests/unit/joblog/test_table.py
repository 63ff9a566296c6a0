"""A job log as a value: what its methods give, and what it takes to make one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog.notes import Note
from jobsim.joblog.schema import schema
from jobsim.joblog.table import JobLog

ORIGIN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def log() -> JobLog:
    return JobLog.of(
        {
            "submit_s": [30.0, 10, 20, 40],
            "start_s": [31.0, 12, None, 40],
            "run_s": [1.0, 2, None, 4],
            "kind": ["zip", "png", "zip", "sum"],
        },
        name="four",
        origin=ORIGIN,
    )


def test_jobs_are_sorted_by_submission_and_numbered_anew(log):
    assert log.jobs["job_id"].tolist() == [1, 2, 0, 3]
    assert log.jobs.index.tolist() == [0, 1, 2, 3]


def test_jobs_of_one_instant_keep_their_order():
    log = JobLog.of({"submit_s": [1, 0, 1, 0], "run_s": [1] * 4}, name="ties")
    assert log.jobs["job_id"].tolist() == [1, 3, 0, 2]


def test_the_first_jobs_are_the_first_submitted(log):
    assert log.first(2).jobs["submit_s"].tolist() == [10, 20]
    assert len(log.first(99)) == 4


def test_a_part_of_a_log_has_only_the_kinds_that_are_in_it(log):
    assert log.first(1).jobs["kind"].cat.categories.tolist() == ["png"]


def test_no_jobs_at_all_are_refused(log):
    with pytest.raises(UsageError, match="1 or more"):
        log.first(0)


def test_a_window_has_its_start_and_not_its_end_and_begins_the_clock(log):
    part = log.window(20, 40)
    assert part.jobs["submit_s"].tolist() == [0, 10]
    assert part.jobs["start_s"].tolist()[1] == 11
    assert part.origin == ORIGIN + timedelta(seconds=20)


@pytest.mark.parametrize("window", [(41, 99), (25, 25), (40, 10)])
def test_a_window_without_jobs_is_refused_and_told_when_there_are_some(log, window):
    with pytest.raises(UsageError, match="from 10s to 40s"):
        log.window(*window)


def test_denser_arrivals_leave_run_times_and_have_no_logged_starts(log):
    dense = log.denser(2)
    assert dense.jobs["submit_s"].tolist() == [5, 10, 15, 20]
    assert dense.jobs["run_s"].equals(log.jobs["run_s"])
    assert dense.jobs["start_s"].isna().all()


def test_a_load_of_one_changes_nothing(log):
    assert log.denser(1) is log


@pytest.mark.parametrize("load", [0, -1, float("inf"), float("nan")])
def test_a_load_that_is_no_factor_is_refused(log, load):
    with pytest.raises(UsageError, match="a number above 0"):
        log.denser(load)


def test_only_jobs_with_a_run_time_can_be_replayed_and_the_others_are_counted(log):
    runnable = log.runnable()
    assert runnable.jobs["job_id"].tolist() == [1, 0, 3]
    assert runnable.notes == (Note("dropped: run time unknown, cannot be replayed", 1),)
    assert runnable.runnable() is runnable


def test_the_clock_can_be_set_to_begin_with_the_first_job(log):
    moved = log.from_zero()
    assert moved.jobs["submit_s"].tolist() == [0, 10, 20, 30]
    assert moved.origin == ORIGIN + timedelta(seconds=10)
    assert moved.notes[0].count == 4
    assert moved.from_zero() is moved


def test_an_instant_that_no_calendar_reaches_is_no_origin():
    log = JobLog.of({"submit_s": [1e15], "run_s": [1]}, name="far", origin=ORIGIN)
    assert log.from_zero().origin is None


def test_an_origin_must_be_in_utc():
    for origin in (datetime(2026, 1, 1), ORIGIN.astimezone(timezone(timedelta(hours=1)))):
        with pytest.raises(ValueError, match="UTC"):
            JobLog.of({"submit_s": [0], "run_s": [1]}, name="here", origin=origin)


def test_every_derived_log_still_fits_the_schema(log):
    derived = [log, log.first(2), log.window(20, 41), log.denser(3), log.runnable()]
    for part in [*derived, log.from_zero()]:
        schema().validate(part.jobs, lazy=True)
        assert part.jobs["submit_s"].is_monotonic_increasing


def test_it_shows_itself_in_one_line_and_as_a_description_with_pictures(log):
    assert repr(log) == "JobLog('four', 4 jobs in 0.0 h from 2026-01-01 00:00 UTC)"
    html = log._repr_html_()
    assert "four" in html
    assert "<svg" in html
    assert "MB at most" not in html  # nothing is known of it
    assert len(html) < 20_000


def test_a_million_jobs_take_little_memory():
    rows = 10_000
    log = JobLog.of(
        {
            "submit_s": np.arange(rows),
            "run_s": np.ones(rows),
            "kind": np.tile(["zip", "png"], rows // 2),
            "owner": np.tile(["ann", "bob"], rows // 2),
        },
        name="many",
    )
    assert log.jobs.memory_usage(deep=True).sum() * (1_000_000 / rows) < 80e6


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"submit_s": [0]}, "no column run_s"),
        ({"submit_s": [0], "run_s": [1], "runtime": [1]}, "unknown column 'runtime'"),
        ({"submit_s": [0, 1], "run_s": [1]}, "column run_s"),
        ({"submit_s": ["soon"], "run_s": [1]}, "column submit_s"),
        ({"submit_s": [0], "run_s": [-1]}, "row 1: '-1.0' is below 0"),
        ({"submit_s": [1.7e18], "run_s": [1]}, "row 1: '1.7e\\+18' is too large"),
        ({"submit_s": [None], "run_s": [1]}, "row 1: is missing"),
        ({"submit_s": [5], "run_s": [1], "start_s": [4]}, "is before its submit_s"),
    ],
)
def test_columns_that_make_no_log_are_refused_by_name(columns, message):
    with pytest.raises(LogError, match=message):
        JobLog.of(columns, name="wrong")
