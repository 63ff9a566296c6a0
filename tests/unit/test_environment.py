"""environment.yml is pyproject.toml in conda's words."""

import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[2]
BEYOND_PIP = {"pip", "mysql-server"}


def wanted_by_pip() -> dict[str, str]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    texts = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    wanted = {(found := Requirement(text)).name: str(found.specifier) for text in texts}
    return {"python": project["requires-python"]} | wanted


def wanted_by_conda() -> dict[str, str]:
    environment = yaml.safe_load((PROJECT / "environment.yml").read_text())
    texts = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    return {name: limit for name, _, limit in (text.partition(" ") for text in texts)}


def test_conda_gets_the_same_packages_with_the_same_limits_as_pip():
    conda = wanted_by_conda()
    assert {name: conda[name] for name in conda.keys() - BEYOND_PIP} == wanted_by_pip()


def test_conda_gets_a_database_server_and_this_project():
    environment = yaml.safe_load((PROJECT / "environment.yml").read_text())
    assert conda_extras(environment) == BEYOND_PIP
    assert {"pip": ["-e ."]} in environment["dependencies"]


def conda_extras(environment: dict[str, list[object]]) -> set[str]:
    return BEYOND_PIP & {entry for entry in environment["dependencies"] if isinstance(entry, str)}
