"""A log as it is asked for, before it is read."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from jobsim.errors import UsageError
from jobsim.joblog import LogSpec, Reading
from jobsim.joblog.reading import OPTION_OF
from jobsim.joblog.spec import WORDS, beside

ALL: dict[str, Any] = {
    "format": "table",
    "map": {"submit": "made", "run": "took"},
    "unit": {"run": "ms"},
    "status": {"ok": "completed"},
    "zone": "Europe/Berlin",
    "table": "jobs",
    "query": "select 1",
    "assume_run": 30.0,
    "from": datetime(2026, 1, 1),
    "for": 86400.0,
    "window": "1s..9s",
    "jobs": 3,
}
"""Something that may be said by each name."""


def test_there_is_a_name_for_each_option_of_reading() -> None:
    assert {*ALL, "mapping"} == {*WORDS}
    assert len(WORDS) == len(OPTION_OF) + 4


def test_what_is_said_makes_the_same_spec_again() -> None:
    spec = LogSpec.of("a.csv", ALL)
    assert spec.said() == ALL
    assert LogSpec.of("a.csv", spec.said()) == spec


@pytest.mark.parametrize(
    ("name", "as_texts"),
    [
        ("map", ["submit=made", "run=took"]),
        ("map", "submit=made,run=took"),
        ("assume_run", "30s"),
        ("from", date(2026, 1, 1)),
        ("from", "2026-01-01"),
        ("for", "1d"),
    ],
)
def test_texts_of_the_command_line_and_values_of_a_file_say_the_same(
    name: str, as_texts: Any
) -> None:
    assert LogSpec.of("a", {name: as_texts}) == LogSpec.of("a", {name: ALL[name]})


def test_what_is_not_said_is_plain() -> None:
    assert LogSpec.of("a", {"map": None, "zone": None, "jobs": None}) == LogSpec("a")


def test_what_is_said_holds_over_the_mapping_file(tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text('zone = "UTC"\n[columns]\nsubmit = "made"\nrun = "took"\n')
    spec = LogSpec.of("a", {"mapping": str(file), "map": ["run=lasted"]})
    assert spec.reading == Reading(columns={"submit": "made", "run": "lasted"}, zone="UTC")


def test_the_window_is_taken_and_of_that_the_first_jobs(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("submit_s,run_s\n" + "".join(f"{n},{n}\n" for n in range(9)))
    read = LogSpec(str(tmp_path / "a.csv"), window="2s..", jobs=3).read()
    assert read.jobs["run_s"].tolist() == [2, 3, 4]
    assert LogSpec(str(tmp_path / "a.csv"), window="..2s").read().jobs["run_s"].tolist() == [0, 1]


def test_a_file_is_named_in_full_and_what_is_none_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").touch()
    for name in ("media-batch", "mmc:arrival=1,service=1", "x" * 5000, "sqlite:///a.db"):
        assert beside(tmp_path, name) == name
    assert beside(tmp_path, "a.csv") == str(tmp_path / "a.csv")
    monkeypatch.chdir(tmp_path)
    assert LogSpec("a.csv", jobs=3).in_full() == LogSpec(str(tmp_path / "a.csv"), jobs=3)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"zon": None}, "unknown key 'zon'; did you mean zone"),
        ({"map": {"submit": 1}}, "--map holds names of columns and words; texts in quotes"),
        ({"map": 5}, "--map 5: a text in quotes"),
        ({"map": "submit"}, "--map submit: pairs as a=b"),
        ({"zone": 1}, "--zone 1: a text in quotes"),
        ({"zone": "Europe/Berln"}, "no such time zone"),
        ({"assume_run": "soon"}, "not a duration"),
        ({"from": "tomorrow"}, "--from tomorrow: a date or time"),
        ({"from": 2026}, "--from 2026: a text in quotes"),
        ({"jobs": "many"}, "--jobs 'many': a whole number"),
        ({"jobs": True}, "--jobs True: a whole number"),
        ({"mapping": "none.toml"}, "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_said_is_answered_with_what_can(said: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        LogSpec.of("a", said)


@pytest.mark.parametrize("window", ["2h", "2..x", ""])
def test_a_window_that_is_none_is_refused(window: str) -> None:
    spec = LogSpec("mmc:arrival=1,service=1,jobs=5", window=window)
    with pytest.raises(UsageError, match=r"write FROM..TO|is not a duration"):
        spec.read()
