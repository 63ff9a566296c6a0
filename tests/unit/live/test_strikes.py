"""Faults at an instant."""

import signal
from dataclasses import dataclass, field
from math import inf
from typing import Any

import pytest

from jobsim.faults import Fault, TimedFault
from jobsim.live.database import Database
from jobsim.live.perform import perform
from jobsim.live.strikes import Strikes
from tests.unit.live.made import attempts, events, queue_run


@dataclass
class Signalled:
    """A process that only remembers what it was sent."""

    worker: int = 0
    lives: bool = True
    got: list[int] = field(default_factory=list)

    def signal(self, number: int) -> bool:
        self.got.append(number)
        return self.lives


def strikes(player: Any, *faults: Fault) -> Strikes:
    timed = [TimedFault(fault.time_s or 0.0, 0, fault) for fault in faults]
    return Strikes(timed, lambda worker: player if worker == 0 else None)


def test_a_fault_is_brought_when_its_instant_has_come_and_once() -> None:
    player = Signalled()
    made = strikes(player, Fault("kill", 0, time_s=2.0))
    assert made.next_s == 2.0
    made.strike(1.9)
    assert player.got == []
    made.strike(2.1)
    made.strike(2.2)
    assert player.got == [signal.SIGKILL]
    assert made.killed_s == {0: 2.1}
    assert made.next_s == inf


def test_a_pause_ends_after_its_time_and_both_are_seen() -> None:
    player = Signalled()
    made = strikes(player, Fault("pause", 0, time_s=1.0, for_s=0.5))
    made.strike(1.0)
    assert made.next_s == 1.5
    made.strike(1.5)
    assert player.got == [signal.SIGSTOP, signal.SIGCONT]
    assert [(t_s, kind) for _, (_, t_s, kind, *_) in made.seen] == [(1.0, "hung"), (1.5, "resumed")]


def test_a_process_that_notes_its_pause_itself_is_only_let_go() -> None:
    player = Signalled()
    made = strikes(player)
    made.resume_at(3.0, player)  # type: ignore[arg-type]
    made.strike(3.0)
    assert player.got == [signal.SIGCONT]
    assert made.seen == []


def test_nobody_is_struck_who_is_gone_already() -> None:
    made = strikes(Signalled(lives=False), Fault("kill", 0, time_s=1.0))
    made.strike(1.0)
    assert made.killed_s == {}
    nobody = strikes(None, Fault("kill", 0, time_s=1.0))
    nobody.strike(1.0)


@pytest.mark.live
def test_a_worker_killed_at_an_instant_died_at_its_work(database: Database) -> None:
    run = queue_run(
        run_s=5.0, faults=["kind=kill,worker=0,time=0.2"], settings={"reclaim": "never"}
    )
    record = perform(run, database)
    (died,) = events(record).to_dict("records")
    assert (died["kind"], died["worker"], died["job"], died["number"]) == ("died", 0, 1, 1)
    assert 0.2 <= died["t_s"] < 1.0
    assert list(attempts(record)["outcome"]) == ["died"]


@pytest.mark.live
def test_a_worker_paused_at_an_instant_hangs_and_goes_on(database: Database) -> None:
    run = queue_run(run_s=0.3, faults=["kind=pause,worker=0,time=0.2,for=0.4"])
    record = perform(run, database)
    assert list(events(record)["kind"]) == ["hung", "resumed"]
    (row,) = attempts(record).to_dict("records")
    assert row["outcome"] == "completed"
    assert row["ended_s"] >= 0.6


@pytest.mark.live
@pytest.mark.parametrize("busy", [False, True])
def test_an_exception_at_an_instant_meets_a_worker_at_its_work_or_after_its_statement(
    database: Database, busy: bool
) -> None:
    run_s = 0.0 if busy else 5.0
    run = queue_run(
        jobs=1 if not busy else 3000,
        run_s=run_s,
        faults=["kind=raise,worker=0,time=0.2"],
        settings={"reclaim": "never"},
    )
    record = perform(run, database)
    (raised,) = events(record).to_dict("records")
    assert raised["kind"] == "raised"
    assert 0.2 <= raised["t_s"] < 1.5
    assert not any("crashed" in warning for warning in record.warnings)
    if not busy:
        assert list(attempts(record)["outcome"]) == ["raised"]
