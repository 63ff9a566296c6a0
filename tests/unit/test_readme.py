"""The commands that people read of are those that there are."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import jobsim
from jobsim.cli import app
from jobsim.scenario import read_scenario

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TEXTS = {path: path.read_text() for path in (README, ROOT / "data" / "README.md")} | {
    path: "\n".join(
        "".join(cell["source"])
        for cell in json.loads(path.read_text())["cells"]
        if cell["cell_type"] == "markdown"
    )
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
}


def whole() -> Iterator[str]:
    """The lines that can be typed as they are."""
    for text in TEXTS.values():
        yield from re.findall(r"(?m)^    (jobsim .*?)(?:\s+#.*)?$", text.replace("\\\n", " "))


def mentioned() -> Iterator[str]:
    """The commands within sentences, mostly without what they need."""
    for text in TEXTS.values():
        yield from (" ".join(words.split()) for words in re.findall(r"`(jobsim\s[^`]+)`", text))


def found(line: str) -> tuple[Any, list[str]]:
    """The command of a line, and what stands after its name."""
    words = shlex.split(line)[1:]
    command: Any = typer.main.get_command(app)
    while words and hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    return command, words


@pytest.mark.parametrize("line", dict.fromkeys(whole()))
def test_a_line_to_type_is_understood(line: str) -> None:
    command, words = found(line)
    command.make_context("jobsim", words)


@pytest.mark.parametrize("line", dict.fromkeys(mentioned()))
def test_a_command_that_is_mentioned_exists_with_its_options(line: str) -> None:
    command, words = found(line)
    own = words[: words.index("--")] if "--" in words else words
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in own if word.startswith("-")} <= known


def test_commands_are_found_in_every_text() -> None:
    assert len(list(whole())) > 20
    assert len(list(mentioned())) > 10


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_functions_that_are_named_are_public(path: Path) -> None:
    assert {*re.findall(r"\bjobsim\.(\w+)\(", TEXTS[path])} <= {*jobsim.__all__}


def test_the_scenario_of_the_readme_is_one(tmp_path: Path) -> None:
    (scenario,) = re.findall(r"(?s)```toml\n(.*?)```", README.read_text())
    (tmp_path / "scenario.toml").write_text(scenario)
    trial = read_scenario(tmp_path / "scenario.toml")
    assert [one.name for one in trial.scenarios] == ["taken-flag", "skip-locked"]
    assert trial.logs["jobs"].window == "2h..5h"
