"""Any table as a job log."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.schema import schema
from jobsim.joblog.tabular import from_frame

SUBMIT = ["2024-05-13 10:00:00", "2024-05-13 10:01:00", "2024-05-13 10:02:00"]
START = ["2024-05-13 10:00:10", "2024-05-13 10:01:30", None]
END = ["2024-05-13 10:00:15", "2024-05-13 10:01:40", None]


def log(columns, reading=PLAIN):
    found = from_frame(pd.DataFrame(columns), reading, name="t", source="t.csv")
    schema().validate(found.jobs, lazy=True)
    return found


def reasons(found):
    return [note.reason for note in found.notes]


def test_waits_and_run_times_are_differences_and_missing_where_one_end_is():
    jobs = log({"created_at": SUBMIT, "started_at": START, "finished_at": END}).jobs
    assert jobs["submit_s"].tolist() == [0, 60, 120]
    assert jobs["start_s"].tolist()[:2] == [10, 90]
    assert jobs["run_s"].tolist()[:2] == [5, 10]
    assert jobs[["start_s", "run_s"]].iloc[2].isna().all()


def test_the_origin_is_the_first_submission():
    assert log({"created_at": SUBMIT, "duration": [1, 2, 3]}).origin == datetime(
        2024, 5, 13, 10, tzinfo=UTC
    )
    assert log({"submitted": [5, 6], "duration": [1, 2]}).origin is None


def test_every_guess_is_shown():
    notes = reasons(log({"created_at": SUBMIT, "duration": [1, 2, 3]}))
    assert "guessed: submit is the column 'created_at'" in notes
    assert "guessed: numbers in 'duration' are seconds" in notes


def test_what_is_said_is_taken_and_not_noted():
    reading = Reading(columns={"submit": "a", "run": "b"}, units={"run": "ms"}, zone="UTC")
    found = log({"a": SUBMIT, "b": [1000, 2000, 3000]}, reading)
    assert found.jobs["run_s"].tolist() == [1, 2, 3]
    assert not [reason for reason in reasons(found) if reason.startswith(("guessed", "marked"))]


def test_numbers_of_run_times_have_the_unit_that_start_and_end_show():
    found = log(
        {"created_at": SUBMIT, "started_at": START, "finished_at": END, "took": [5000, 10000, None]}
    )
    assert found.jobs["run_s"].tolist()[:2] == [5, 10]
    assert "guessed: numbers in 'took' are milliseconds" in reasons(found)


def test_run_times_have_the_unit_of_the_epochs_where_nothing_else_shows_it():
    epochs = [1_700_000_000_000, 1_700_000_060_000]
    assert log({"submit_time": epochs, "duration": [500, 1500]}).jobs["run_s"].tolist() == [
        0.5,
        1.5,
    ]


@pytest.mark.parametrize("name", ["run_ms", "exec_time_ms", "durationMs", "duration_millis"])
def test_the_unit_in_a_columns_name_is_taken(name):
    assert log({"created_at": SUBMIT, name: [1, 2, 3]}).jobs["run_s"].tolist() == [
        0.001,
        0.002,
        0.003,
    ]


def test_a_wait_gives_the_start():
    found = log(
        {"created_at": SUBMIT, "wait_time": [1, 2, 3], "duration": ["0:05", "0:06", "1:00"]}
    )
    assert found.jobs["start_s"].tolist() == [1, 62, 123]
    assert found.jobs["run_s"].tolist() == [5, 6, 60]


def test_a_wait_and_an_end_give_the_run_time():
    found = log({"created_at": SUBMIT, "wait_time": [5, 10, 1], "finished_at": END})
    assert found.jobs["run_s"].tolist()[:2] == [10, 30]


def test_a_wait_before_a_start_gives_the_submission():
    found = log({"started_at": SUBMIT, "queue_wait": [30, 5, 5], "duration": [1, 1, 1]})
    assert found.jobs["submit_s"].tolist() == [0, 85, 145]
    assert not any("stand for them" in reason for reason in reasons(found))


def test_starts_stand_for_submissions_that_nobody_logged_and_it_is_said():
    found = log({"started_at": SUBMIT, "duration": [1, 1, 1]})
    assert found.jobs["start_s"].isna().all()
    assert "marked: submissions are not logged, starts stand for them" in reasons(found)


def test_an_end_without_a_start_tells_no_run_time_and_it_is_said():
    found = log({"created_at": SUBMIT, "finished_at": END})
    assert found.jobs["run_s"].isna().all()
    assert any("neither a start nor a run time" in reason for reason in reasons(found))


def test_what_had_not_ended_has_no_run_time():
    found = log(
        {"created_at": SUBMIT, "duration": [1, 0, 7], "status": ["done", "pending", "running"]}
    )
    assert found.jobs["run_s"].isna().tolist() == [False, True, True]
    assert "mended: not ended when the log was made, run time left missing" in reasons(found)


def test_times_that_cannot_be_are_left_missing_and_counted():
    found = log(
        {
            "created_at": SUBMIT,
            "started_at": ["2024-05-13 09:00:00", *START[1:2], "2024-05-13 10:03:00"],
            "finished_at": [*END[:2], "2024-05-13 10:02:59"],
        }
    )
    assert np.isnan(found.jobs["start_s"][0])
    assert np.isnan(found.jobs["run_s"][2])
    assert {note.reason.split(",")[0]: note.count for note in found.notes}.items() >= {
        "mended: started before it was submitted": 1,
        "mended: run time below 0 (ended before it started)": 1,
    }.items()


def test_rows_without_a_submission_are_dropped_and_counted():
    found = log({"created_at": [*SUBMIT[:2], "NULL"], "duration": [1, 2, 3]})
    assert len(found) == 2
    assert "dropped: no submission time" in reasons(found)


def test_a_newest_first_log_comes_out_sorted():
    found = log({"id": [3, 2, 1], "created_at": SUBMIT[::-1], "duration": [3, 2, 1]})
    assert found.jobs["job_id"].tolist() == [1, 2, 3]


def test_rows_with_one_job_id_are_attempts_and_other_names_that_repeat_are_not():
    columns = {"created_at": SUBMIT, "duration": [1, 2, 3]}
    assert log({"job_id": [7, 7, 8], **columns}).jobs["attempts"].tolist()[0] == 2
    assert len(log({"run_id": [7, 7, 8], **columns})) == 3


def test_names_are_made_printable():
    found = log({"created_at": SUBMIT, "duration": [1, 2, 3], "queue": ["a\nb", " x ", "x"]})
    assert found.jobs["kind"].tolist() == ["a b", "x", "x"]


def test_memory_needs_a_unit():
    columns = {"created_at": SUBMIT, "duration": [1, 2, 3]}
    assert log({**columns, "max_rss_kb": [1024, 2048, 0]}).jobs["memory_mb"].tolist() == [1, 2, 0]
    found = log({**columns, "max_rss": [1024, 2048, 0]})
    assert found.jobs["memory_mb"].isna().all()
    assert any("--unit" in reason for reason in reasons(found))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1, 2], "b": ["x", "y"]}, "no column can be a submission"),
        ({"x": SUBMIT, "y": SUBMIT}, "--map submit=x (and start=..., end=...), or in"),
        ({"made on": SUBMIT}, "--map 'submit=made on'"),
        ({"created_at": SUBMIT, "inserted_at": START}, "--map submit=created_at"),
        ({"created_at": ["2024-05-13", "2024-05-14"], "duration": [1, 2]}, "jobsim record"),
        ({"created_at": ["03/04/2024 10:00"], "duration": [1]}, "%d/%m/%Y %H:%M"),
        ({"created_at": ["NULL", "NULL"], "duration": [1, 2]}, "no column can be a submission"),
        ({"created_at": SUBMIT, "started_at": [1, 2, 3]}, "of their own"),
        ({"created_at": ["2024-05-13 10:00 CEST"]}, "such as '2024-05-13 10:00 CEST'; 2024-05-13"),
        ({"created_at": SUBMIT, "inserted_at": END, "started_at": START}, "--map submit=created"),
    ],
)
def test_a_table_that_cannot_answer_is_refused_with_what_would_help(columns, message):
    with pytest.raises(LogError) as refused:
        log(columns)
    assert message in str(refused.value)


def test_every_wrong_cell_is_listed_by_its_row_and_column():
    with pytest.raises(LogError) as refused:
        log({"created_at": [*SUBMIT * 5, "soon"], "duration": [1] * 14 + ["x", 1]})
    assert str(refused.value).splitlines() == [
        line for line in str(refused.value).splitlines() if line.startswith("t.csv: column ")
    ]
    assert "row 16: 'soon'" in str(refused.value)
    assert "row 15: 'x'" in str(refused.value)


def test_a_column_that_is_not_there_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match="did you mean created_at"):
        log({"created_at": SUBMIT}, Reading(columns={"submit": "create_at"}))


def test_a_status_of_unknown_words_is_said_and_taken_when_its_words_are():
    columns = {"created_at": SUBMIT, "status": ["0", "1", "1"]}
    found = log(columns)
    assert found.jobs["outcome"].tolist() == ["unknown"] * 3
    assert any("no word in 'status' is known, such as '1'" in reason for reason in reasons(found))
    said = log(columns, Reading(outcomes={"1": "completed", "0": "failed"}))
    assert said.jobs["outcome"].tolist() == ["failed", "completed", "completed"]


def test_a_run_time_of_zero_without_an_outcome_is_of_a_job_that_runs_where_others_have_one():
    run = {"timestamp": SUBMIT, "duration": [1500, 0, 0]}
    jobs = log(run | {"result": ["SUCCESS", None, "ABORTED"]}).jobs
    assert jobs["run_s"].isna().tolist() == [False, True, False]
    assert log(run).jobs["run_s"].notna().all()


def test_an_id_that_completes_again_names_what_is_run_and_not_the_runs():
    runs = {"job_id": [7, 7, 8], "created_at": SUBMIT, "started_at": START, "finished_at": END}
    again = log(runs | {"status": ["succeeded", "succeeded", "failed"]})
    assert len(again.jobs) == 3
    assert any("rows with the same 'job_id' are different jobs" in each for each in reasons(again))
    retried = log(runs | {"status": ["failed", "succeeded", "failed"]})
    assert retried.jobs["attempts"].tolist()[0] == 2
    said = Reading(columns={"id": "job_id"})
    assert len(log(runs | {"status": ["succeeded"] * 3}, said).jobs) == 2
