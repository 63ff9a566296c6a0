import pandas as pd

from jobsim.joblog.queues.jsoncells import objects, said


def test_the_first_name_that_an_object_has_is_said():
    cells = pd.Series(['{"a": 1}', '{"b": "x", "a": null}', "[1]", "{", None], dtype="str")
    assert list(said(objects(cells), "a", "b").fillna("-")) == ["1", "x", "-", "-", "-"]


def test_what_is_nested_too_deep_is_nothing():
    cells = pd.Series(["[" * 100_000], dtype="str")
    assert said(objects(cells), "a").isna().all()
