"""Which command lines take the short way."""

from __future__ import annotations

import pytest

from jobsim.record import wrap
from jobsim.record.shortcut import shortcut


@pytest.fixture
def wrapped(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(wrap, "wrap", lambda *given: calls.append(given) or 7)
    return calls


def test_a_line_of_a_crontab_is_taken_word_by_word(wrapped: list[tuple[object, ...]]) -> None:
    line = ["record", "run", "--append", "c.csv", "--kind=x y", "--", "php", "--kind", "x.php"]
    assert shortcut(line) == 7
    assert wrapped == [(["php", "--kind", "x.php"], "c.csv", "x y", None)]


def test_the_command_may_follow_without_dashes(wrapped: list[tuple[object, ...]]) -> None:
    assert shortcut(["record", "run", "--append=c.csv", "--submitted", "5", "php", "--", "a"]) == 7
    assert wrapped == [(["php", "--", "a"], "c.csv", None, "5")]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "record table",
        "record run --help",
        "record run --append c.csv",
        "record run --append c.csv --",
        "record run --append",
        "record run --apend c.csv -- php",
        "record run --file c.txt -o c.csv",
        "record run -- php",
        "--debug record run --append c.csv -- php",
    ],
)
def test_all_else_takes_the_long_way(wrapped: list[tuple[object, ...]], line: str) -> None:
    assert shortcut(line.split()) is None
    assert wrapped == []
