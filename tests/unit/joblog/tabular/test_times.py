"""Points in time that are held against one another."""

import pandas as pd
import pytest

from jobsim.errors import LogError
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.tabular import from_frame


def log(columns, reading=PLAIN):
    return from_frame(pd.DataFrame(columns), reading, name="t", source="t.csv")


def test_days_are_told_from_months_as_another_column_of_the_table_does():
    found = log({"created_at": ["03/04/2024 10:00"], "started_at": ["13/04/2024 10:01"]})
    assert found.jobs["start_s"].tolist() == [10 * 86400 + 60]
    assert "guessed: times in 'created_at' are %d/%m/%Y %H:%M, as other columns show" in [
        note.reason for note in found.notes
    ]


def test_what_could_be_days_or_months_everywhere_is_refused_with_all_that_must_be_said():
    times = {"created_at": ["03/04/2024 10:00"], "started_at": ["03/04/2024 10:01"]}
    with pytest.raises(LogError) as refused:
        log(times)
    say = "submit=%d/%m/%Y %H:%M,start=%d/%m/%Y %H:%M"
    assert f'--unit "{say}"' in str(refused.value)
    units = dict(pair.split("=") for pair in say.split(","))
    assert log(times, Reading(units=units)).jobs["start_s"].tolist() == [60]


def test_names_of_months_are_clear_whether_short_or_long():
    assert log({"created_at": ["May 13, 2024 10:00:00"]}).origin.month == 5


@pytest.mark.parametrize("units", [{"submit": "d", "end": "d"}, {"submit": "s", "end": "s"}])
def test_days_of_a_spreadsheet_could_be_seconds_and_are_what_is_said(units):
    times = {"submitted": [45385.5, 45386.5], "finished": [45385.75, 45386.75]}
    with pytest.raises(LogError, match='the days of a spreadsheet; say which: --unit "submit=d'):
        log(times)
    found = log(times, Reading(units=units, zone="Europe/Berlin"))
    of_days = units["submit"] == "d"
    assert found.jobs["submit_s"].tolist() == [0, 86400 if of_days else 1]
    assert (found.origin is not None) == of_days
    if of_days:
        assert f"{found.origin:%Y-%m-%d %H:%M}" == "2024-04-03 10:00"


def test_numbers_that_start_at_a_beginning_of_their_own_are_no_days_of_a_spreadsheet():
    assert log({"submitted": [0.5, 45386.5]}).jobs["submit_s"].tolist() == [0, 45386]


def test_a_time_of_day_in_another_column_is_asked_for():
    with pytest.raises(LogError, match="both in one column, as 2024-05-13 10:20:30"):
        log({"date": ["2024-05-13", "2024-05-14"], "start": ["10:00:00", "11:00:00"]})


def test_a_zone_that_is_not_named_counts_each_job_once():
    found = log({"created_at": ["13.05.2024 10:00"] * 2, "started_at": ["2024-05-13 10:01"] * 2})
    assert [note.count for note in found.notes if "no zone" in note.reason] == [2]
