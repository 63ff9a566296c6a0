"""What the playing commands say beside their results."""

from __future__ import annotations

import shlex
import sys

import pytest

from jobsim.cli.output import command_line, how_read
from jobsim.joblog import Note
from tests.unit.scenario.made import log_of


def test_what_was_read_is_said_in_one_line() -> None:
    notes = (
        Note("dropped: no time", 2000),
        Note("mended: a", 3),
        Note("mended: b", 4),
        Note("guessed: submit is the column 'made'", 2),
        Note("guessed: run is the column 'took'", 2),
        Note("moved: the clock", 2),
    )
    read = log_of([0, 1], [1, 2])
    read = type(read)(read.jobs, "a", "a.csv", notes=notes)
    assert how_read(read) == (
        "a: 2 jobs; on reading: dropped 2,000, mended 7, columns guessed 2"
        " (jobsim log describe has each reason)"
    )
    assert how_read(log_of([0, 1], [1, 2])) == "made: 2 jobs"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("mysql://me:secret@host/shop", "mysql://me:***@host/shop"),
        ("--database=mariadb+pymysql://me:se:cret@[::1]:3306/x", None),
        ("mysql://me@host:3306/shop", "mysql://me@host:3306/shop"),
        ("mmc:arrival=1,service=2", "mmc:arrival=1,service=2"),
        ("mysql://me:two secret words@host", "mysql://me:***@host"),
        ("a b.csv", "a b.csv"),
    ],
)
def test_the_command_is_kept_as_it_can_be_typed_without_passwords(
    typed: str, kept: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["jobsim", "simulate", typed])
    words = shlex.split(command_line())
    assert words[:2] == ["jobsim", "simulate"]
    assert "secret" not in words[2]
    assert "cret" not in words[2]
    assert words[2] == (kept or "--database=mariadb+pymysql://me:***@[::1]:3306/x")
