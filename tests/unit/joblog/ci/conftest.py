from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobsim.joblog.reading import Reading
from jobsim.joblog.table import JobLog


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., JobLog]:
    """Reads a document (text as it stands, all else as JSON) with a service's module."""

    def read_document(service: Any, document: Any, **said: Any) -> JobLog:
        text = document if isinstance(document, str) else json.dumps(document)
        path = tmp_path / "runs.json"
        path.write_text(text, encoding="utf-8")
        assert service.looks_like(text.encode())
        log: JobLog = service.read(path, Reading(**said))
        return log

    return read_document


@pytest.fixture(scope="session")
def noted() -> Callable[[JobLog, str], int]:
    """How many jobs the note with these words counts; 0 where there is none."""

    def count(log: JobLog, words: str) -> int:
        return sum(note.count for note in log.notes if words in note.reason)

    return count
