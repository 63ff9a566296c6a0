"""Between a command and who started it, nobody seems to stand."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.unit.record.conftest import BOUND_S, JOBSIM, Recorded, rows

# It does not wait by pause(): a signal just before that would be handled after the next one only.
# The alarm ends it, and so the test, where signals do not come.
SAYS_WHAT_IT_GETS = f"""
import os, signal, sys, time
signal.alarm({BOUND_S:.0f})
def said(number, frame):
    os.write(1, b"got %d\\n" % number)
for number in (1, 2, 3, 10, 12):
    signal.signal(number, said)
signal.signal(15, lambda *_: os._exit(7))
print("ready", flush=True)
while True:
    time.sleep(0.01)
"""


def line(one: subprocess.Popen[str]) -> str:
    assert one.stdout is not None
    return one.stdout.readline().strip()


def test_stdin_stdout_stderr_and_the_exit_status_are_the_commands(recorded: Recorded) -> None:
    one = recorded("sh", "-c", 'tr a-z A-Z; echo "$1" >&2; exit 5', "sh", "a  b * $HOME")
    assert one.communicate("hello\n", BOUND_S) == ("HELLO\n", "a  b * $HOME\n")
    assert one.returncode == 5


def test_the_environment_the_folder_and_the_process_group_are_kept(
    recorded: Recorded, tmp_path: Path
) -> None:
    asked = (
        "import os; print(os.getpgrp() == os.getpgid(os.getppid()), os.getcwd(), os.environ['A'])"
    )
    one = recorded(sys.executable, "-c", asked, cwd=tmp_path, env={**os.environ, "A": "1"})
    assert one.communicate(timeout=BOUND_S)[0].split() == ["True", str(tmp_path), "1"]


def test_a_command_can_write_to_a_closed_pipe_and_die_of_it_as_without_a_wrapper(
    recorded: Recorded, file: Path
) -> None:
    one = recorded("yes")
    assert line(one) == "y"
    assert one.stdout is not None
    one.stdout.close()
    assert one.wait(BOUND_S) == 128 + signal.SIGPIPE
    assert rows(file)[0]["job_id"].endswith("-signal13")


@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2"])
def test_a_signal_reaches_the_command_once_and_the_wrapper_lives(
    recorded: Recorded, file: Path, name: str
) -> None:
    number = getattr(signal, name)
    one = recorded(sys.executable, "-c", SAYS_WHAT_IT_GETS)
    assert line(one) == "ready"
    one.send_signal(number)
    assert line(one) == f"got {number}"
    one.terminate()
    out, _ = one.communicate(timeout=BOUND_S)
    assert (out, one.returncode) == ("", 7)
    assert [row["outcome"] for row in rows(file)] == ["failed"]


def test_a_command_that_a_signal_ends_is_recorded_and_the_status_is_what_a_shell_says(
    recorded: Recorded, file: Path
) -> None:
    one = recorded("sh", "-c", "echo ready; exec sleep 60")
    assert line(one) == "ready"
    one.terminate()
    assert one.wait(BOUND_S) == 128 + signal.SIGTERM
    (row,) = rows(file)
    assert row["job_id"].endswith("-signal15")
    assert row["outcome"] == "failed"


def test_who_kills_the_wrapper_kills_the_command(recorded: Recorded, file: Path) -> None:
    one = recorded("sh", "-c", "echo $$; exec sleep 60")
    command = psutil.Process(int(line(one)))
    one.kill()
    command.wait(BOUND_S)
    assert not file.exists()


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("no-such-command", 127, "not found"),
        ("", 127, "jobsim: : not found"),
        ("./data", 126, "Permission denied"),
    ],
)
def test_a_command_that_cannot_be_run_fails_as_in_a_shell(
    recorded: Recorded, file: Path, tmp_path: Path, command: str, status: int, said: str
) -> None:
    (tmp_path / "data").write_text("no program")
    one = recorded(command, cwd=tmp_path)
    _, err = one.communicate(timeout=BOUND_S)
    assert one.returncode == status
    assert command in err
    assert said in err
    assert rows(file)[0]["outcome"] == "failed"


def test_a_script_that_does_not_say_whose_it_is_is_the_shells_as_in_a_crontab(
    recorded: Recorded, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "nightly"
    script.write_text("echo $1; exit 4\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    for name in (str(script), "nightly"):
        one = recorded(name, "done")
        assert one.communicate(timeout=BOUND_S) == ("done\n", "")
        assert one.returncode == 4
    assert [row["kind"] for row in rows(file)] == ["nightly", "nightly"]


def test_what_a_command_leaves_running_is_not_waited_for(recorded: Recorded, file: Path) -> None:
    one = recorded("sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!")
    out, _ = one.communicate(timeout=BOUND_S)
    os.kill(int(out), signal.SIGKILL)
    assert one.returncode == 0
    assert float(rows(file)[0]["run_s"]) < 60


def test_run_time_and_peak_memory_are_the_commands_own(recorded: Recorded, file: Path) -> None:
    work = "import time; block = bytearray(64 << 20); time.sleep(0.3)"
    began_s = time.time()
    recorded(sys.executable, "-c", work).communicate(timeout=BOUND_S)
    recorded("true").communicate(timeout=BOUND_S)
    large, small = rows(file)
    assert began_s <= float(large["submit_s"]) <= time.time()
    assert 0.3 <= float(large["run_s"]) <= time.time() - began_s
    assert 64 < float(large["memory_mb"]) < 110
    assert float(small["memory_mb"]) < 16


def test_ctrl_c_on_a_terminal_reaches_the_command_once(file: Path) -> None:
    """The terminal sends it to both; the wrapper must not send it again."""
    pid, terminal = pty.fork()
    if not pid:
        words = ["record", "run", "--append", str(file), "--", sys.executable, "-c"]
        os.execv(JOBSIM, [JOBSIM, *words, SAYS_WHAT_IT_GETS])
    with os.fdopen(terminal, "r+b", buffering=0) as keys:
        assert b"ready" in keys.readline()
        keys.write(b"\x03")
        seen = keys.readline()
        assert b"got 2" in seen
        os.kill(pid, signal.SIGUSR1)
        assert b"got 10" in keys.readline()
        os.kill(pid, signal.SIGTERM)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


def test_ctrl_z_stops_the_wrapper_too_and_both_go_on(file: Path) -> None:
    """As a shell with job control sees it: it waits for its own child to stop."""
    pid, terminal = pty.fork()
    if not pid:
        # A group of its own within the session, since the leader's would be an orphaned one,
        # which a terminal does not stop.
        words = [JOBSIM, "record", "run", "--append", str(file), "--", sys.executable, "-c"]
        _job_control([*words, SAYS_WHAT_IT_GETS])
    with os.fdopen(terminal, "r+b", buffering=0) as keys:
        assert b"ready" in keys.readline()
        keys.write(b"\x1a")
        said = b""
        while b"stopped" not in said:
            said = keys.readline()
        while b"got 10" not in said:
            said = keys.readline()
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


def _job_control(words: list[str]) -> None:
    """What a shell does: a job in the foreground; when it stops, say so and let it go on."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if not job:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        os.execv(words[0], words)
    _, status = os.waitpid(job, os.WUNTRACED)
    os.write(1, b"stopped\n" if os.WIFSTOPPED(status) else b"ended\n")
    os.killpg(job, signal.SIGCONT)
    os.kill(job, signal.SIGUSR1)
    os.kill(job, signal.SIGTERM)
    _, status = os.waitpid(job, 0)
    os._exit(os.waitstatus_to_exitcode(status))
