"""What a log itself says."""

from __future__ import annotations

from math import nan

import pytest

from jobsim.joblog.schema import tidy
from jobsim.outcomes import as_logged


def log(start_s: list[float], run_s: list[float] | None = None):
    columns = {
        "job_id": [1, 2, 3],
        "kind": ["zip", "zip", "report"],
        "submit_s": [100, 102, 110],
        "start_s": start_s,
        "run_s": [10, 10, 10] if run_s is None else run_s,
        "outcome": ["completed", "failed", "unknown"],
    }
    return tidy(columns, 3)


def test_waits_backlog_and_throughput_are_the_logs_own():
    told = as_logged(log([100, 112, 122]))
    assert (told["driver"], told["name"], told["speedup"]) == ("log", "as-logged", 1)
    assert told["wait"]["max_s"] == 12
    assert told["wait"]["mean_s"] == pytest.approx((0 + 10 + 12) / 3)
    assert told["makespan_s"] == 32
    assert told["throughput_per_s"] == pytest.approx(3 / 32)
    assert told["backlog"]["mean"] == pytest.approx(22 / 32)
    assert told["backlog"]["oldest_age_max_s"] == 12
    assert told["by_kind"]["zip"]["wait_p95_s"] == pytest.approx(9.5)


def test_what_a_log_cannot_tell_is_none():
    told = as_logged(log([100, 112, 122]))
    for group in ("jobs", "contention", "stuck", "integrity", "killer", "cost"):
        assert set(told[group].values()) == {None}
    assert told["backlog"]["visible_oldest_age_max_s"] is None
    assert told["workers"] is None
    assert told["utilisation"] is None


def test_a_log_without_start_times_says_nothing():
    assert as_logged(log([nan, nan, nan])) is None


def test_jobs_without_a_start_are_left_out():
    told = as_logged(log([100, nan, 122]))
    assert told["wait"]["mean_s"] == 6
    assert told["backlog"]["max"] == 1


def test_a_job_without_a_known_end_is_at_work_to_the_end():
    told = as_logged(log([100, 112, 122], run_s=[10, nan, 10]))
    assert told["backlog"]["mean"] == pytest.approx(22 / 32)
    assert told["throughput_per_s"] == pytest.approx(2 / 32)
