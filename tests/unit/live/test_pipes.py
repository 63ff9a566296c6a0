"""The pipes by which processes start and end together."""

import os
from select import select

import pytest

from jobsim.live.pipes import Pipe, Pipes


def at_its_end(pipe: Pipe) -> bool:
    return bool(select([pipe.reading], [], [], 0)[0]) and os.read(pipe.reading, 1) == b""


def test_an_end_may_be_closed_more_than_once() -> None:
    pipe = Pipe()
    pipe.close_writing()
    pipe.close_writing()
    assert at_its_end(pipe)
    pipe.close_reading()


def test_a_player_keeps_no_end_whose_closing_is_the_supervisors_word() -> None:
    pipes = Pipes()
    pipes.keep_players_ends()
    assert at_its_end(pipes.go)
    assert at_its_end(pipes.stop)
    os.write(pipes.spawn.writing, b"")  # still open
    pipes.close()


def test_all_is_closed_in_the_end() -> None:
    pipes = Pipes()
    pipes.close()
    for pipe in (pipes.ready, pipes.go, pipes.stop, pipes.spawn):
        for end in (pipe.reading, pipe.writing):
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.fstat(end)
