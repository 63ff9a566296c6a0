"""Ending with the process that started us."""

import os
import signal
import sys
import time

import psutil
import pytest

from jobsim.live.parent import die_with_parent
from tests.unit.live.made import wait_until


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")
def test_a_child_dies_with_a_parent_that_is_killed() -> None:
    reading, writing = os.pipe()
    parent = os.fork()
    if not parent:
        me = os.getpid()
        child = os.fork()
        if not child:
            die_with_parent(me)
            os.write(writing, str(os.getpid()).encode())
            time.sleep(60)
            os._exit(0)
        time.sleep(60)
        os._exit(0)
    child = int(os.read(reading, 20))
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    wait_until(lambda: not psutil.pid_exists(child) or zombie(child))
    os.close(reading)
    os.close(writing)


def zombie(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
