"""Waiting, in a process that may be told to stop."""

import os
import threading
import time

import pytest

from jobsim.live.pause import Pause, RunClock, Stopped
from jobsim.live.pipes import Pipe


@pytest.fixture
def pause():  # type: ignore[no-untyped-def]
    pipe = Pipe()
    clock = RunClock()
    clock.start_s = time.monotonic()
    made = Pause(pipe.reading, clock)
    made.pipe = pipe  # type: ignore[attr-defined]
    yield made
    pipe.close_reading()
    pipe.close_writing()


def test_it_waits_until_the_instant_and_not_less(pause: Pause) -> None:
    assert not pause.until(0.05)
    assert 0.05 <= pause.now() < 1.0


def test_an_instant_that_is_over_is_not_waited_for(pause: Pause) -> None:
    assert not pause.until(-1.0)
    assert pause.now() < 1.0


def test_what_it_is_woken_by_ends_the_wait(pause: Pause) -> None:
    bell = Pipe()
    os.write(bell.writing, b"!")
    assert pause.until(60.0, bell.reading)
    assert pause.now() < 5.0


def test_the_end_of_the_run_ends_the_wait(pause: Pause) -> None:
    timer = threading.Timer(0.05, pause.pipe.close_writing)  # type: ignore[attr-defined]
    timer.start()
    with pytest.raises(Stopped):
        pause.until(60.0)
    timer.join()
    with pytest.raises(Stopped):
        pause.until(0.0)


def test_the_clock_says_nothing_before_the_start() -> None:
    assert RunClock()() != RunClock()()  # not a number
