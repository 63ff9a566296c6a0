"""Years of lines that name none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jobsim.joblog.cronlog import years
from jobsim.joblog.cronlog.syslog import parse
from jobsim.joblog.cronlog.years import LATEST, OF_OTHERS, OF_THE_USER, instants_s
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading


@pytest.fixture
def dates(monkeypatch):
    """The dates of lines with these beginnings, and the notes taken, on 15 June 2024."""
    monkeypatch.setattr(years, "now", lambda: datetime(2024, 6, 15, 12, tzinfo=UTC))

    def read(*beginnings, reading=PLAIN):
        notes = Notes()
        stamps = [parse(f"{each} a b: x").stamp for each in beginnings]
        found = instants_s(stamps, reading, notes)
        texts = [datetime.fromtimestamp(t_s, UTC).strftime("%Y-%m-%d") for t_s in found]
        return texts, [note.reason for note in notes.taken]

    return read


def test_the_year_is_the_latest_in_which_no_line_is_in_the_future(dates):
    assert dates("Jun 14 12:00:00", "Jun 15 11:00:00")[0] == ["2024-06-14", "2024-06-15"]
    assert dates("Jun 14 12:00:00", "Jun 25 11:00:00")[0] == ["2023-06-14", "2023-06-25"]
    assert LATEST in dates("Jun 14 12:00:00")[1]


def test_the_year_changes_where_december_becomes_january(dates):
    texts, _ = dates("Nov 20 12:00:00", "Dec 31 23:59:59", "Jan  1 00:00:01", "Feb  1 00:00:00")
    assert texts == ["2023-11-20", "2023-12-31", "2024-01-01", "2024-02-01"]


def test_a_log_that_goes_backwards_changes_its_year_too(dates):
    texts, _ = dates("Jan  1 00:00:01", "Dec 31 23:59:59", "Nov  1 00:00:00")
    assert texts == ["2024-01-01", "2023-12-31", "2023-11-01"]


def test_lines_a_little_out_of_order_change_no_year(dates):
    texts, _ = dates("Mar  2 00:00:00", "Mar  1 23:59:59", "Mar  2 00:00:01")
    assert texts == ["2024-03-02", "2024-03-01", "2024-03-02"]


def test_several_years_are_counted(dates):
    texts, _ = dates(*["Mar  1 00:00:00", "Aug 25 00:00:00", "Dec 25 00:00:00"] * 3)
    assert [text[:4] for text in texts] == ["2021"] * 3 + ["2022"] * 3 + ["2023"] * 3


def test_the_user_can_say_when_the_log_begins(dates):
    reading = Reading(begin=datetime(2005, 11, 1))
    texts, reasons = dates("Nov  9 12:00:00", "Jan  3 12:00:00", reading=reading)
    assert texts == ["2005-11-09", "2006-01-03"]
    assert OF_THE_USER in reasons


def test_lines_that_name_a_year_tell_it_to_those_that_do_not(dates):
    texts, reasons = dates("Dec 31 12:00:00", "2019-01-01T00:00:00Z", "Jan  1 12:00:00")
    assert texts == ["2018-12-31", "2019-01-01", "2019-01-01"]
    assert OF_OTHERS in reasons
    assert dates("2019-12-31T00:00:00Z", "Jan  1 12:00:00")[0][1] == "2020-01-01"


def test_the_29_february_tells_a_leap_year(dates):
    assert dates("Feb 28 12:00:00", "Feb 29 12:00:00")[0][1] == "2024-02-29"
    texts, _ = dates("Jul  1 12:00:00", "Dec  1 12:00:00", "Feb 29 12:00:00")
    assert texts == ["2023-07-01", "2023-12-01", "2024-02-29"]


def test_a_29_february_in_a_year_without_one_is_refused(dates):
    with pytest.raises(ValueError, match="there is no 29 February in 2023"):
        dates("Feb 29 12:00:00", reading=Reading(begin=datetime(2023, 1, 1)))


def test_local_times_are_those_of_the_zone(dates):
    notes = Notes()
    stamp = parse("Jul  9 00:30:00 a b: x").stamp
    reading = Reading(zone="Europe/Berlin", begin=datetime(2020, 1, 1))
    (t_s,) = instants_s([stamp], reading, notes)
    assert datetime.fromtimestamp(t_s, UTC) == datetime(2020, 7, 8, 22, 30, tzinfo=UTC)
    assert any("name no zone" in reason for reason in dates("Jun  1 12:00:00")[1])
