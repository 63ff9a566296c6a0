"""Commands, started and measured in a small process."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from jobsim.live import launcher


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-I", "-S", launcher.__file__]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as started:
        yield started
        assert started.stdin is not None
        started.stdin.close()
        assert started.wait(10) == 0


def run(process: subprocess.Popen[str], *argv: str) -> dict[str, float]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(argv) + "\n")
    measured: dict[str, float] = json.loads(process.stdout.readline())
    return measured


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", code)


def test_a_command_tells_by_its_status_how_it_ended(process: subprocess.Popen[str]) -> None:
    assert run(process, "true")["status"] == 0
    assert run(process, "sh", "-c", "exit 3")["status"] == 3
    assert run(process, "sh", "-c", "kill -9 $$")["status"] == -9
    assert run(process, "no-such-command-anywhere")["status"] == 127


def test_its_peak_of_memory_is_its_own(process: subprocess.Popen[str]) -> None:
    small = run(process, "true")["memory_mb"]
    large = run(process, *python("x = bytearray(80 * 2**20)"))["memory_mb"]
    assert small < 20
    assert 80 < large < 110
    assert run(process, "true")["memory_mb"] == pytest.approx(small, abs=2)


def test_its_processor_time_is_its_own(process: subprocess.Popen[str]) -> None:
    busy = run(process, *python("import time\nwhile time.process_time() < 0.2: pass"))
    assert 0.2 <= busy["cpu_s"] < 0.5
    assert run(process, "sleep", "0.05")["cpu_s"] < 0.05


def test_what_it_prints_goes_nowhere(process: subprocess.Popen[str]) -> None:
    assert run(process, "sh", "-c", "echo hello; echo there >&2; cat")["status"] == 0
