"""Commands that are recorded, as a crontab would have it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

JOBSIM = str(Path(sys.executable).with_name("jobsim"))
BOUND_S = 30

Recorded = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cron.csv"


@pytest.fixture
def recorded(file: Path) -> Iterator[Recorded]:
    """Start ``jobsim record run --append FILE -- ...``; what still runs is killed."""
    started = []

    def start(*command: str, options: tuple[str, ...] = (), **more: Any) -> subprocess.Popen[str]:
        words = [JOBSIM, "record", "run", "--append", str(file), *options, "--", *command]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        one = subprocess.Popen(words, text=True, **{**pipes, **more})
        started.append(one)
        return one

    yield start
    for one in started:
        one.kill()
        one.communicate(timeout=BOUND_S)


def rows(file: Path) -> list[dict[str, str]]:
    """The lines of the file, by the names in its header."""
    _, header, *lines = file.read_text().splitlines()
    return [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
