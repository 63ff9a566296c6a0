"""Points in time in other writings than ISO 8601."""

import time

import pandas as pd
import pytest

from jobsim.joblog.tabular.stamps import LONGEST, fitting, rewritten


def formats(*texts):
    return fitting(pd.Series(texts, dtype="str"))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2024-05-13 10:20:30.5 +0200 CEST", "2024-05-13 10:20:30.5 +0200"),
        ("2024-05-13 10:20:30 +0000 UTC", "2024-05-13 10:20:30 +0000"),
        ("2024-05-13T10:20:30+02:00[Europe/Berlin]", "2024-05-13T10:20:30 +02:00"),
        ("Mon May 13 2024 10:20:30 GMT+0200 (Some Summer Time)", "May 13 2024 10:20:30 +0200"),
        ("Mon, 13 May 2024 10:20:30 GMT", "13 May 2024 10:20:30 +0000"),
        ("Mon May 13 10:20:30 UTC 2024", "May 13 10:20:30 2024 +0000"),
        ("Monday, May  3, 2024 @ 10:20:30.000", "May 3, 2024 10:20:30.000"),
        ("5/13/2024, 10:20:30 a.m.", "5/13/2024 10:20:30 aM"),
        ("May 13 2024 10:20PM", "May 13 2024 10:20 PM"),
        ("13.05.24 10:20:30,25", "13.05.24 10:20:30.25"),
        ("13-MAY-24 10.20.30.123456789 AM +02:00", "13-MAY-24 10.20.30.123456 AM +02:00"),
        ("2024-05-13 10:20:30 CEST", "2024-05-13 10:20:30 CEST"),
    ],
)
def test_zones_are_written_as_offsets_and_weekdays_left_out(text, same):
    assert rewritten(pd.Series([text, None], dtype="str")).tolist()[0] == same


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("13-MAY-24 10.20.30.000000 AM", "%d-%b-%y %I.%M.%S.%f %p"),
        ("2024-05-13-10.20.30.123456", "%Y-%m-%d-%H.%M.%S.%f"),
        ("2024-05-13 01:20 PM", "%Y-%m-%d %I:%M %p"),
        ("2024年5月13日 10:20:30", "%Y年%m月%d日 %H:%M:%S"),
        ("13-05-2024 10:20:30 +02:00", "%d-%m-%Y %H:%M:%S %z"),
        ("13.05.2024", "%d.%m.%Y"),
        ("May 13 10:20:30 2024", "%b %d %H:%M:%S %Y"),
    ],
)
def test_the_format_of_a_text_is_found(text, form):
    assert form in formats(text)


def test_a_format_must_fit_every_text():
    assert formats("13.05.2024 10:20", "soon") == []
    assert formats("03/04/2024 10:20", "05/13/2024 10:20") == ["%m/%d/%Y %H:%M"]
    assert formats() == []


@pytest.mark.parametrize("text", ["(" * 50_000, " " * 50_000, "1:" * 50_000, "a" * (LONGEST + 1)])
def test_what_is_too_long_is_no_time_and_takes_none(text):
    begun = time.monotonic()
    assert formats(*rewritten(pd.Series([text], dtype="str"))) == []
    assert time.monotonic() - begun < 5
