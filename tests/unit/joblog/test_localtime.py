"""Local times as instants."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsim.joblog.localtime import epoch_s
from jobsim.joblog.notes import Notes
from jobsim.joblog.reading import PLAIN, Reading

BERLIN = Reading(zone="Europe/Berlin")
SUMMER_BEGINS, SUMMER_ENDS = "2024-03-31", "2024-10-27"


def seconds(*texts: str | None, reading: Reading = BERLIN) -> tuple[list[float], Notes]:
    notes = Notes()
    cells = pd.Series(pd.to_datetime(list(texts)))
    return epoch_s(cells, reading, notes).tolist(), notes


def utc(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def test_without_a_zone_times_are_utc_and_marked():
    found, notes = seconds("2024-07-01 12:00", None, reading=PLAIN)
    assert found[0] == utc("2024-07-01 12:00")
    assert np.isnan(found[1])
    (note,) = notes.taken
    assert (note.reason[:7], note.count) == ("marked:", 1)


def test_a_zone_moves_summer_and_winter_by_their_own_offsets():
    found, notes = seconds("2024-07-01 12:00", "2024-01-01 12:00")
    assert found == [utc("2024-07-01 10:00"), utc("2024-01-01 11:00")]
    assert notes.taken == ()


def test_the_hour_that_comes_twice_is_told_apart_by_the_order_of_the_log():
    texts = [f"{SUMMER_ENDS} {hour}" for hour in ("01:50", "02:10", "02:50", "02:20", "03:00")]
    found, notes = seconds(*texts)
    assert found == [utc(f"{SUMMER_ENDS[:8]}26 23:50")] + [
        utc(f"{SUMMER_ENDS} {hour}") for hour in ("00:10", "00:50", "01:20", "02:00")
    ]
    assert [note.count for note in notes.taken] == [3]


def test_in_a_log_that_begins_with_the_newest_what_comes_before_the_jump_is_the_second():
    texts = [f"{SUMMER_ENDS} {hour}" for hour in ("04:00", "03:00", "02:20", "02:50", "01:30")]
    found, _ = seconds(*texts)
    assert found[2:4] == [utc(f"{SUMMER_ENDS} 01:20"), utc(f"{SUMMER_ENDS} 00:50")]


def test_without_a_jump_the_first_of_the_two_is_taken_and_said():
    found, notes = seconds(f"{SUMMER_ENDS} 02:30")
    assert found == [utc(f"{SUMMER_ENDS} 00:30")]
    assert "twice" in notes.taken[0].reason


def test_a_time_in_the_hour_left_out_is_moved_to_its_end_and_said():
    found, notes = seconds(f"{SUMMER_BEGINS} 02:30", f"{SUMMER_BEGINS} 03:30")
    assert found == [utc(f"{SUMMER_BEGINS} 01:00"), utc(f"{SUMMER_BEGINS} 01:30")]
    assert [note.count for note in notes.taken] == [1]


@pytest.mark.parametrize("backwards", [False, True])
@given(starts=st.lists(st.integers(0, 6 * 3600), min_size=2, max_size=40))
def test_a_sorted_log_with_a_jump_in_it_comes_back_as_it_was(backwards, starts):
    first = int(utc("2024-10-26 22:00"))
    # One job each ten minutes besides, so that the jump can be seen.
    instants = sorted({first + s for s in (*starts, *range(0, 6 * 3600, 600))}, reverse=backwards)
    local = pd.Series(pd.to_datetime(instants, unit="s", utc=True)).dt.tz_convert("Europe/Berlin")
    naive = local.dt.tz_localize(None)
    assert epoch_s(naive, BERLIN, Notes()).tolist() == instants
