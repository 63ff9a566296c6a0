from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import strategies as st

from jobsim.joblog.notes import Note
from jobsim.joblog.schema import OUTCOMES
from jobsim.joblog.table import JobLog

FIELDS = ["job", "submit", "wait", "run", "procs", "cpu", "used", "ask_p", "ask_s", "ask_kb"]
FIELDS += ["status", "user", "group", "app", "queue", "part", "before", "think"]


def _swf_line(**fields: object) -> str:
    """An SWF line of -1s but for these fields, named as in FIELDS."""
    values = {"submit": 0, "run": 1, "procs": 1, "status": 1} | fields
    return " ".join(str(values.get(name, -1)) for name in FIELDS)


@pytest.fixture(scope="session")
def swf_line() -> Callable[..., str]:
    return _swf_line


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file of these lines (or bytes), packed if its name ends in .gz."""

    def write(name: str, *lines: str | bytes) -> Path:
        data = b"".join(
            line if isinstance(line, bytes) else line.encode() + b"\n" for line in lines
        )
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


@pytest.fixture(scope="session")
def logs() -> st.SearchStrategy[JobLog]:
    """Any logs that fit the schema, in what travels with them too."""
    time_s = st.floats(0, 1e9)
    word = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)
    number = st.none() | st.floats(0, 1e16)
    job = st.fixed_dictionaries(
        {
            "job_id": st.integers(-(2**63), 2**63 - 1).map(str) | word,
            "kind": st.none() | word,
            "submit_s": time_s,
            "wait_s": st.none() | time_s,
            "run_s": number,
            "outcome": st.sampled_from(OUTCOMES),
            "priority": st.none() | st.floats(allow_nan=False, allow_infinity=False),
            "owner": st.none() | word,
            "memory_mb": number,
            "attempts": st.none() | st.integers(0, 9),
        }
    )
    travelling = st.fixed_dictionaries(
        {
            "name": st.text(max_size=8),
            "origin": st.none() | st.datetimes(timezones=st.just(UTC)),
            "workers": st.none() | st.integers(1, 64),
            "notes": st.lists(st.builds(Note, st.text(max_size=8), st.integers(1))).map(tuple),
        }
    )
    jobs = st.lists(job, min_size=1, max_size=8, unique_by=lambda job: job["job_id"])
    return st.builds(_log, jobs, travelling)


def _log(jobs: list[dict[str, Any]], travelling: dict[str, Any]) -> JobLog:
    columns = {name: [job[name] for job in jobs] for name in jobs[0] if name != "wait_s"}
    starts = [None if j["wait_s"] is None else j["submit_s"] + j["wait_s"] for j in jobs]
    return JobLog.of(columns | {"start_s": starts}, **travelling)


@pytest.fixture(scope="session")
def assert_same() -> Callable[[JobLog, JobLog], None]:
    def same(one: JobLog, other: JobLog) -> None:
        pd.testing.assert_frame_equal(one.jobs, other.jobs, check_exact=True)
        for part in ("name", "origin", "workers", "notes"):
            assert getattr(one, part) == getattr(other, part)

    return same
