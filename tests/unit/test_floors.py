"""The house has six floors, and each imports only from its own and those below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "jobsim"

FLOOR = {
    "jobsim": 6,
    "errors": 0,
    "units": 0,
    "memory": 0,
    "words": 0,
    "effects": 1,
    "joblog": 1,
    "events": 1,
    "policies": 2,
    "faults": 2,
    "outcomes": 2,
    "roles": 3,
    "run": 3,
    "scenario": 3,
    "result": 3,
    "horizon": 3,
    "conditions": 3,
    "sim": 4,
    "live": 4,
    "plots": 4,
    "experiment": 5,
    "comparison": 5,
    "explain": 5,
    "record": 5,
    "doctor": 5,
    "report": 5,
    "cli": 6,
    "__main__": 6,
}


def modules() -> list[Path]:
    return sorted(HOUSE.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it, with its full name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the floor"
            yield from (
                f"{node.module}.{alias.name}" if node.module == "jobsim" else str(node.module)
                for alias in node.names
            )


def room(path: Path) -> str:
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return "jobsim" if parts == ("__init__",) else parts[0]


def rooms_entered(path: Path) -> set[str]:
    return {name.split(".")[1] for name in imported(path) if name.startswith("jobsim.")}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_from_its_own_floor_and_those_below(path: Path) -> None:
    here = FLOOR[room(path)]
    above = {name for name in rooms_entered(path) if FLOOR[name] > here}
    assert not above, f"floor {here} reaches up to {above}"


@pytest.mark.parametrize(("one", "other"), [("sim", "live"), ("live", "sim")])
def test_the_two_drivers_never_import_each_other(one: str, other: str) -> None:
    for path in (HOUSE / one).rglob("*.py"):
        assert other not in rooms_entered(path), path


@pytest.mark.parametrize("pure", ["effects", "policies", "roles"])
def test_policies_and_roles_know_neither_simpy_nor_sqlalchemy(pure: str) -> None:
    forbidden = {"simpy", "sqlalchemy", "pymysql", "time", "random", "datetime", "os", "socket"}
    for path in (HOUSE / pure).rglob("*.py"):
        assert not forbidden & {name.split(".")[0] for name in imported(path)}, path


def test_only_the_simulated_driver_knows_simpy() -> None:
    for path in modules():
        if "simpy" in {name.split(".")[0] for name in imported(path)}:
            assert path.is_relative_to(HOUSE / "sim" / "driver"), path


def test_the_modelled_database_has_no_clock_and_draws_nothing() -> None:
    for path in (HOUSE / "sim" / "database").rglob("*.py"):
        assert not {"simpy", "time", "random", "numpy"} & {
            name.split(".")[0] for name in imported(path)
        }, path
