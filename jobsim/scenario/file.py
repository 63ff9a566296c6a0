"""A scenario as a file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from jobsim.errors import UsageError
from jobsim.faults import make_fault, parse_fault
from jobsim.policies.settings import nearest
from jobsim.scenario.scenario import AS, Scenario
from jobsim.scenario.settings import FAMILIES, As
from jobsim.units import parse_duration_s

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
        return scenario, _logs(given.get("load", []), scenario.what)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _scenario(given: dict[str, Any]) -> Scenario:
    families = {name: dict(given[name]) for name in FAMILIES if name in given}
    names = {
        family: families.get(family, {}).pop("policy", None)
        for family in ("queue", "lease", "killer")
    }
    first = (given.get("load") or [{}])[0]
    return Scenario(
        **names,
        workers=given.get("workers"),
        seed=given.get("seed", 1),
        settings=families,
        faults=tuple(
            make_fault(one) if isinstance(one, dict) else parse_fault(one)
            for one in given.get("fault", [])
        ),
        speedup=float(given.get("speedup", 1.0)),
        load=float(first.get("denser", 1.0)),
        until_s=None if "until_s" not in given else parse_duration_s(given["until_s"]),
        touching=float(first.get("touching", 0.25)),
    )


def _logs(loads: list[dict[str, Any]], usual: As) -> dict[As, str]:
    logs: dict[As, str] = {}
    for load in loads:
        _known(load, LOAD_KEYS)
        what = load.get("as", usual)
        if what not in AS.values():
            raise UsageError(f"load: as = {what!r}: {nearest(str(what), list(AS.values()))}")
        logs[what] = load.get("log", "media-batch")
    return logs or {usual: "media-batch"}


def _known(given: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            raise UsageError(f"unknown key {key!r}; {nearest(key, list(known))}")
