"""Performing a script, effect by effect, on a real server."""

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pymysql
import pytest

import jobsim.live.noting
import jobsim.live.performing  # noqa: F401 - these register how each effect is performed
from jobsim.effects import (
    Attempt,
    Begin,
    Clock,
    Column,
    Commit,
    Connect,
    Deadlock,
    Disconnect,
    DuplicateKey,
    Insert,
    Note,
    Poll,
    Raised,
    Script,
    Select,
    Sleep,
    Start,
    Table,
    Thrown,
    WaitForWork,
    column,
)
from jobsim.faults import parse_fault
from jobsim.live.clocks import Clocks
from jobsim.live.database import Database
from jobsim.live.driver import Performer
from jobsim.live.driver import Start as CommonStart
from jobsim.live.journal import Journal, JournalReader, Record
from jobsim.live.pause import Pause, RunClock
from jobsim.live.pipes import Pipe
from jobsim.live.schema import create, drop
from jobsim.live.work import make_work
from tests.unit.live.made import load

pytestmark = pytest.mark.live

T = Table("jobsim_try", (Column("id", "integer"), Column("at", "instant", nullable=True)))
connect, disconnect = Connect(), Disconnect()
add = Insert("add", T, ("id", "at"))
rows = Select("rows", T, ("id", "at"), order=("id",))
note_empty, note_claimed = Note("empty"), Note("claimed")
ONE = Attempt(1, 1)


class World:
    """A performer in this very process, with a table to work on."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self.stop = Pipe()
        self.clock = RunClock()
        pause = Pause(self.stop.reading, self.clock)
        self.path = folder / "journal"
        jobs = load([0.0], [0.05])
        journal = Journal(self.path)
        self.spawned: list[tuple[str, int]] = []
        self.performer = Performer(
            worker=0,
            load=jobs,
            database=database,
            isolation="repeatable-read",
            journal=journal,
            pause=pause,
            work=make_work("sleep", jobs, pause, lambda *_: None),
            gate=self.gate,
            spawn=lambda role, number: self.spawned.append((role, number)),
        )

    def gate(self) -> CommonStart:
        with self.database.connect() as control:
            start = Clocks.of(control).start()
        self.clock.start_s = start.start_s
        self.performer.pause.until(0.0)
        return start

    def play(self, script: Script[None]) -> list[Record]:
        """Perform a script; the records that it made."""
        self.performer.perform(script)
        return [record for record in self.records() if record[0] != "statement"]

    def records(self) -> list[Record]:
        return list(JournalReader(self.path).all())


@pytest.fixture
def world(database: Database, tmp_path: Path) -> Iterator[World]:
    with database.connect() as connection:
        create(connection, [T])
        made = World(database, tmp_path)
        yield made
        made.performer.disconnect()
        drop(connection, [T])


def test_replies_come_back_to_the_script(world: World) -> None:
    seen: list[Any] = []

    def script() -> Script[None]:
        yield from connect()
        seen.append((yield from add([(1, 0.5), (2, None)])))
        seen.append((yield from rows()))
        yield from disconnect()

    world.play(script())
    assert seen == [2, [(1, 0.5), (2, None)]]


def test_what_the_server_throws_is_thrown_into_the_script_and_noted(world: World) -> None:
    caught: list[Thrown] = []

    def script() -> Script[None]:
        yield from connect()
        yield from add([(1, None)])
        try:
            yield from add([(1, None)])
        except DuplicateKey as thrown:
            caught.append(thrown)
        yield from add([(2, None)])

    records = world.play(script())
    assert len(caught) == 1
    assert [record[2:4] for record in records] == [["duplicate key", "add"]]


def test_a_deadlock_is_thrown_into_the_script_that_was_chosen(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script() -> Script[None]:
        yield from connect()
        monkeypatch.setattr(world.performer.session, "begin", deadlocked)
        world.performer.session.in_transaction = True
        with pytest.raises(Deadlock):
            yield from Begin()()
        assert not world.performer.session.in_transaction

    def deadlocked() -> None:
        raise pymysql.OperationalError(1213, "Deadlock found when trying to get lock")

    records = world.play(script())
    assert [record[2:4] for record in records] == [["deadlock", "begin"]]


def test_what_a_script_does_not_catch_comes_out_of_it(world: World) -> None:
    def script() -> Script[None]:
        yield from connect()
        yield from add([(1, None)])
        yield from add([(1, None)])

    with pytest.raises(DuplicateKey):
        world.performer.perform(script())


def test_an_error_that_no_script_can_know_is_no_thrown_one(world: World) -> None:
    def script() -> Script[None]:
        yield from connect()
        yield from Select("x", Table("jobsim_nowhere", T.columns), ("id",))()

    with pytest.raises(pymysql.MySQLError):
        world.performer.perform(script())


def test_a_claim_begins_with_its_first_statement(world: World) -> None:
    seen: list[float] = []

    def script() -> Script[None]:
        yield from connect()
        yield from rows()
        yield from Sleep()(0.1)
        seen.append((yield from Clock(of="worker")()))
        yield from rows()
        yield from rows()
        seen.append((yield from Clock(of="worker")()))
        yield from note_empty()
        yield from rows()
        yield from note_claimed([ONE])

    empty, claimed = world.play(script())
    assert empty[0] == "empty"
    assert seen[0] <= empty[2] <= seen[1] <= empty[1]
    assert claimed[:1] + claimed[3:] == ["claimed", [[1, 1]]]
    assert empty[1] <= claimed[2] <= claimed[1]


def test_polls_tick_from_the_end_of_the_last_work_whatever_the_looks_take(world: World) -> None:
    look_again = Poll("poll", 0.1, T, column("id").equals(1))
    ticks: list[float] = []
    began: list[float | None] = []

    def script() -> Script[None]:
        yield from connect()
        for _ in range(3):
            time.sleep(0.03)  # what the look takes
            yield from note_empty()
            yield from look_again()
            ticks.append(world.clock())
            began.append(world.performer.idle_since_s)

    world.play(script())
    assert began[0] == began[1] == began[2]
    assert began[0] is not None
    for at, tick in enumerate(ticks, 1):
        assert tick >= began[0] + at * 0.1


def test_a_tick_that_a_long_look_has_missed_is_not_made_up_for(world: World) -> None:
    look_again = Poll("poll", 0.05, T, column("id").equals(1))

    def script() -> Script[None]:
        yield from connect()
        yield from look_again()
        time.sleep(0.2)
        yield from note_empty()
        before = world.clock()
        yield from look_again()
        since = world.performer.idle_since_s
        assert since is not None
        assert int((world.clock() - since) / 0.05) > int((before - since) / 0.05)

    world.play(script())


def test_the_ticks_begin_anew_after_a_look_that_found_something(world: World) -> None:
    look_again = Poll("poll", 0.2, T, column("id").equals(1))

    def script() -> Script[None]:
        yield from connect()
        yield from look_again()
        first = world.performer.idle_since_s
        yield from rows()
        yield from note_claimed([ONE])
        yield from Start()(ONE)
        yield from WaitForWork()(None)
        yield from look_again()
        second = world.performer.idle_since_s
        assert first is not None
        assert second is not None
        assert second >= first + 0.25

    world.play(script())


def test_the_clock_of_the_database_and_that_of_the_worker_are_one(world: World) -> None:
    seen: list[float] = []

    def script() -> Script[None]:
        yield from connect()
        seen.append((yield from Clock(of="worker")()))
        seen.append((yield from Clock()()))
        seen.append((yield from Clock(of="worker")()))

    world.play(script())
    assert seen[0] - 0.005 <= seen[1] <= seen[2] + 0.005


def test_work_is_recorded_from_its_start_to_its_end(world: World) -> None:
    def script() -> Script[None]:
        yield from connect()
        yield from Start()(ONE)
        assert (yield from WaitForWork()(0.01)) == "time"
        assert (yield from WaitForWork()(None)) == "completed"

    started, ended = world.play(script())
    assert [started[0], ended[0]] == ["started", "ended"]
    assert 0.05 <= ended[1] - started[1] < 0.5


def test_a_trace_has_every_step_with_what_was_asked_and_replied(world: World) -> None:
    world.performer.trace = True

    def script() -> Script[None]:
        yield from connect()
        yield from Begin()()
        yield from add([(1, None)])
        yield from Commit()()
        with suppress(DuplicateKey):
            yield from add([(1, None)])

    steps = [record[2:] for record in world.play(script()) if record[0] == "step"]
    assert [step[0] for step in steps] == ["connect", "begin", "add", "commit", "add"]
    assert steps[2][1:] == ["([(1, None)],)", "1"]
    assert "1062" in steps[4][2]


def test_a_statement_is_shown_once_with_the_index_that_it_should_use(world: World) -> None:
    by_id = Select("one", T, ("id",), column("id").equals(7))

    def script() -> Script[None]:
        yield from connect()
        for _ in range(3):
            yield from by_id()

    world.play(script())
    shown = [record[2:] for record in world.records() if record[0] == "statement"]
    assert [(label, index) for label, _, index in shown] == [("one", "PRIMARY")]
    assert "WHERE id = 7" in shown[0][1]


def test_a_script_may_connect_again(world: World) -> None:
    seen: list[Any] = []

    def script() -> Script[None]:
        for _ in range(2):
            yield from connect()
            seen.append((yield from rows()))
            yield from disconnect()

    world.play(script())
    assert seen == [[], []]


def test_a_statement_without_a_connection_is_a_mistake(world: World) -> None:
    def script() -> Script[None]:
        yield from rows()

    with pytest.raises(RuntimeError, match="connects before its first statement"):
        world.performer.perform(script())


def test_an_exception_asked_for_in_a_statement_waits_for_its_reply(world: World) -> None:
    caught: list[Raised] = []

    def script() -> Script[None]:
        yield from connect()
        world.performer.session.once_sent(world.performer.raise_now)
        assert (yield from add([(1, None)])) == 1
        try:
            yield from rows()
        except Raised as raised:
            caught.append(raised)
        assert (yield from rows()) == [(1, None)]

    world.play(script())
    assert len(caught) == 1


def test_the_second_time_counts_all_statements_of_one_label(world: World) -> None:
    world.performer.faults = [parse_fault("kind=raise,at=rows,nth=2,when=before")]
    other = Select("rows", T, ("id",))

    def script() -> Script[None]:
        yield from connect()
        yield from rows()
        with pytest.raises(Raised):
            yield from other()
        yield from other()

    world.play(script())


def test_the_server_clock_at_the_start_is_asked_of_the_server(world: World) -> None:
    def script() -> Script[None]:
        yield from connect()

    world.play(script())
    assert isinstance(world.performer.started, datetime)
    assert len(world.performer.hidden) == 1
