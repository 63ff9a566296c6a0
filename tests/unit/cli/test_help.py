"""Every help can be read in eighty columns, and leaves nothing unsaid."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click
import pytest
import typer

from jobsim.cli import app
from tests.unit.cli.conftest import Jobsim


def tree(command: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each command below this one, with the words that call it."""
    yield names, command
    for name, below in getattr(command, "commands", {}).items():
        yield from tree(below, *names, name)


COMMANDS = dict(tree(typer.main.get_command(app)))
each_command = pytest.mark.parametrize("names", COMMANDS, ids=lambda names: " ".join(names) or "-")


@each_command
def test_no_line_of_help_is_too_long_or_cut_off(
    jobsim: Jobsim, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    monkeypatch.setitem(os.environ, "COLUMNS", "80")
    lines = click.unstyle(jobsim(*names, "--help").stdout).splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 80
    if hasattr(COMMANDS[names], "commands"):
        assert not any(line.endswith("...") for line in lines if line.startswith("  "))


@each_command
def test_every_command_and_every_option_says_what_it_is(names: tuple[str, ...]) -> None:
    assert COMMANDS[names].help
    for parameter in COMMANDS[names].params:
        assert parameter.help, parameter.name


@pytest.mark.parametrize("playing", ["simulate", "live", "compare"])
def test_a_playing_command_takes_all_that_describe_takes_of_reading(playing: str) -> None:
    def reading(*names: str) -> list[str]:
        heading = "How the log is read"
        return [p.opts[0] for p in COMMANDS[names].params if p.rich_help_panel == heading]

    assert reading(playing) == reading("log", "describe")
    assert len(reading(playing)) > 10
