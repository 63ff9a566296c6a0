"""Simulated over live."""

from __future__ import annotations

from rich.console import Console

from jobsim.comparison import how_close, how_close_table

from .made import run


def test_each_policy_played_on_both_has_a_ratio_a_metric():
    runs = [
        run("taken-flag", "live", integrity__duplicates=10),
        run("taken-flag", "sim", integrity__duplicates=5),
        run("skip-locked", "sim"),
    ]
    told = how_close(runs)
    assert list(told) == ["taken-flag"]
    assert told["taken-flag"]["integrity.duplicates"] == 0.5
    assert told["taken-flag"]["wait.p95_s"] == 1


def test_there_is_no_ratio_to_nought_or_to_what_was_not_measured():
    live = run("x", "live", contention__lock_waits=0, wait__p95_s=None)
    told = how_close([live, run("x", "sim", contention__lock_waits=7)])["x"]
    assert told["contention.lock_waits"] is None
    assert told["wait.p95_s"] is None


def test_the_table_leaves_out_what_nobody_has():
    console = Console(width=100, color_system=None)
    with console.capture() as capture:
        console.print(how_close_table([run("x", "live"), run("x", "sim")]))
    assert "p95 wait" in capture.get()
    assert "kills" not in capture.get()
