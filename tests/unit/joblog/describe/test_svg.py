"""Small pictures."""

from __future__ import annotations

import pytest
from lxml import etree

from jobsim.joblog.describe import svg


def rects(text: str) -> list[dict[str, float]]:
    found = etree.fromstring(text).iter("{*}rect")
    names = ("x", "y", "width", "height")
    return [{name: float(each.get(name)) for name in names} for each in found]


def test_columns_are_as_high_as_their_counts_and_nothing_is_not_drawn():
    drawn = rects(svg.columns("t", [1, 0, 4], [], ["a", "b", "c"]))
    assert len(drawn) == 2
    assert drawn[1]["height"] == pytest.approx(4 * drawn[0]["height"], abs=0.1)
    assert {round(each["y"] + each["height"]) for each in drawn} == {80}


@pytest.mark.parametrize("count", [1, 24, 36, 48])
def test_columns_stay_within_the_picture(count):
    for each in rects(svg.columns("t", range(1, count + 1), [], ["x"] * count, width=300)):
        assert 0 <= each["x"] <= each["x"] + each["width"] <= 300
        assert each["y"] >= svg.TOP


def test_cells_are_the_darker_the_fuller():
    text = svg.cells("t", [[1, 2], [4, 0]], ["Mo", "<Tu>"], [(0, "0 h")])
    pale = [each.get("fill-opacity") for each in etree.fromstring(text).iter("{*}rect")]
    assert pale == ["0.25", "0.50", None]
    assert "&lt;Tu&gt;" in text


def test_no_counts_are_an_empty_picture():
    assert rects(svg.columns("t", [], [], [])) == []
    assert rects(svg.cells("t", [[0.0]], ["Mo"], [])) == []
