"""A description in words."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from jobsim.joblog import read_log
from jobsim.joblog.describe import describe, sections
from jobsim.joblog.notes import Note
from jobsim.joblog.table import JobLog

DAY_S = 86400.0


def said(log: JobLog) -> dict[str, list[str]]:
    """What is said under each label; an empty label goes on with the one before."""
    found: dict[str, list[str]] = {}
    for section in sections(describe(log)):
        label = ""
        for label_or_none, text in section.lines:
            label = label_or_none or label
            found.setdefault(label, []).append(text)
    return found


def weeks(**travelling: object) -> JobLog:
    """Three weeks of jobs, most at noon of working days."""
    random = np.random.default_rng(1)
    days = random.integers(0, 21, 3000)
    hour = random.normal(12, 2, 3000).clip(0, 23.9)
    submit_s = np.sort((days * DAY_S + hour * 3600)[days % 7 < 5])
    run_s = random.exponential(30, len(submit_s))
    return JobLog.of({"submit_s": submit_s, "run_s": run_s}, name="weeks", **travelling)


def test_a_log_with_a_calendar_has_a_rhythm_in_utc():
    monday = datetime(2026, 6, 1, tzinfo=UTC)
    text = said(weeks(origin=monday))
    bars, hours, most = text["by hour"][0].splitlines()
    assert len(bars) == 24
    assert "UTC" in hours
    assert "most from 11 h on" in most or "most from 12 h on" in most
    assert text["by weekday"][0].startswith("Mo █") or "Mo ▇" in text["by weekday"][0]
    assert text["by weekday"][0].endswith("Sa ·  Su ·")


def test_hours_and_instants_are_those_of_the_zone_of_the_log():
    text = said(weeks(origin=datetime(2026, 6, 1, tzinfo=UTC), zone="America/New_York"))
    _, hours, most = text["by hour"][0].splitlines()
    assert hours.endswith("America/New_York")
    assert "most from 7 h on" in most or "most from 8 h on" in most
    assert text["submitted"][0].endswith("EDT")
    assert all("UTC" not in line for lines in text.values() for line in lines)


def test_a_log_that_begins_after_its_zero_is_dated_from_its_first_job():
    begun = {"submit_s": [DAY_S, 2 * DAY_S], "run_s": [1, 1]}
    log = JobLog.of(begun, name="later", origin=datetime(2026, 6, 1, tzinfo=UTC))
    assert said(log)["submitted"] == ["2026-06-02 00:00 to 2026-06-03 00:00 UTC"]


@pytest.mark.parametrize(("run_s", "said_of_short"), [(0, "0 s as logged"), (0.004, "25.0 %")])
def test_runs_of_no_time_at_all_are_what_the_clock_shows(run_s, said_of_short):
    log = JobLog.of({"submit_s": [0, 1, 2, 3], "run_s": [run_s, 3, 4, 5]}, name="short")
    assert said(log)["under 10 ms"][0].endswith(said_of_short)


def test_a_minute_or_an_hour_with_one_job_is_not_the_fullest():
    log = JobLog.of({"submit_s": [0, 4000, 8000], "run_s": [1, 1, 1]}, name="sparse")
    assert "fullest minute" not in said(log)
    assert "fullest hour" not in said(log)


def test_a_load_of_nearly_nothing_is_not_said_to_be_nothing():
    log = JobLog.of({"submit_s": [0, 40_000], "run_s": [10, 10]}, name="idle")
    assert said(log)["offered load"][0].startswith("0.0005 workers")


def test_a_tail_index_below_two_by_chance_is_said_to_be_perhaps_heavy():
    run_s = np.random.default_rng(7).pareto(1.9, 2000) + 1
    log = JobLog.of({"submit_s": np.arange(2000.0), "run_s": run_s}, name="pareto")
    found = describe(log).run_tail
    assert found.index < 2 < found.index + 2 * found.error
    assert "perhaps heavy" in said(log)["tail"][0]


def test_a_log_without_a_calendar_does_not_claim_to_know_the_hour():
    text = said(weeks())
    assert "from the log's zero" in text["by hour"][0]
    assert text["by weekday"][0].startswith("day 1")


def test_weekends_are_said_to_be_quiet_in_other_weeks_too_or_not_at_all():
    assert all("no quiet time" not in line for line in said(weeks())["longest gaps"])


def test_a_drawn_load_is_said_to_be_what_theory_calls_it():
    text = said(read_log("mmc:arrival=3.6,service=1,servers=4,jobs=20000"))
    assert "as independent arrivals do" in text["bursts"][0]
    assert "not heavy" in text["tail"][0]
    assert text["made for"] == ["4 workers"]
    assert "4 or more to keep up" in text["workers"][0]
    assert text["outcomes"] == ["not logged"]
    assert "take care" not in [section.title for section in sections(describe(weeks()))]


def test_power_laws_batches_and_clockworks_are_called_by_their_names():
    random = np.random.default_rng(1)
    batches = np.repeat(np.cumsum(random.exponential(5, 500)), 10)
    heavy = JobLog.of({"submit_s": batches, "run_s": random.pareto(1.2, 5000)}, name="heavy")
    assert "in bursts" in said(heavy)["bursts"][0]
    assert said(heavy)["tail"][0].count("not heavy") == 0
    assert said(heavy)["at one instant"] == [
        "100.0 % of jobs come together with others, 10 at most"
    ]
    clockwork = JobLog.of({"submit_s": np.arange(5000), "run_s": np.ones(5000)}, name="clock")
    assert "evenly, as by a clock" in said(clockwork)["bursts"][0]
    assert said(clockwork)["clock"] == ["counts in steps of 1 s"]


def test_notes_are_grouped_by_kind_and_counted_by_reason():
    notes = (
        Note("marked: cut at a limit", 2),
        Note("dropped: no submit time", 1200),
        Note("of no kind", 3),
        Note("assumed: a run time of 30 s, as the user stated", 1),
        Note("dropped: twice in the log", 4),
    )
    log = JobLog.of({"submit_s": [0], "run_s": [1]}, name="noted", notes=notes)
    (rows,) = (section for section in sections(describe(log)) if section.title == "rows")
    assert rows.lines == (
        ("dropped", "1,200: no submit time"),
        ("dropped", "4: twice in the log"),
        ("marked", "2: cut at a limit"),
        ("assumed", "1: a run time of 30 s, as the user stated"),
        ("", "3: of no kind"),
    )


def test_waits_that_are_all_zero_are_not_listed_as_quantiles():
    log = JobLog.of({"submit_s": [0, 1], "start_s": [0, 1], "run_s": [1, 1]}, name="none")
    assert said(log)["wait as logged"] == ["none: every job starts the instant it is submitted"]


def test_attempts_are_said_where_jobs_had_more_than_one():
    columns = {"submit_s": [0, 1, 2, 3], "run_s": [1, 1, 1, 1], "attempts": [1, 3, None, 1]}
    assert said(JobLog.of(columns, name="tries"))["attempts"] == ["more than one: 33.3 %"]


@pytest.mark.parametrize("run_s", [[None], [0]])
def test_one_job_alone_is_described(run_s):
    text = said(JobLog.of({"submit_s": [5], "run_s": run_s}, name="one"))
    assert text["span"] == ["0 s"]
    assert "longest gaps" not in text


def test_holes_are_questioned():
    log = weeks()
    jobs = log.jobs[(log.jobs["submit_s"] < 8 * DAY_S) | (log.jobs["submit_s"] > 9 * DAY_S)]
    more = [jobs.assign(submit_s=jobs["submit_s"] + k * 21 * DAY_S) for k in (1, 2)]
    submit_s = np.concatenate([jobs["submit_s"], *(each["submit_s"] for each in more)])
    whole = np.concatenate([log.jobs["submit_s"] + k * 21 * DAY_S for k in (3, 4)])
    both = np.append(submit_s[: len(jobs)], whole - 42 * DAY_S)
    text = said(JobLog.of({"submit_s": both, "run_s": np.ones(len(both))}, name="hole"))
    assert any("an outage, a holiday, or a hole in the log?" in gap for gap in text["longest gaps"])
