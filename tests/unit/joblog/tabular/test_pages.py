"""Documents and pages of JSON."""

import json

import pytest

from jobsim.errors import LogError
from jobsim.joblog.tabular.pages import documents, unpacked

ONE = {"id": 1, "started_at": "2024-05-13T10:20:30Z"}
TWO = {"id": 2, "started_at": "2024-05-13T10:21:30Z"}


@pytest.mark.parametrize(
    "found",
    [
        [ONE, TWO],
        [[ONE, TWO]],
        [{"next_page_token": None, "items": [ONE, TWO]}],
        [{"builds": [ONE]}, {"builds": [TWO]}],
        [{"builds": [ONE, TWO], "commits": [{"id": 7, "branch": "main"}]}],
        [{"a": ONE, "b": TWO}],
        [{"jobs": [{"name": "a", "builds": [ONE]}, {"name": "b", "builds": [TWO]}]}],
    ],
)
def test_records_are_found_in_the_one_list_that_can_hold_them(found):
    assert list(unpacked(found)) == [ONE, TWO]


@pytest.mark.parametrize(
    "record",
    [
        ONE | {"steps": [TWO]},
        {"started": [ONE], "ended": [TWO]},
        {"tags": ["a", "b"]},
        {"items": []},
        {},
    ],
)
def test_what_has_times_of_its_own_or_no_one_list_is_a_record(record):
    assert list(unpacked([record])) == [record]


def test_lists_that_are_known_by_name_hold_records_whatever_stands_beside_them():
    assert list(unpacked([ONE | {"jobs": [TWO]}], ("jobs",))) == [TWO]


def test_documents_may_follow_one_another():
    text = json.dumps(ONE, indent=1) + "\n\n" + json.dumps(TWO)
    assert list(documents(text, "a.json")) == [ONE, TWO]


def test_a_document_that_is_cut_off_is_refused_with_its_line():
    with pytest.raises(LogError, match=r"a\.json:2: this is not JSON"):
        list(documents(json.dumps(ONE) + '\n{"id": ', "a.json"))
