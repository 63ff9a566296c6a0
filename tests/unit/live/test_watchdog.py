"""The watchdog kills a server and removes a folder when its owner goes away."""

import os
import signal
import subprocess
import sys

import pytest

from jobsim.live import watchdog

BOUND_S = 60


@pytest.fixture
def sleeper():
    """A process that stands for a server."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


def watch(parent: int, folder) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", "-S", watchdog.__file__, str(parent), str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0)


def test_when_its_input_ends_the_server_named_last_is_killed(tmp_path, sleeper):
    (tmp_path / "of/data").mkdir(parents=True)
    with watch(os.getpid(), tmp_path / "of") as dog:
        dog.stdin.write(b"0\n%d\n" % sleeper.pid)
        dog.stdin.close()
        assert dog.wait(BOUND_S) == 0
    assert sleeper.wait(BOUND_S) == -signal.SIGKILL
    assert not (tmp_path / "of").exists()


def test_a_server_that_was_reaped_is_left_alone(tmp_path, sleeper):
    with watch(os.getpid(), tmp_path / "of") as dog:
        dog.stdin.write(b"%d\n0\n" % sleeper.pid)
        dog.stdin.close()
        assert dog.wait(BOUND_S) == 0
    assert sleeper.poll() is None


def test_another_parent_counts_as_an_end_though_the_pipe_is_still_open(tmp_path):
    (tmp_path / "of").mkdir()
    with watch(parent=1, folder=tmp_path / "of") as dog:
        assert dog.wait(BOUND_S) == 0
        assert not (tmp_path / "of").exists()
