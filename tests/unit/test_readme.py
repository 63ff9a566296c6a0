"""The README's commands are those that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from jobsim.cli import app

README = Path(__file__).parents[2] / "README.md"


def commands() -> list[str]:
    text = README.read_text().replace("\\\n", " ")
    return re.findall(r"(?m)^    (jobsim .*?)(?:\s+#.*)?$", text)


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_readme_exists_with_its_options(line: str) -> None:
    words = shlex.split(line)[1:]
    command = typer.main.get_command(app)
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    own = words[: words.index("--")] if "--" in words else words
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in own if word.startswith("-")} <= known


def test_the_readme_shows_commands() -> None:
    assert len(commands()) > 15
