"""When to look, and what a watch cost."""

from __future__ import annotations

import time

import pytest

from jobsim.errors import DatabaseError
from jobsim.record import looks
from jobsim.record.load import Load
from jobsim.record.looks import Patience, instants


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only sleeping and the test move."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda for_s: now.__setitem__(0, now[0] + for_s))
    return now


def test_looks_are_evenly_spaced_however_long_each_takes(clock: list[float]) -> None:
    seen = []
    for look_s in instants(2.0, 7.0):
        seen.append(look_s)
        clock[0] += 0.5
    assert seen == [0, 2, 4, 6]
    assert clock[0] == 107, "the last stretch is waited for"


def test_looks_that_take_long_come_less_often(clock: list[float]) -> None:
    seen = []
    for look_s in instants(2.0, 20.0):
        seen.append(look_s)
        clock[0] += 3.0
    assert seen == [0, 6, 12, 18]


def test_a_server_that_is_gone_is_borne_for_a_while(clock: list[float]) -> None:
    said: list[str] = []
    patience = Patience(said.append)
    error = DatabaseError("gone")
    patience.failed(error)
    clock[0] += looks.PATIENCE_S - 1
    patience.failed(error)
    patience.succeeded()
    patience.succeeded()
    assert patience.gone_s == looks.PATIENCE_S - 1
    assert len(said) == 2
    patience.failed(error)
    clock[0] += looks.PATIENCE_S + 1
    with pytest.raises(DatabaseError, match="gone"):
        patience.failed(error)


def test_the_load_is_the_statements_share_of_the_time(clock: list[float]) -> None:
    load = Load(wall_s=200.0)
    for took_s in (0.5, 1.5):
        with load.statement():
            clock[0] += took_s
    load.looks, load.rows, load.examined = 2, 3000, 3100
    assert (load.share, load.longest_s) == (0.01, 1.5)
    assert str(load) == (
        "2 statements in 2 looks, 3,000 rows read (3,100 examined by the server),"
        " 2 s of statements in 200 s (1.00% of one session), the longest 1.5e+03 ms"
    )
