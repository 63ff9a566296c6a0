"""Durations in every form that logs write are the seconds that they mean; what is none is told."""

from __future__ import annotations

import time
from datetime import timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.joblog.durations import FORMS, seconds


def read(*cells, dtype=None, **how):
    found, wrong = seconds(pd.Series(list(cells), dtype=dtype), **how)
    assert not (wrong & ~np.isnan(found)).any()
    return found.tolist()


def is_wrong(cell):
    found, wrong = seconds(pd.Series([cell]))
    assert np.isnan(found[0])
    return bool(wrong[0])


@pytest.mark.parametrize(
    ("text", "duration_s"),
    [
        ("90", 90),
        ("12,5", 12.5),
        ("-3", -3),
        ("02:03", 123),
        ("90:00", 5400),
        ("00:00:07.25", 7.25),
        ("838:59:59", 3_020_399),
        ("-00:00:01", -1),
        ("7-20:39:39", 679_179),
        ("1-02:03", 93_780),
        ("1-02", 93_600),
        ("1 day, 2:03:04.5", 93_784.5),
        ("-1 day, 23:59:59", -1),
        ("+001 00:00:05.5", 86_405.5),
        ("-000 00:00:05", -5),
        ("2 days 03:04:05", 183_845),
        ("-1 days -02:00:00", -93_600),
        ("1.02:03:04", 93_784),
        ("00:54:39.0656900", 3279.06569),
        ("PT1H3M4.5S", 3784.5),
        ("P1DT2H", 93_600),
        ("P2W", 1_209_600),
        ("-PT0,5S", -0.5),
        ("1h 3m 4s", 3784),
        ("1h3m", 3780),
        ("90s", 90),
        ("250ms", 0.25),
        ("3 min", 180),
        ("1 hour, 2 minutes and 3 seconds", 3723),
        ("2 days 3 hours", 183_600),
        ("15µs", 15e-6),
    ],
)
def test_a_duration_in_this_form_is_read(text, duration_s):
    assert read(text) == [pytest.approx(duration_s, rel=1e-12)]


@pytest.mark.parametrize(
    "cell",
    ["", "  ", "NULL", r"\N", "None", "N/A", "nan", "Unknown", "INVALID", "UNLIMITED", None],
)
def test_an_empty_cell_is_missing_and_not_wrong(cell):
    assert not is_wrong(cell)


@pytest.mark.parametrize(
    "cell",
    [
        "soon",
        "inf",
        "1:75",
        "1:75:00",
        "1-24:00:00",
        "P",
        "PT",
        "P1M",
        "1 month",
        "5m5m",
        "4s 3m",
        "1h 5",
        "1,234",
        "2024-06-01",
        "2024-06-01T00:00:00",
        "1s" * 50,
        True,
        float("inf"),
    ],
)
def test_what_is_no_duration_is_told(cell):
    assert is_wrong(cell)


def test_only_plain_numbers_are_scaled():
    assert read(1500, 250, scale_s=1e-3) == [1.5, 0.25]
    assert read("1500", "2s", "1,5", scale_s=1e-3) == [1.5, 2, 0.0015]


def test_numbers_and_texts_and_timedeltas_may_be_mixed():
    assert read(1, 2.5, "3s", timedelta(days=1, seconds=1), dtype=object) == [1, 2.5, 3, 86_401]


def test_typed_columns_are_read():
    assert read(timedelta(seconds=1.5)) == [1.5]
    assert read(1, None, dtype="Int64") == pytest.approx([1, float("nan")], nan_ok=True)
    assert read(dtype="str") == read(dtype=object) == []


def test_the_index_of_the_cells_does_not_matter():
    assert seconds(pd.Series(["7s", "x", "8s"], index=[5, 5, 1]))[0][[0, 2]].tolist() == [7, 8]


WRITERS = {
    "seconds": lambda t: str(t.total_seconds()),
    "decimal comma": lambda t: f"{t.total_seconds():.7f}".replace(".", ","),
    "python": str,
    "pandas": lambda t: str(pd.Timedelta(t)),
    "clock": lambda t: (
        f"{t // timedelta(hours=1)}:{t.seconds // 60 % 60:02}"
        f":{t.seconds % 60:02}.{t.microseconds:06}"
    ),
    "slurm": lambda t: (
        f"{t.days}-{t.seconds // 3600:02}:{t.seconds // 60 % 60:02}"
        f":{t.seconds % 60:02}.{t.microseconds:06}"
    ),
    "iso": lambda t: (
        f"P{t.days}DT{t.seconds // 3600}H{t.seconds // 60 % 60}M"
        f"{t.seconds % 60}.{t.microseconds:06}S"
    ),
    "people": lambda t: (
        f"{t.days}d {t.seconds // 3600} h {t.seconds // 60 % 60}min"
        f" {t.seconds % 60}s {t.microseconds}us"
    ),
}


@pytest.mark.parametrize("writer", WRITERS)
@settings(max_examples=10)
@given(durations=st.lists(st.timedeltas(timedelta(0), timedelta(days=999)), min_size=5))
def test_durations_written_in_any_form_read_back(writer, durations):
    assert read(*map(WRITERS[writer], durations)) == pytest.approx(
        [duration.total_seconds() for duration in durations], rel=1e-12, abs=1e-9
    )


@settings(max_examples=20)
@given(
    st.lists(
        st.text(max_size=20)
        | st.text("0123456789:-.,dhmsPT ", max_size=20)
        | st.sampled_from(FORMS).flatmap(lambda form: st.from_regex(form, fullmatch=True)),
        min_size=5,
    )
)
def test_any_text_is_a_duration_or_empty_or_wrong(cells):
    found, wrong = seconds(pd.Series(cells, dtype="str"))
    assert len(found) == len(wrong) == len(cells)
    assert not (wrong & ~np.isnan(found)).any()
    assert not np.isinf(found).any()


def test_a_million_cells_with_many_repeats_take_less_than_a_second():
    cells = pd.Series([f"{n // 60}:{n % 60:02}" for n in range(1000)] * 1000)
    begun_s = time.process_time()
    found, _ = seconds(cells)
    assert time.process_time() - begun_s < 1
    assert found[-1] == 999


def test_hostile_text_is_refused_in_no_time():
    begun_s = time.process_time()
    for cell in ["9 days " * 11, "1 " * 40, "s" * 10**6, "1,234," * 10**5, "1" * 79 + ":"]:
        assert is_wrong(cell)
    assert time.process_time() - begun_s < 1
