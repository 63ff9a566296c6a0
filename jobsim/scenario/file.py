"""A scenario as a file."""

from __future__ import annotations

import tomllib
from math import inf
from pathlib import Path
from typing import Any

from jobsim.errors import UsageError
from jobsim.faults import make_fault
from jobsim.policies.settings import our_word
from jobsim.scenario.scenario import AS, Scenario
from jobsim.scenario.settings import FAMILIES, As
from jobsim.units import parse_duration_s
from jobsim.words import nearest

TOP = ("seed", "workers", "speedup", "until_s", "load", "fault", *FAMILIES)
LOAD_KEYS = ("log", "as", "denser", "touching")


def read_scenario(path: str | Path) -> tuple[Scenario, dict[As, str]]:
    """A scenario's file, and the logs that it names by what their rows are.

    Raises
    ------
    UsageError
        Not TOML, or it holds what a scenario does not have.
    """
    try:
        given = tomllib.loads(Path(path).read_text())
    except (FileNotFoundError, IsADirectoryError):
        raise UsageError(f"no scenario file {path}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a scenario: {error}") from None
    try:
        _known(given, TOP)
        scenario = _scenario(given)
        return scenario, _logs(_tables("load", given), scenario.what)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _scenario(given: dict[str, Any]) -> Scenario:
    families = {name: _table(name, given[name]) for name in FAMILIES if name in given}
    names = {
        family: _text(f"{family}: policy", families.get(family, {}).pop("policy", None))
        for family in ("queue", "lease", "killer")
    }
    loads = _tables("load", given)
    first = loads[0] if loads else {}
    return Scenario(
        **names,
        rows=_rows(loads, names),
        workers=_whole("workers", given.get("workers"), 1),
        seed=_whole("seed", given.get("seed", 1), 0) or 0,
        settings={name: told for name, told in families.items() if told},
        faults=tuple(map(make_fault, _tables("fault", given))),
        speedup=_factor("speedup", given.get("speedup", 1.0)),
        load=_factor("load: denser", first.get("denser", 1.0)),
        until_s=None if "until_s" not in given else parse_duration_s(given["until_s"]),
        touching=_share("load: touching", first.get("touching", 0.25)),
    )


def _rows(loads: list[dict[str, Any]], names: dict[str, Any]) -> As | None:
    """What the rows of an only log are, where its family would say something else."""
    usual = Scenario(**names).what
    what = loads[0].get("as", usual) if len(loads) == 1 else usual
    return None if what == usual else what


def _logs(loads: list[dict[str, Any]], usual: As) -> dict[As, str]:
    logs: dict[As, str] = {}
    for load in loads:
        _known(load, LOAD_KEYS)
        what = load.get("as", usual)
        if what not in AS.values():
            raise UsageError(f"load: as = {what!r}: {nearest(str(what), list(AS.values()))}")
        logs[what] = load.get("log", "media-batch")
    return logs or {usual: "media-batch"}


def _table(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{name} = {value!r}: write it as a table, [{name}]")
    return dict(value)


def _tables(name: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    tables = given.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError(f"{name}: write each as a table of its own, [[{name}]]")
    return tables


def _text(name: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise UsageError(f"{name} = {value!r}: it takes a name")


def _whole(name: str, value: Any, least: int) -> int | None:
    if value is None or (type(value) is int and value >= least):
        return value
    raise UsageError(f"{name} = {value!r}: it takes a whole number from {least}")


def _factor(name: str, value: Any) -> float:
    if isinstance(value, (int, float)) and 0 < value < inf:
        return float(value)
    raise UsageError(f"{name} = {value!r}: it takes a factor above 0")


def _share(name: str, value: Any) -> float:
    if isinstance(value, (int, float)) and 0 <= value <= 1:
        return float(value)
    raise UsageError(f"{name} = {value!r}: it takes a share from 0 to 1")


def _known(given: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            raise UsageError(f"unknown key {key!r}; {our_word(key, known)}")
