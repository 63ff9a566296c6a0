import pandas as pd

from jobsim.joblog.queues.transitions import END, START, SUBMIT, by_job


def summed(*events):
    job, t_s, sort = (pd.Series(list(each)) for each in zip(*events, strict=True))
    return by_job(job, t_s.astype("float64"), sort, pd.Series(range(len(events)), dtype="float64"))


def test_attempts_are_summed_up_to_their_job():
    told = summed(
        ("a", 0, SUBMIT), ("b", 1, SUBMIT), ("a", 2, START), ("a", 3, END), ("a", 4, START),
        ("a", 9, END), ("b", 9, "other"),
    )  # fmt: skip
    assert dict(told.loc["a"]) == {
        "submit_s": 0, "start_s": 2, "last_start_s": 4, "end_s": 9, "end_place": 5, "attempts": 2,
    }  # fmt: skip
    assert told.loc["b", "attempts"] == 0


def test_an_end_before_the_last_start_is_not_that_attempts_end():
    told = summed(("a", 0, START), ("a", 1, END), ("a", 2, START))
    assert told["end_s"].isna().all()


def test_the_order_decides_within_one_second():
    told = summed(("a", 5, SUBMIT), ("a", 5, START), ("a", 5, END))
    assert told.loc["a", "end_s"] == 5


def test_an_end_without_a_start_is_an_end():
    assert summed(("a", 0, SUBMIT), ("a", 4, END)).loc["a", "end_s"] == 4


def test_events_of_no_job_or_no_time_are_passed_over():
    told = summed((None, 0, SUBMIT), ("a", float("nan"), START), ("a", 1, SUBMIT))
    assert list(told.index) == ["a"]
    assert told["start_s"].isna().all()
