"""The table, as a terminal shows it."""

from __future__ import annotations

import pytest
from rich.console import Console

from jobsim.comparison import comparison_table
from jobsim.comparison.table import COLUMNS
from jobsim.joblog.schema import tidy
from jobsim.outcomes import Metrics, as_logged, replicated

from .made import run

LONG = {
    "contention__lock_waits": 123456,
    "contention__lock_wait_s": 4321.0,
    "contention__deadlocks": 1234,
    "backlog__mean": 1234.5,
    "backlog__oldest_age_max_s": 22000.0,
    "stuck__total_s": 22000.0,
    "wait__p95_s": 1170.0,
    "wait__p99_s": 1170.0,
}


def shown(runs: list[Metrics], width: int) -> str:
    console = Console(width=width, record=True, color_system=None)
    with console.capture() as capture:
        console.print(comparison_table(runs))
    return capture.get()


def logged() -> Metrics:
    columns = {"job_id": [1, 2], "submit_s": [0, 0], "start_s": [60, 120], "run_s": [60, 60]}
    metrics = as_logged(tidy(columns | {"outcome": ["completed", "completed"]}, 2))
    assert metrics is not None
    return metrics


@pytest.mark.parametrize("width", [100, 120])
@pytest.mark.parametrize("speedup", [1, 60])
def test_nothing_is_cut_off_and_each_run_has_its_row(width: int, speedup: int):
    runs = [
        logged(),
        *(
            run(q, d, speedup=speedup, **LONG)
            for q in ("taken-flag", "guarded-flag")
            for d in ("live", "sim")
        ),
    ]
    text = shown(runs, width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    for row in runs:
        assert (
            sum(line.split()[:2] == [row["name"], row["driver"]] for line in text.splitlines()) == 1
        )
    for head in ("policy", "deadlocks", "backlog", "oldest", "stuck", "p95", "p99"):
        assert head.replace("deadlocks", "dead-") in text


@pytest.mark.parametrize("family", sorted(COLUMNS))
def test_each_family_has_the_columns_that_matter_to_it(family: str):
    text = shown([run("x", family=family)], 120)
    for column in COLUMNS[family]:
        for word in column.head.split():
            assert word in text


def test_what_was_not_measured_is_a_dash_and_nought_is_nought():
    text = shown([run(contention__lock_waits=None, contention__deadlocks=0)], 120)
    row = next(line for line in text.splitlines() if line.startswith("skip-locked"))
    assert row.split()[2:6] == ["-", "0", "s", "0"]


def test_where_runs_were_faster_than_the_log_both_times_stand_below_each_other():
    text = shown([logged(), run(speedup=60, wait__p95_s=20.0)], 120)
    lines = text.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("skip-locked"))
    assert "20 s" in lines[at]
    assert "20 min" in lines[at + 1]
    assert "60 times as fast as the log" in text
    at = next(k for k, line in enumerate(lines) if line.startswith("as-logged"))
    assert "117 s" in lines[at + 1], "what the log says is in its own time"
    assert "117 s" not in lines[at]


def test_in_true_time_there_is_one_time_and_no_caption():
    text = shown([logged(), run()], 120)
    assert "as fast" not in text
    assert "117 s" in next(line for line in text.splitlines() if line.startswith("as-logged"))


def test_of_replications_the_bounds_stand_below_the_mean():
    text = shown([replicated([run(wait__p95_s=1.0), run(wait__p95_s=3.0)])], 120)
    assert "2 s" in text
    assert "±12.7 s" in text
    assert "Means of 2 replications" in text
