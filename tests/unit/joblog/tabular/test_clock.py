"""Cells as instants."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.tabular.clock import Instants, instants

MOMENT = datetime(2024, 5, 13, 10, 20, 30, 250_000, UTC)
MOMENT_S = MOMENT.timestamp()


def found(*cells: object, unit: str = "", reading: Reading = PLAIN) -> Instants:
    return instants(pd.Series(list(cells)), reading, Notes(), unit)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-13 10:20:30.25",
        "2024-05-13T10:20:30.250Z",
        "2024-05-13T10:20:30.2500000Z",
        "2024-05-13T10:20:30.250000000000",
        "2024-05-13 12:20:30.25+02:00",
        "2024-05-13 12:20:30.25+02",
        "2024-05-13T05:20:30.25-0500",
        "2024-05-13 10:20:30,250",
        "2024-05-13 10:20:30.25 UTC",
        "13.05.2024 10:20:30.250",
        "2024/05/13 10:20:30.25",
    ],
)
def test_a_moment_is_known_in_any_writing(text):
    times = found(text, None)
    assert times.absolute
    assert times.seconds[0] == pytest.approx(MOMENT_S, abs=1e-6)
    assert np.isnan(times.seconds[1])
    assert not times.wrong.any()


@pytest.mark.parametrize(
    "text",
    [
        "05/13/2024 10:20:30",
        "13-May-2024 10:20:30",
        "May 13, 2024 10:20:30 AM",
        "13 May 2024 10:20:30",
        "Mon, 13 May 2024 10:20:30 +0000",
        "Mon May 13 10:20:30 2024",
        "13/May/2024:10:20:30 +0000",
        "20240513102030",
    ],
)
def test_whole_seconds_are_known_in_other_writings(text):
    assert found(text).seconds[0] == int(MOMENT_S)


def test_offsets_and_none_in_one_column_are_each_taken_by_its_own():
    times = found(
        "2024-05-13 12:20:30.25", "2024-05-13 12:20:30.25+02:00", reading=Reading(zone="Asia/Tokyo")
    )
    assert times.seconds.tolist() == [MOMENT_S - 7 * 3600, MOMENT_S]


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
def test_epochs_are_told_by_their_size(unit):
    per_s = {"s": 1, "ms": 1000, "us": 1_000_000}[unit]
    times = found(int(MOMENT_S) * per_s, int(MOMENT_S + 60) * per_s)
    assert (times.absolute, times.unit) == (True, unit)
    assert times.seconds.tolist() == [int(MOMENT_S), int(MOMENT_S + 60)]


def test_a_zero_among_epochs_is_no_instant():
    assert np.isnan(found(1.7e9, 1.7e9, 0).seconds[2])


def test_small_numbers_count_from_a_start_of_their_own():
    times = found("0", "12,5", "3")
    assert (times.absolute, times.unit) == (False, "s")
    assert times.seconds.tolist() == [0, 12.5, 3]


def test_a_said_unit_holds_over_the_guess():
    assert found(90, 120, unit="min").seconds.tolist() == [5400, 7200]
    assert found("13/05/24 10.20", unit="%d/%m/%y %H.%M").seconds[0] == int(MOMENT_S) - 30


def test_a_day_that_could_be_a_month_is_ambiguous_and_one_that_cannot_is_not():
    assert found("03/04/2024 10:00", "05/06/2024 10:00").formats == (
        "%d/%m/%Y %H:%M",
        "%m/%d/%Y %H:%M",
    )
    assert found("03/04/2024 10:00", "05/16/2024 10:00").formats == ()


def test_dates_without_a_time_of_day_are_told():
    assert found("2024-05-13", None, "2024-05-14").dates_only
    assert found(pd.Timestamp("2024-05-13"), pd.Timestamp("2024-05-14")).dates_only
    assert not found("2024-05-13", "2024-05-14 00:00:01").dates_only


@pytest.mark.parametrize(
    "null", ["", "NULL", r"\N", "None", "n/a", "0000-00-00 00:00:00", None, "Unknown", "-"]
)
def test_words_for_nothing_are_missing_and_not_wrong(null):
    times = found("2024-05-13 10:20:30", null)
    assert np.isnan(times.seconds[1])
    assert not times.wrong.any()


def test_what_is_no_instant_is_wrong():
    assert found("2024-05-13 10:20", "soon", "2024-02-30 10:00").wrong.tolist() == [
        False,
        True,
        True,
    ]


def test_datetimes_with_and_without_zone_are_taken_as_they_are():
    assert found(pd.Timestamp(MOMENT), pd.NaT).seconds[0] == pytest.approx(MOMENT_S)
    assert found(pd.Timestamp("2024-05-13 10:20:30")).seconds[0] == int(MOMENT_S)


def test_a_column_of_nothing_is_neither_absolute_nor_relative():
    assert found(None, "", "NULL").absolute is None


FORMS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%d.%m.%Y %H:%M:%S", "%Y%m%d%H%M%S")


@given(
    st.lists(st.integers(5 * 10**8, 2**32), min_size=1, max_size=30),
    st.sampled_from(FORMS),
)
def test_instants_written_in_any_form_are_read_back(seconds, form):
    texts = [datetime.fromtimestamp(s, UTC).strftime(form) for s in seconds]
    assert found(*texts).seconds.tolist() == seconds


@given(st.lists(st.text(max_size=30) | st.none() | st.integers() | st.floats(), max_size=10))
def test_any_cells_at_all_give_seconds_or_wrong_cells(cells):
    times = found(*cells)
    assert len(times.seconds) == len(times.wrong) == len(cells)
    assert not np.isinf(times.seconds).any()
    assert not (times.wrong & ~np.isnan(times.seconds)).any()
