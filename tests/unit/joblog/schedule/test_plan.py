"""The making of a plan from entries, its bounds and what it says of itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from jobsim.errors import LogError
from jobsim.joblog.reading import Reading
from jobsim.joblog.schedule import plan as plans
from jobsim.joblog.schedule.plan import LATIN_1, NO_RUN_TIME, Entry, Plan, entries
from jobsim.joblog.schedule.walltime import ClockRule, WallTimes

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
BEGIN_US = 1_767_225_600_000_000
DAY_RULE = ClockRule("after", "once")


@pytest.fixture
def reading():
    return Reading(begin=BEGIN, span_s=86400, zone="UTC")


@pytest.fixture
def plan(reading):
    return Plan(Path("dir/nightly.timer"), reading)


def at(*seconds):
    return BEGIN_US + np.array(seconds, dtype=np.int64) * 1_000_000


def test_each_firing_is_a_job_whose_clock_is_0_at_the_begin(plan):
    plan.add(Entry("b", "bob", at(60, 180)))
    plan.add(Entry("a", None, at(0, 120)))
    log = plan.log()
    assert log.origin == BEGIN
    assert log.name == "nightly"
    assert log.jobs["submit_s"].tolist() == [0, 60, 120, 180]
    assert log.jobs["kind"].tolist() == ["a", "b", "a", "b"]
    assert log.jobs["owner"].astype(object).fillna("-").tolist() == ["-", "bob", "-", "bob"]


def test_run_times_and_outcomes_are_unknown_and_that_is_said(plan, counts):
    plan.add(Entry("a", None, at(0, 1)))
    log = plan.log()
    assert log.jobs["run_s"].isna().all()
    assert log.jobs["start_s"].isna().all()
    assert set(log.jobs["outcome"]) == {"unknown"}
    assert counts(log, "--assume-run") == [2]
    with pytest.raises(LogError, match="--assume-run"):
        log.runnable()
    assert log.assuming(3.0).runnable().jobs["run_s"].tolist() == [3, 3]


def test_a_zone_that_was_not_said_is_marked(counts):
    plan = Plan(Path("crontab"), Reading(begin=BEGIN, span_s=60))
    plan.add(Entry("a", None, at(0)))
    assert counts(plan.log(), "names no zone, its clock is taken as UTC") == [1]


def test_remarks_count_the_firings_that_they_are_about(plan, counts):
    plan.add(Entry("a", None, at(0, 1), ("marked: odd",)))
    plan.add(Entry("b", None, at(0), ("marked: odd",)))
    plan.add(Entry("c", None, at(0)))
    assert counts(plan.log(), "odd") == [3]


def test_a_plan_without_firings_is_refused_and_says_what_was_dropped(plan):
    plan.notes.add("dropped: at boot", 1)
    with pytest.raises(LogError, match="nothing fires in the period; dropped: at boot; a longer"):
        plan.log()


def test_more_firings_than_a_plan_may_have_are_refused_before_they_are_made(plan, monkeypatch):
    monkeypatch.setattr(plans, "MOST_FIRINGS", 100)
    days = np.arange("2026-01-01", "2026-01-02", dtype="datetime64[D]")
    plan.add(Entry("a", None, at(*range(90))))
    with pytest.raises(LogError, match=r":7: .*more than 100 firings; a shorter --for"):
        plan.by_clock(WallTimes(days, np.arange(11)), UTC, DAY_RULE, 7)
    with pytest.raises(LogError, match=r":8: "):
        plan.repeated(at(0), 1, None, 8)


def test_nothing_is_repeated_where_there_is_no_start(plan):
    assert len(plan.repeated(at(), 1_000_000, None, 1)) == 0


def test_entries_show_how_often_each_kind_fires(plan):
    plan.add(Entry("seldom", None, at(7)))
    plan.add(Entry("often", "bob", at(0, 60, 120, 240)))
    table = entries(plan.log())
    assert table["kind"].tolist() == ["often", "seldom"]
    assert table["firings"].tolist() == [4, 1]
    assert table["first_s"].tolist() == [0, 7]
    assert table["last_s"].tolist() == [240, 7]
    assert table["every_s"].fillna(-1).tolist() == [60, -1]
    assert table["longest_gap_s"].fillna(-1).tolist() == [120, -1]


def test_text_that_is_no_utf_8_is_taken_as_latin_1_and_noted(plan, tmp_path):
    plan.path = tmp_path / "x"
    plan.path.write_bytes(b"# one\n# caf\xe9\n")
    assert plan.text() == "# one\n# caf\xe9\n"
    plan.add(Entry("x", None, at(7)))
    assert LATIN_1 in [note.reason for note in plan.log().notes]


def test_the_rule_for_a_clock_that_is_set_is_told_of_clocks_that_are(tmp_path, reading):
    berlin = Plan(tmp_path / "x", replace(reading, zone="Europe/Berlin"))
    assert berlin.fired_by("as we do").endswith("the clock of Europe/Berlin; as we do")
    assert Plan(tmp_path / "x", reading).fired_by("as we do").endswith("the clock of UTC")


def test_a_run_time_that_the_user_states_is_not_called_missing(tmp_path, reading):
    plan = Plan(tmp_path / "x", replace(reading, assume_run_s=30.0))
    plan.add(Entry("x", None, at(7)))
    assert NO_RUN_TIME not in [note.reason for note in plan.log().notes]


def test_text_in_utf_8_needs_no_note(plan, tmp_path):
    plan.path = tmp_path / "x"
    plan.path.write_text("# caf\xe9\n", encoding="utf-8")
    assert plan.text() == "# caf\xe9\n"
    plan.add(Entry("x", None, at(7)))
    assert LATIN_1 not in [note.reason for note in plan.log().notes]
