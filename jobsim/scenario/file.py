"""A scenario as a file."""

from __future__ import annotations

import tomllib
from math import inf
from pathlib import Path
from typing import Any

from jobsim.errors import UsageError
from jobsim.faults import make_fault
from jobsim.joblog import LogSpec
from jobsim.joblog.spec import WORDS, beside
from jobsim.policies.settings import our_word
from jobsim.scenario.scenario import AS, Scenario
from jobsim.scenario.settings import FAMILIES, As
from jobsim.scenario.trial import Names, Trial, combined
from jobsim.units import parse_duration_s
from jobsim.words import nearest

TOP = (
    *("seed", "workers", "speedup", "until_s", "replications", "costs", "load", "fault"),
    *FAMILIES,
)
LOAD_KEYS = ("log", "as", "denser", "touching", *WORDS)
SAMPLE = "media-batch"
"""The log where none is named."""


def read_scenario(path: str | Path) -> Trial:
    """What a scenario's file says; the files that it names are looked for beside it first.

    Raises
    ------
    UsageError
        Not TOML, or it holds what a scenario does not have.
    """
    try:
        given = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"no scenario file {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a scenario: {error}") from None
    try:
        _known(given, TOP)
        return _trial(given, Path(path).parent)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _trial(given: dict[str, Any], folder: Path) -> Trial:
    families = {name: _table(name, given[name]) for name in FAMILIES if name in given}
    policies = {
        family: _names(f"{family}: policy", families.get(family, {}).pop("policy", []))
        for family in AS
    }
    loads = _tables("load", given)
    scenarios = [_scenario(given, families, loads, names) for names in combined(policies)]
    return Trial(
        tuple(scenarios),
        _logs(loads, scenarios[0].what, folder),
        _whole("replications", given.get("replications", 1), 1) or 1,
        beside(folder, _text("costs", given.get("costs", "default"))),
    )


def _scenario(
    given: dict[str, Any],
    families: dict[str, dict[str, Any]],
    loads: list[dict[str, Any]],
    names: Names,
) -> Scenario:
    return Scenario(
        **names,
        rows=_rows(loads, names),
        workers=_whole("workers", given.get("workers"), 1),
        seed=_whole("seed", given.get("seed", 1), 0) or 0,
        settings={name: told for name, told in families.items() if told},
        faults=tuple(map(make_fault, _tables("fault", given))),
        speedup=_factor("speedup", given.get("speedup", 1.0)),
        load=_factor("load: denser", _of_all(loads, "denser", 1.0)),
        until_s=None if "until_s" not in given else parse_duration_s(given["until_s"]),
        touching=_share("load: touching", _of_all(loads, "touching", 0.25)),
    )


def _of_all(loads: list[dict[str, Any]], name: str, usual: float) -> Any:
    """What the loads say of something that is the same for all of them."""
    said = [load[name] for load in loads if name in load] or [usual]
    if any(value != said[0] for value in said):
        raise UsageError(f"load: {name} = {said}: one value, which holds for every load")
    return said[0]


def _rows(loads: list[dict[str, Any]], names: Names) -> As | None:
    """What the rows of an only log are, where its family would say something else."""
    usual = Scenario(**names).what  # type: ignore[arg-type]  # they are the names of policies
    what = loads[0].get("as", usual) if len(loads) == 1 else usual
    return None if what == usual else what


def _logs(loads: list[dict[str, Any]], usual: As, folder: Path) -> dict[As, LogSpec]:
    logs: dict[As, LogSpec] = {}
    for load in loads:
        _known(load, LOAD_KEYS)
        what = load.get("as", usual)
        if what not in AS.values():
            raise UsageError(f"load: as = {what!r}: {nearest(str(what), list(AS.values()))}")
        if what in logs:
            raise UsageError(f"load: as = {what!r} comes twice; one log a sort of row")
        logs[what] = _log(load, folder)
    return logs or {usual: LogSpec(SAMPLE)}


def _log(load: dict[str, Any], folder: Path) -> LogSpec:
    said = {name: load[name] for name in WORDS if name in load}
    if "mapping" in said:
        said["mapping"] = beside(folder, _text("load: mapping", said["mapping"]))
    return LogSpec.of(beside(folder, _text("load: log", load.get("log", SAMPLE))), said)


def _table(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{name} = {value!r}: write it as a table, [{name}]")
    return dict(value)


def _tables(name: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    tables = given.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError(f"{name}: write each as a table of its own, [[{name}]]")
    return tables


def _names(name: str, value: Any) -> list[str]:
    return [_text(name, each) for each in (value if isinstance(value, list) else [value])]


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
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
