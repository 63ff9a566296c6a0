"""Memory given back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

from jobsim.memory import MANY

HELD = """
from jobsim.memory import give_memory_back

def resident_kb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

blocks = [bytearray(1_000) for _ in range(50_000)]
del blocks[:-1]  # what is left lies above the room that is free again
before_kb = resident_kb()
give_memory_back({jobs})
print(before_kb - resident_kb())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks glibc on Linux")
@pytest.mark.parametrize(("jobs", "given_back"), [(MANY, True), (MANY - 1, False)])
def test_room_that_is_free_again_is_given_back_for_many_jobs(jobs: int, given_back: bool):
    command = [sys.executable, "-c", HELD.format(jobs=jobs)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert (int(told.stdout) > 20_000) == given_back
