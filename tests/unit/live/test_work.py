"""What a live job does."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import psutil
import pytest

from jobsim.effects import Attempt
from jobsim.live.pause import Pause, RunClock, Stopped
from jobsim.live.pipes import Pipe
from jobsim.live.work import Command, Work, WorkKind, make_work
from tests.unit.live.made import load, wait_until

FIRST, SECOND = Attempt(1, 1), Attempt(2, 1)
Make = Callable[[WorkKind], Work]


class Place:
    """Where work is done: a clock, and a way to stop."""

    def __init__(self) -> None:
        self.stop = Pipe()
        clock = RunClock()
        clock.start_s = time.monotonic()
        self.pause = Pause(self.stop.reading, clock)
        self.reports: list[tuple[Attempt, dict[str, Any]]] = []

    def work(self, kind: WorkKind, *run_s: float) -> Work:
        jobs = load([0.0] * len(run_s), run_s, fails=[2])
        return make_work(kind, jobs, self.pause, lambda *report: self.reports.append(report))


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.stop.close_reading()
    made.stop.close_writing()


def python(code: str) -> Command:
    return Command(lambda job: [sys.executable, "-I", "-S", "-c", code.format(job=job)])


def test_a_job_sleeps_its_logged_time_and_ends_as_logged(place: Place) -> None:
    work = place.work("sleep", 0.05, 0.01)
    work.start(FIRST)
    assert work.left_s() == pytest.approx(0.05, abs=0.04)
    assert work.wait(None) == "completed"
    assert 0.05 <= place.pause.now() < 1.0
    work.start(SECOND)
    assert work.wait(None) == "failed"


def test_waiting_for_it_can_end_before_it_does(place: Place) -> None:
    work = place.work("sleep", 0.06)
    work.start(FIRST)
    assert work.wait(0.01) == "time"
    assert work.wait(60.0) == "completed"
    assert 0.06 <= place.pause.now() < 1.0


def test_burning_uses_the_processor_for_the_logged_time(place: Place) -> None:
    work = place.work("burn", 0.1)
    work.start(FIRST)
    before_s = time.thread_time()
    assert work.wait(0.02) == "time"
    assert work.wait(None) == "completed"
    assert time.thread_time() - before_s >= 0.1


def test_the_end_of_the_run_stops_any_work(place: Place) -> None:
    for kind in ("sleep", "burn", Command(lambda job: ["sleep", "60"])):
        work = place.work(kind, 60.0)  # type: ignore[arg-type]
        work.start(FIRST)
        place.stop.close_writing()
        with pytest.raises(Stopped):
            work.wait(None)
        work.close()


def test_a_command_is_run_and_reported(place: Place) -> None:
    with closing(place.work(python("raise SystemExit({job} - 1)"), 1.0, 1.0)) as work:
        work.start(FIRST)
        assert work.wait(None) == "completed"
        work.start(SECOND)
        assert work.wait(None) == "failed"
    assert [attempt for attempt, _ in place.reports] == [FIRST, SECOND]
    measured = place.reports[1][1]
    assert (measured["outcome"], measured["status"]) == ("failed", 1)
    assert measured["start_s"] + measured["run_s"] <= place.pause.now()
    assert measured["memory_mb"] > 1


def test_waiting_for_a_command_can_end_before_it_does(place: Place) -> None:
    with closing(place.work(Command(lambda job: ["sleep", "0.05"]), 1.0)) as work:
        work.start(FIRST)
        assert work.wait(0.001) == "time"
        assert work.wait(None) == "completed"


def test_closing_ends_a_command_that_still_runs(place: Place) -> None:
    work = place.work(Command(lambda job: ["sleep", "60"]), 1.0)
    work.start(FIRST)
    wait_until(lambda: sleepers())
    (sleeper,) = sleepers()
    work.close()
    wait_until(lambda: not sleeper.is_running() or sleeper.status() == psutil.STATUS_ZOMBIE)


def sleepers() -> list[psutil.Process]:
    """The commands below this process."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if child.name() == "sleep"]
