"""Numbers with points, commas and grouped digits: read where the column says which is which."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.joblog.numerals import numbers

NAN = float("nan")


def read(*texts):
    return numbers(pd.Series(list(texts), dtype="str")).tolist()


def test_plain_numbers_are_taken_as_they_are():
    assert read("12", " -1.5 ", "+3", "1e3", ".5") == [12, -1.5, 3, 1000, 0.5]


@pytest.mark.parametrize("text", ["", "x", "inf", "1e999", "1_000", "1,23,456", "1,2,3", "12 5"])
def test_what_is_no_number_is_nan(text):
    assert np.isnan(read(text)).all()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12,5", 12.5),
        ("0,125", 0.125),
        (",5", 0.5),
        ("1234,567", 1234.567),
        ("1.234,5", 1234.5),
        ("1.234.567", 1_234_567),
        ("1,234.5", 1234.5),
        ("-1,234,567", -1_234_567),
    ],
)
def test_a_comma_is_read_where_the_cell_says_what_it_is(text, number):
    assert read(text) == [number]


def test_a_comma_that_may_be_either_is_not_guessed():
    assert np.isnan(read("1,234", "7")[0])


def test_another_cell_of_the_column_says_that_commas_are_decimal():
    assert read("1,234", "12,5", "1.234") == [1.234, 12.5, 1234]


def test_another_cell_of_the_column_says_that_commas_group_digits():
    assert read("1,234", "12.5", "1.234") == [1234, 12.5, 1.234]


def test_a_column_that_writes_both_leaves_open_what_may_be_either():
    assert read("1,234", "12,5", "12.5", "1.234") == pytest.approx(
        [NAN, 12.5, 12.5, NAN], nan_ok=True
    )


@settings(max_examples=30)
@given(st.lists(st.floats(-1e12, 1e12).map(lambda x: round(x, 2)), min_size=1, max_size=9))
def test_a_column_of_grouped_digits_reads_as_written_in_both_customs(column):
    # The first cell shows what a comma is.
    english = [f"{number:,.2f}" for number in column]
    german = [text.translate(str.maketrans(",.", ".,")) for text in english]
    assert read(*english) == read(*german) == column
