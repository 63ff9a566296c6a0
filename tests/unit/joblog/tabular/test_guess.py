"""Guessing what columns hold."""

import pandas as pd
import pytest

from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.tabular.guess import guess, times_in

TIMES = ["2024-05-13 10:20:30", "2024-05-13 10:20:31", "2024-05-13 10:25:00"]
LATER = ["2024-05-13 10:21:30", "2024-05-13 10:22:31", None]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("created_at started_at finished_at", "submit start end"),
        ("createdAt startedAt finishedAt", "submit start end"),
        ("SubmitTime BeginTime EndTime", "submit start end"),
        ("queued_dttm start_date end_date", "submit start end"),
        ("createdon claimed_at processed_at", "submit start end"),
        ("enqueued began ended", "submit start end"),
        ("timestamp processedOn finishedOn", "submit start end"),
        ("created_datetime start_datetime end_datetime", "submit start end"),
        ("submission_time starting_time finish_time", "submit start end"),
        ("QDate JobStartDate CompletionDate", "submit start end"),
        ("received ACTUAL_START_DATE stopped_at", "submit start end"),
    ],
)
def test_the_times_of_common_systems_are_known_by_name(names, found):
    columns = names.split()
    frame = pd.DataFrame(dict.fromkeys(columns, TIMES) | {columns[1]: LATER})
    frame[columns[2]] = LATER[::-1]
    assert guess(frame, PLAIN).columns == dict(zip(found.split(), columns, strict=True))


def test_a_name_alone_is_not_enough():
    frame = pd.DataFrame(
        {"created_at": TIMES, "start": ["a", "b", "c"], "duration": ["x", "y", "z"]}
    )
    assert guess(frame, PLAIN).columns == {"submit": "created_at"}


def test_a_better_name_is_taken_and_the_other_said():
    frame = pd.DataFrame({"created_at": TIMES, "queued_at": LATER})
    found = guess(frame, PLAIN)
    assert found.columns == {"submit": "queued_at"}
    assert found.others == {"submit": ("created_at",)}


def test_two_names_as_good_are_ambiguous_unless_they_say_the_same():
    frame = pd.DataFrame({"at": TIMES, "finished_at": TIMES, "completed_at": LATER})
    assert guess(frame, PLAIN).ambiguous == {"end": ("finished_at", "completed_at")}
    same = frame.assign(completed_at=TIMES)
    assert guess(same, PLAIN).columns == {"end": "finished_at"}


def test_what_is_said_is_not_guessed_and_its_column_not_taken_again():
    frame = pd.DataFrame({"created_at": TIMES, "queued_at": LATER})
    assert guess(frame, Reading(columns={"start": "queued_at"})).columns == {"submit": "created_at"}


def test_ids_are_columns_that_name_each_row():
    frame = pd.DataFrame({"created_at": TIMES, "id": [1, 1, 2], "uuid": ["a", "b", "c"]})
    assert guess(frame, PLAIN).columns["id"] == "uuid"


def test_of_two_statuses_the_one_that_says_how_it_ended_is_taken():
    frame = pd.DataFrame(
        {"created_at": TIMES, "status": ["completed"] * 3, "conclusion": ["success", "failure", ""]}
    )
    assert guess(frame, PLAIN).columns["outcome"] == "conclusion"


def test_any_column_that_holds_times_is_found_whatever_its_name():
    frame = pd.DataFrame({"x": TIMES, "n": [1, 2, 3], "y": LATER, "e": [1.7e9, 1.7e9, 1.7e9]})
    assert times_in(frame) == ["x", "y", "e"]


def test_a_small_number_beside_points_in_time_is_a_wait_and_no_submission():
    frame = pd.DataFrame({"queue_time": [1.5, 2, 3], "start_time": TIMES})
    assert guess(frame, PLAIN).columns == {"start": "start_time", "wait": "queue_time"}


def test_numbers_of_a_queue_are_no_kinds_and_a_few_of_a_type_are():
    frame = pd.DataFrame({"created_at": TIMES, "queue": ["0", "30", "0"]})
    assert "kind" not in guess(frame, PLAIN).columns
    assert guess(frame.rename(columns={"queue": "type"}), PLAIN).columns["kind"] == "type"


def test_a_status_of_which_no_word_is_known_is_strange():
    frame = pd.DataFrame({"created_at": TIMES, "status": ["erledigt", "erledigt", "neu"]})
    assert guess(frame, PLAIN).strange == {"status": "erledigt"}
    assert not guess(frame, Reading(outcomes={"erledigt": "completed"})).strange
