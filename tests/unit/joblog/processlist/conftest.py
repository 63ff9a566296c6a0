from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from jobsim.joblog import processlist
from jobsim.joblog.reading import PLAIN, Reading
from jobsim.joblog.table import JobLog

COLUMNS = ("Id", "User", "Host", "db", "Command", "Time", "State", "Info")
Session = dict[str, Any]


def _session(
    Id: int = 1,  # noqa: N803
    Info: str | None = "SELECT * FROM orders",  # noqa: N803
    Time: object = 3,  # noqa: N803
    Command: str = "Query",  # noqa: N803
    User: str = "app",  # noqa: N803
    **more: object,
) -> Session:
    """A session as a list shows it; None is NULL."""
    known = {"Id": Id, "User": User, "Host": "web:40926", "db": "shop", "Command": Command}
    return known | {"Time": Time, "State": "", "Info": Info} | more


def _cells(session: Session, names: Iterable[str]) -> list[str]:
    return ["NULL" if session[name] is None else str(session[name]) for name in names]


def _vertical(*sessions: Session) -> str:
    lines = []
    for number, session in enumerate(sessions, 1):
        lines.append(f"{'*' * 27} {number}. row {'*' * 27}")
        values = _cells(session, session)
        lines += [f"{name:>7}: {cell}" for name, cell in zip(session, values, strict=True)]
    return "\n".join(lines)


def _table(*sessions: Session) -> str:
    names = list(sessions[0])
    border = "+" + "+".join("-" * (len(name) + 9) for name in names) + "+"
    rows = [names, *(_cells(session, names) for session in sessions)]
    head, *body = ["| " + " | ".join(cell.ljust(6) for cell in row) + " |" for row in rows]
    return "\n".join([border, head, border, *body, border])


def _batch(*sessions: Session) -> str:
    names = list(sessions[0])
    rows = [names, *(_cells(session, names) for session in sessions)]
    escaped = [[cell.replace("\\", "\\\\").replace("\n", "\\n") for cell in row] for row in rows]
    return "\n".join("\t".join(row) for row in escaped)


def _csv(*sessions: Session) -> str:
    file = io.StringIO()
    names = list(sessions[0])
    rows = [names, *(_cells(session, names) for session in sessions)]
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return file.getvalue().rstrip()


@pytest.fixture(scope="session")
def session() -> Callable[..., Session]:
    return _session


@pytest.fixture(scope="session")
def vertical() -> Callable[..., str]:
    return _vertical


@pytest.fixture(scope="session", params=[_vertical, _table, _batch])
def printed(request: pytest.FixtureRequest) -> Any:
    """Each form in which the client prints a list of sessions."""
    return request.param


@pytest.fixture(scope="session", params=[_vertical, _table, _batch, _csv])
def form(request: pytest.FixtureRequest) -> Any:
    """Each form in which the client prints a list of sessions, or others export it."""
    return request.param


@pytest.fixture
def read(file: Callable[..., Path]) -> Callable[..., JobLog]:
    """Reads a file of these texts."""

    def read_texts(*texts: str, reading: Reading = PLAIN) -> JobLog:
        return processlist.read(file("lists.txt", *texts), reading)

    return read_texts


@pytest.fixture(scope="session")
def notes_of() -> Callable[[JobLog, str], list[tuple[str, int]]]:
    """The notes of a log that have this word in them."""

    def found(log: JobLog, word: str) -> list[tuple[str, int]]:
        return [(note.reason, note.count) for note in log.notes if word in note.reason]

    return found
