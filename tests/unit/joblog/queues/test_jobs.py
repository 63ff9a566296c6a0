import pandas as pd
import pytest

from jobsim.errors import LogError
from jobsim.joblog.notes import Notes
from jobsim.joblog.queues.jobs import as_log

NAN = float("nan")


def log(**columns):
    frame = pd.DataFrame({"job_id": [str(n) for n in range(len(columns["submit_s"]))]} | columns)
    return as_log(frame, Notes(), name="log", source="memory", table="jobs")


def test_only_two_columns_are_needed():
    found = log(submit_s=[10.0, 20.0])
    assert list(found.jobs["submit_s"]) == [0, 10]
    assert set(found.jobs["outcome"]) == {"unknown"}


def test_a_second_row_of_a_job_is_dropped(reasons):
    found = log(job_id=["a", "a", None], submit_s=[10.0, 20.0, 30.0])
    assert len(found) == 1
    assert reasons(found)["dropped: a second row of one job"] == 1
    assert reasons(found)["dropped: the job has no id"] == 1


def test_names_are_made_printable():
    found = log(submit_s=[1.0, 2.0, 3.0], kind=[" a\x00b\n", "  ", None])
    assert found.jobs["kind"][0] == "a b"
    assert found.jobs["kind"][1:].isna().all()


def test_the_stated_run_time_holds_before_the_span():
    found = log(submit_s=[0.0, 0.0], start_s=[1.0, 1.0], end_s=[5.0, 5.0], run_s=[3.0, NAN])
    assert list(found.jobs["run_s"]) == [3, 4]


def test_numbers_that_no_table_can_hold_are_missing():
    found = log(submit_s=[1.0, 2.0], attempts=[-1.0, 1e300], priority=[-5.0, 1e300])
    assert found.jobs["attempts"].isna().all()
    assert list(found.jobs["priority"].fillna(0)) == [-5, 0]


def test_no_job_with_a_submission_is_refused_and_says_why():
    why = "no job is left of .*: 1 when it was submitted is not known"
    with pytest.raises(LogError, match=why):
        log(submit_s=[NAN])


def test_what_is_marked_in_all_rows_is_counted_in_those_that_are_left(reasons):
    notes = Notes()
    notes.add("marked: all", 2)
    notes.add("marked: one", 1)
    jobs = pd.DataFrame({"job_id": ["1", "2"], "submit_s": [NAN, 1.0]})
    found = as_log(jobs, notes, name="n", source="s", table="t")
    assert (reasons(found)["marked: all"], reasons(found)["marked: one"]) == (1, 1)


def test_a_table_without_rows_is_refused_as_such():
    with pytest.raises(LogError, match="it has no rows"):
        log(submit_s=[])


def test_what_was_cancelled_before_it_was_due_is_dropped(reasons):
    found = log(
        submit_s=[9.0, 9.0, 1.0],
        created_s=[0.0, 0.0, 0.0],
        start_s=[NAN, 9.0, NAN],
        end_s=[5.0, 10.0, 5.0],
        outcome=["cancelled", "completed", "cancelled"],
    )
    assert list(found.jobs["job_id"]) == [2, 1]
    assert reasons(found)["dropped: cancelled before it was due"] == 1


def test_where_the_tables_know_of_no_instant_all_is_kept():
    found = log(submit_s=[9.0], created_s=[NAN], open=[True])
    assert len(found) == 1
