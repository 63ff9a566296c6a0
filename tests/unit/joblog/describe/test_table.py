"""A description in the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from jobsim.joblog import read_log
from jobsim.joblog.describe import describe, describe_table

LOAD = "mmc:arrival=3.6,service=1,servers=4,jobs=2000"


def lines(width: int, encoding: str = "utf-8") -> list[str]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, width=width)
    ascii_only = console.options.ascii_only
    console.print(describe_table(describe(read_log(LOAD)), ascii_only=ascii_only))
    file.seek(0)
    return file.read().splitlines()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_it_fits_the_terminal_and_bars_are_never_broken(width):
    shown = lines(width)
    assert max(map(len, shown)) <= width
    (bars,) = (line for line in shown if "over the span" in line)
    assert sum(bar in "▁▂▃▄▅▆▇█" for bar in bars) == (48 if width > 70 else 42) or width == 60


def test_every_section_has_its_title():
    shown = "\n".join(lines(100))
    for title in ("THE LOG", "ARRIVALS", "RUN TIMES", "WAITS AND LOAD", "CAN IT ANSWER"):
        assert title in shown


def test_a_terminal_that_knows_only_ascii_gets_ascii():
    shown = "\n".join(lines(100, encoding="ascii"))
    assert shown.isascii()
    assert "+-" in shown
