"""A description as HTML for notebooks."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree, html

from jobsim.joblog import read_log
from jobsim.joblog.describe import describe, page
from jobsim.joblog.notes import Note
from jobsim.joblog.table import JobLog

DAY_S = 86400.0


def tree(text: str) -> etree._Element:
    """The page as XML, which it is well formed enough to be."""
    return etree.fromstring(text)


def made(days: float, **travelling: object) -> JobLog:
    random = np.random.default_rng(1)
    submit_s = np.sort(random.uniform(0, days * DAY_S, 3000))
    log = {"submit_s": submit_s, "run_s": random.lognormal(3, 2, 3000).round()}
    return JobLog.of(log, name="made", **travelling)


@pytest.mark.parametrize(("days", "pictures"), [(0.5, 2), (3, 3), (40, 3)])
@pytest.mark.parametrize("origin", [None, datetime(2026, 1, 1, tzinfo=UTC)])
def test_arrivals_run_times_and_rhythm_are_drawn_where_there_is_one(days, pictures, origin):
    text = page(describe(made(days, origin=origin)))
    assert len(tree(text).findall(".//{http://www.w3.org/2000/svg}svg")) == pictures
    assert ("UTC" in text) == (origin is not None)


def test_instants_of_a_part_of_a_log_are_those_of_that_part():
    log = made(40, origin=datetime(2026, 1, 1, tzinfo=UTC), zone="Asia/Tokyo")
    part = page(describe(log.window(20 * DAY_S, 25 * DAY_S)))
    assert "2026-01-21 09:13 JST" in part.partition("</p>")[0]
    assert "2026-01-2" in part
    assert "2026-01-01" not in part
    assert "UTC" not in part


def test_it_is_self_contained_and_small_and_has_no_script():
    text = made(40, notes=(Note("dropped: something", 4),))._repr_html_()
    assert len(text) < 60_000
    for forbidden in ("<script", "<link", "<img", "url(", "onload", "onclick", "javascript:"):
        assert forbidden not in text
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}


def test_its_text_takes_the_colour_of_the_page():
    colours = set(
        re.findall(r'(?:fill|stroke|color|background)[:=]"?([^";]+)', page(describe(made(40))))
    )
    assert colours <= {"currentColor", "inherit", "none", "#4a90d9"}


def test_what_the_terminal_says_is_there_but_for_the_bars():
    text = html.fromstring(page(describe(made(40)))).text_content()
    for word in ("longest gaps", "variance / mean²", "workers busy on average", "can it answer"):
        assert word in text
    assert "▁" not in text


def test_names_are_no_markup():
    log = JobLog.of({"submit_s": [0, 1], "run_s": [1, 2], "kind": ["<b>&", "x"]}, name="<i>")
    text = page(describe(log))
    assert "<i>" not in text
    assert "&lt;b&gt;&amp;" in text
    assert tree(text) is not None


def test_the_parts_of_the_pictures_say_how_many_they_are():
    titles = [each.text for each in tree(page(describe(made(3)))).iter("{*}title")]
    assert any(title.startswith(("5", "6", "7")) and "jobs in" in title for title in titles)
    assert any("runs of" in title for title in titles)
    assert any("jobs an hour from" in title for title in titles)


def test_a_log_of_one_instant_or_without_run_times_has_fewer_pictures():
    assert (
        page(describe(JobLog.of({"submit_s": [1, 1], "run_s": [2, 3]}, name="x"))).count("<svg")
        == 1
    )
    assert "<svg" not in page(describe(JobLog.of({"submit_s": [1], "run_s": [None]}, name="x")))


def test_a_log_without_jobs_shows_itself_too():
    log = read_log("mmc:arrival=1,service=1,jobs=5")
    empty = JobLog(log.jobs.iloc[:0], name="<empty>", source="none")
    assert "&lt;empty&gt;" in empty._repr_html_()


@settings(max_examples=20)
@given(data=st.data())
def test_any_log_has_a_well_formed_page_of_bounded_size(data, logs):
    text = data.draw(logs)._repr_html_()
    assert tree(text) is not None
    assert len(text) < 60_000
