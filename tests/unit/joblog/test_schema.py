"""The tidy table: its types, whatever it is made of."""

from __future__ import annotations

import pandas as pd
import pytest

from jobsim.joblog.schema import COLUMNS, OUTCOMES, schema, tidy, trimmed


def test_absent_columns_are_missing_and_of_their_type():
    jobs = tidy({"submit_s": [0, 1]}, 2)
    assert jobs.columns.tolist() == [column.name for column in COLUMNS]
    assert jobs["outcome"].tolist() == ["unknown", "unknown"]
    assert jobs["job_id"].tolist() == [0, 1]
    assert jobs.drop(columns=["submit_s", "outcome", "job_id"]).isna().all(axis=None)
    schema().validate(jobs, lazy=True)


def test_every_column_is_described():
    assert all(column.description for column in schema().columns.values())


@pytest.mark.parametrize("ids", [["1", "2"], [1, 2], pd.array([1, 2], "Int64")])
def test_whole_numbers_are_whole_numbers_however_they_come(ids):
    assert tidy({"job_id": ids}, 2)["job_id"].dtype == "int64"


@pytest.mark.parametrize("ids", [["1", "007"], ["+1", "2"], ["1", "a"], ["1", "9" * 19]])
def test_ids_that_are_not_plain_numbers_stay_text(ids):
    assert tidy({"job_id": ids}, 2)["job_id"].tolist() == ids


def test_equal_kinds_have_equal_categories_in_whatever_order_they_come():
    one, other = tidy({"kind": ["b", "a"]}, 2), tidy({"kind": pd.Categorical(["b", "a"])}, 2)
    assert one["kind"].cat.categories.tolist() == ["a", "b"]
    assert one["kind"].dtype == other["kind"].dtype


def test_outcomes_have_all_their_categories():
    assert tidy({"outcome": ["failed"]}, 1)["outcome"].cat.categories.tolist() == list(OUTCOMES)


def test_a_wrong_column_is_named():
    with pytest.raises(ValueError, match="column memory_mb"):
        tidy({"memory_mb": ["lots"]}, 1)


def test_a_trimmed_table_is_numbered_anew():
    jobs = trimmed(tidy({"kind": ["a", "b", "c"]}, 3).iloc[1:])
    assert jobs.index.tolist() == [0, 1]
    assert jobs["kind"].cat.categories.tolist() == ["b", "c"]
