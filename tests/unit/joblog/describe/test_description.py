"""What a description says of a log, and what it says when the log says nothing."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from jobsim.joblog.describe import Kind, Peak, describe, describe_table
from jobsim.joblog.notes import Note
from jobsim.joblog.table import JobLog


@pytest.fixture
def log() -> JobLog:
    return JobLog.of(
        {
            "submit_s": [0, 61, 62, 63, 200],
            "start_s": [0, 62, 64, None, 200],
            "run_s": [2.0, 2, 4, None, 0.001],
            "kind": ["zip", "zip", "png", None, "zip"],
            "owner": ["ann", "bob", "ann", None, None],
            "outcome": ["completed", "completed", "failed", "cancelled", "completed"],
            "memory_mb": [None, 70, 30, None, None],
        },
        name="five",
        origin=datetime(2026, 1, 1, tzinfo=UTC),
        notes=(Note("mended: something", 3),),
        workers=2,
    )


def shown(log: JobLog) -> str:
    console = Console(file=io.StringIO(), width=200)
    console.print(describe_table(describe(log)))
    return console.file.getvalue()


def test_arrivals_are_described_by_span_and_fullest_times(log):
    about = describe(log)
    assert (about.jobs, about.span_s, about.interarrival_s) == (5, 200, 50)
    assert about.peak_minute == Peak(jobs=3, from_s=60)
    assert about.peak_hour == Peak(jobs=5, from_s=0)
    assert about.until == datetime(2026, 1, 1, 0, 3, 20, tzinfo=UTC)


def test_run_times_and_waits_are_described_where_they_are_known(log):
    about = describe(log)
    assert about.run["mean_s"] == pytest.approx(8.001 / 4)
    assert (about.run["p50_s"], about.run["max_s"], about.never_ran) == (2, 4, 1)
    assert (about.wait["min_s"], about.wait["max_s"]) == (0, 2)
    assert about.short_share == 0.25
    assert about.memory_max_mb == 70


def test_kinds_owners_and_outcomes_are_counted(log):
    about = describe(log)
    assert about.kinds == (Kind("zip", 3, 2), Kind("png", 1, 4))
    assert (about.kind_count, about.owner_count) == (2, 2)
    assert about.outcomes == {"completed": 0.6, "failed": 0.2, "cancelled": 0.2}


def test_offered_load_is_the_mean_number_of_busy_workers(log):
    about = describe(log)
    assert about.offered_load == pytest.approx(8.001 / 200)
    assert about.workers_needed == 1


def test_a_load_of_exactly_two_needs_three_workers_to_keep_up():
    log = JobLog.of({"submit_s": [0, 0, 0, 10], "run_s": [10, 5, 5, 0]}, name="two")
    assert (describe(log).offered_load, describe(log).workers_needed) == (2, 3)


def test_jobs_that_ran_at_once_are_counted_and_one_that_ends_makes_room():
    columns = {"submit_s": [0, 0, 0, 0], "start_s": [0, 1, 2, 3], "run_s": [2, 2, 5, 1]}
    assert describe(JobLog.of(columns, name="four")).peak_running == 2


def test_many_runs_at_exactly_the_longest_time_hint_at_a_limit():
    run_s = [*range(1, 51), *[60] * 10]
    log = JobLog.of({"submit_s": range(60), "run_s": run_s}, name="cut")
    assert (describe(log).cap_s, describe(log).cap_share) == (60, pytest.approx(1 / 6))
    assert "16.7 % of runs end at exactly 60 s" in shown(log)


@pytest.mark.parametrize("run_s", [[5] * 60, [1, 2] * 30, [*range(59), 99]])
def test_run_times_that_are_all_alike_or_differ_at_the_end_hint_at_no_limit(run_s):
    about = describe(JobLog.of({"submit_s": range(60), "run_s": run_s}, name="whole"))
    assert (about.cap_s, about.cap_share) == (None, None)


def test_what_a_log_does_not_say_is_none_and_not_shown():
    log = JobLog.of({"submit_s": [3], "run_s": [None]}, name="one")
    about = describe(log).to_dict()
    for silent in ("origin", "interarrival_s", "run", "wait", "offered_load", "peak_running"):
        assert about[silent] is None
    text = shown(log)
    assert "wait as logged" not in text
    assert "1 job without one" in text


def test_no_more_workers_are_needed_to_keep_up_than_leave_no_job_waiting():
    """Two jobs in a row: their load over the span from the first to the second is 2."""
    log = JobLog.of({"submit_s": [0, 3600], "run_s": [3600, 3600]}, name="in a row")
    found = describe(log)
    assert found.offered_load == 2
    assert (found.workers_needed, found.workers_no_wait) == (1, 1)


def test_the_table_says_what_was_mended(log):
    text = shown(log)
    assert "mended" in text
    assert "3: something" in text
    assert "2026-01-01 00:00 to 2026-01-01 00:03 UTC" in text
    assert "zip 60.0 % (2 s), png 20.0 % (4 s)" in text


def test_a_name_with_brackets_is_shown_as_it_is():
    log = JobLog.of({"submit_s": [0], "run_s": [1], "kind": ["[red]"]}, name="[bold]x")
    assert "[bold]x" in shown(log)
    assert "[red]" in shown(log)


@settings(max_examples=20)
@given(data=st.data())
def test_any_log_can_be_described_as_json_and_shown(data, logs):
    log = data.draw(logs)
    assert json.loads(json.dumps(describe(log).to_dict(), allow_nan=False))["jobs"] == len(log)
    assert shown(log)
