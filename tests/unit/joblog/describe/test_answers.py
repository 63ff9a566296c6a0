"""What can be asked of a log, and which log is refused."""

from __future__ import annotations

import numpy as np
import pytest

from jobsim.errors import LogError
from jobsim.joblog.describe import check_answers, describe
from jobsim.joblog.table import JobLog

DAY_S = 86400.0


def log(**columns: object) -> JobLog:
    rows = len(columns["submit_s"])
    return JobLog.of({"run_s": [np.nan] * rows} | columns, name="made", source="made.csv")


def asked(made: JobLog, word: str) -> tuple[bool, str]:
    (found,) = (each for each in describe(made).answers if word in each.question)
    return found.answered, found.how


def test_run_times_answer_all_of_a_replay():
    answered, how = asked(log(submit_s=[0, 5], run_s=[1, 2]), "lock contention")
    assert answered
    assert "jobsim compare" in how


def test_arrivals_alone_answer_for_a_run_time_that_the_user_states():
    arrivals = log(submit_s=[0, 5, 9])
    assert asked(arrivals, "one run time of all") == (True, "--assume-run 30s")
    answered, how = asked(arrivals, "lock contention")
    assert not answered
    assert "jobsim record" in how
    check_answers(arrivals)


def test_waits_time_outs_and_retries_are_answered_where_the_columns_are():
    made = log(
        submit_s=[0, 5],
        start_s=[0, 7],
        run_s=[1, 2],
        kind=["zip", "png"],
        outcome=["failed", "completed"],
    )
    for word in ("near to what happened", "time-out", "retries"):
        assert asked(made, word)[0]


@pytest.mark.parametrize(
    ("columns", "word", "missing"),
    [
        ({}, "near to what happened", "waits are not logged"),
        ({"start_s": [0, 5]}, "near to what happened", "waits are not logged"),
        ({}, "time-out", "kinds are not logged"),
        ({"kind": ["zip", "zip"]}, "time-out", "one kind"),
        ({"kind": ["zip", "png"], "run_s": [None, None]}, "time-out", "run times are not logged"),
        ({}, "retries", "outcomes are not logged"),
        ({"outcome": ["completed"] * 2}, "retries", "no failure is logged"),
    ],
)
def test_what_is_missing_for_an_answer_is_said(columns, word, missing):
    answered, how = asked(log(**({"submit_s": [0, 5], "run_s": [1, 2]} | columns)), word)
    assert not answered
    assert missing in how


@pytest.mark.parametrize(
    ("submit_s", "why"),
    [
        ([0, 0], "one single time for all submissions"),
        ([0, 86400], "dates without a time for all submissions"),
    ],
)
def test_jobs_of_one_instant_answer_how_long_they_take_together(submit_s, why):
    made = log(submit_s=submit_s, run_s=[1, 2])
    assert asked(made, "together")[0]
    assert asked(made, "waits and backlog") == (False, why)
    check_answers(made)


@pytest.mark.parametrize(
    ("submit_s", "reason"),
    [([4, 4, 4], "one single time"), ([0, 0, DAY_S, 3 * DAY_S], "dates without a time")],
)
def test_a_log_without_run_times_and_times_of_arrival_is_refused(submit_s, reason):
    useless = log(submit_s=submit_s)
    with pytest.raises(LogError, match=reason) as refused:
        check_answers(useless)
    assert "made.csv" in str(refused.value)
    assert "jobsim record run --append jobs.csv -- COMMAND" in str(refused.value)
    assert "jobsim record table --database URL --table T --every 2s" in str(refused.value)
    assert not any(each.answered for each in describe(useless).answers)


def test_an_empty_log_is_refused():
    with pytest.raises(LogError, match="no job"):
        check_answers(log(submit_s=[]))


def test_dates_with_run_times_are_not_refused():
    check_answers(log(submit_s=[0, DAY_S], run_s=[60, 61.5]))
