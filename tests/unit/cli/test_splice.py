"""Options that are said once, and stand in the help of every command that takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from jobsim.cli.panels import Panelled
from jobsim.cli.splice import spliced


@dataclass(frozen=True)
class Colours:
    """Two options that go together."""

    red: Annotated[int, typer.Option(rich_help_panel="Colours", help="How red.")] = 1
    blue: Annotated[list[str] | None, typer.Option(rich_help_panel="Colours")] = None


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer(rich_markup_mode=None)

    @made.command(cls=Panelled)
    @spliced
    def paint(what: str, colours: Colours, twice: bool = False) -> None:
        """Paint something."""
        typer.echo(f"{what} {colours} {twice}")

    return made


def test_the_fields_of_a_bundle_are_options_and_arrive_as_the_bundle(app: typer.Typer) -> None:
    said = ["wall", "--red", "3", "--blue", "a", "--blue", "b", "--twice"]
    done = CliRunner().invoke(app, said)
    assert done.stdout == f"wall {Colours(3, ['a', 'b'])} True\n"


def test_what_is_not_said_is_at_the_bundles_default(app: typer.Typer) -> None:
    assert CliRunner().invoke(app, ["wall"]).stdout == f"wall {Colours()} False\n"


def test_the_help_is_the_functions_with_a_heading_for_each_panel(app: typer.Typer) -> None:
    lines = CliRunner().invoke(app, ["--help"]).stdout.splitlines()
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Arguments:", "Options:", "Colours:"]
    at = {words.split()[0]: number for number, words in enumerate(lines) if words.split()}
    assert at["Options:"] < at["--twice"] < at["--help"] < at["Colours:"] < at["--red"]
    assert "  Paint something." in lines


def test_a_wrong_value_is_refused_as_of_any_option(app: typer.Typer) -> None:
    done = CliRunner().invoke(app, ["wall", "--red", "much"])
    assert done.exit_code == 2
    assert "--red" in done.output
