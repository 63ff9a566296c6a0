"""The lines of SWF as numbers: two ways of reading that must agree, and every fault named."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsim.errors import LogError
from jobsim.joblog import swf_lines

ONES = " ".join(["1"] * 18)


def read(*lines: str, ends: str = "\n") -> pd.DataFrame:
    return swf_lines.read_lines(ends.join(lines).encode(), "log.swf")


def faults_of(*lines: str) -> list[str]:
    with pytest.raises(LogError) as raised:
        read(*lines)
    return str(raised.value).splitlines()


def with_field(place: int, text: str) -> str:
    fields = ONES.split()
    fields[place - 1] = text
    return " ".join(fields)


def test_blanks_tabs_comments_and_blank_lines_do_not_matter():
    plain = read(with_field(1, "1"), with_field(1, "2"))
    other = read(
        "; a header",
        "  " + with_field(1, "1").replace(" ", " \t  "),
        " ",
        "; between",
        with_field(1, "2") + "   ; after",
        "",
        " ",
    )
    pd.testing.assert_frame_equal(plain, other)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_line_ending_is_read(ends):
    assert read(with_field(1, "1"), with_field(1, "2"), ends=ends)["job_id"].tolist() == [1, 2]


def test_decimals_are_read_as_they_are():
    assert read(with_field(4, "31.69"))["run_s"].tolist() == [31.69]


def test_fields_after_the_eighteenth_are_left():
    assert len(read(with_field(1, "1"), with_field(1, "2") + " x y z")) == 2


def test_a_short_line_is_named():
    assert faults_of(with_field(1, "1"), "; a comment", "1 2 3") == [
        "log.swf:3: 3 fields; 18 fields or more, -1 where unknown"
    ]


@pytest.mark.parametrize("text", ["x", "nan", "inf", "1_0", "0x1", "True", "--1", "1,5"])
def test_what_is_no_number_is_named_with_its_field(text):
    assert faults_of(with_field(1, "2"), with_field(4, text)) == [
        f"log.swf:2: column 4 (run_s): '{text}' is not a number; a number, -1 where unknown"
    ]


@pytest.mark.parametrize("text", ["1e16", "-1e16", "1e999"])
def test_a_number_that_nothing_can_mean_is_named(text):
    (fault,) = faults_of(with_field(4, text))
    assert f"column 4 (run_s): '{text}' is too large" in fault


def test_a_job_number_that_is_not_whole_is_named():
    assert "1.5 is not a whole number" in faults_of(with_field(1, "1.5"))[0]


def test_all_faults_are_listed_up_to_a_limit():
    lines = faults_of(ONES, *["1 2"] * 30)
    assert len(lines) == 21
    assert lines[-1] == "... and 10 more"


def test_only_comments_are_no_log():
    assert "there is no job in it" in faults_of("; UnixStartTime: 5", ";")[0]


def test_a_long_rotten_field_is_shown_short():
    (fault,) = faults_of(with_field(4, "z" * 5000))
    assert len(fault) < 200


@settings(max_examples=40)
@given(st.data())
def test_the_fast_way_and_the_careful_way_read_alike(data):
    field = st.one_of(
        st.integers(-(10**12), 10**12).map(str),
        st.floats(-1e9, 1e9).map(repr),
        st.sampled_from(["-1", "+5", ".5", "5.", "1e3", "1E-3", "-0"]),
    )
    rows = data.draw(st.lists(st.lists(field, min_size=17, max_size=22), max_size=6))
    lines = [" ".join([str(number), *row]) for number, row in enumerate(rows)]
    text = "\n".join(lines).encode()
    fast = swf_lines._read_fast(text, 18) if lines else None
    careful = swf_lines._read_carefully(text, "log.swf", named=False)
    if lines:
        assert fast is not None
        pd.testing.assert_frame_equal(fast, careful)


@settings(max_examples=40)
@given(st.lists(st.text(st.sampled_from(" 1-.;e{\t\r\nxT\x0b"), max_size=60), max_size=5))
def test_whatever_the_fast_way_takes_the_careful_way_takes_too(pieces):
    text = "\n".join(f"{number} {ONES} {piece}" for number, piece in enumerate(pieces)).encode()
    fast = swf_lines._read_fast(text, 18)
    if fast is not None:
        careful = swf_lines._read_carefully(text, "log.swf", named=False)
        np.testing.assert_array_equal(fast["job_id"], careful["job_id"])


@settings(max_examples=40)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_table_or_a_clear_error(data):
    with suppress(LogError):
        assert len(swf_lines.read_lines(data, "log.swf")) > 0
