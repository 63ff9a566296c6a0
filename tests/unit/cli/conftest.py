"""Running the command line, with its output and exit status."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jobsim.cli import app
from jobsim.cli.guard import guarded

JOBSIM = str(Path(sys.executable).with_name("jobsim"))
SMALL = "mmc:arrival=30,service=10,servers=4,jobs=60"


class Done(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


Jobsim = Callable[..., Done]


def unclocked(printed: str) -> list[dict[str, object]]:
    """The runs of a document without how long they took to compute."""
    runs: list[dict[str, Any]] = json.loads(printed)["runs"]
    for run in runs:
        if "cost" in run:
            run["cost"].pop("wall_s", None)
    return runs


@pytest.fixture
def jobsim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Jobsim]:
    """The command as the console script runs it, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("JOBSIM_DATABASE_URL", raising=False)
    terminated = signal.getsignal(signal.SIGTERM)

    def run(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["jobsim", *arguments])
        return Done(guarded(app), *capsys.readouterr())

    yield run
    signal.signal(signal.SIGTERM, terminated)
    guarded.debug = False
