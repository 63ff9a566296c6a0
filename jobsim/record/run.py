"""Run one command as if nobody stood between it and who started it, and measure it.

The command keeps stdin, stdout, stderr, the environment, the process group and the terminal.
Standard library only, and of that only what is loaded fast: the command's start waits for it.
"""

from __future__ import annotations

import errno
import os
import sys
import time

TYPE_CHECKING = False  # typing would be loaded for nothing
if TYPE_CHECKING:
    import signal
    from collections.abc import Sequence
else:
    import _signal as signal  # the same without its enumerations, which take 5 ms to make

MB = 2**20 if sys.platform == "darwin" else 2**10
"""The kernel counts memory in bytes there, in kB elsewhere."""

PASSED_ON = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGTSTP,
    signal.SIGCONT,
)
WATCHED = (*PASSED_ON, signal.SIGCHLD)
SET_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
"""Ignored by the interpreter, which the command must not inherit."""

NOT_FOUND, NOT_EXECUTABLE = 127, 126
PR_SET_PDEATHSIG = 1


class Ran:
    """What a command came to (no dataclass: importing those takes longer than all this).

    Attributes
    ----------
    start_s
        When it was started, in seconds since 1970.
    run_s
        How long it ran, by a clock that nobody sets.
    status
        Its exit status; 128 + n where signal n ended it, as a shell says.
    signal
        The signal that ended it, or 0.
    memory_mb
        The most memory that it, or one process that it waited for, had at once (peak resident set,
        by the kernel). Never below what this process had when it started it, about 10 MB.
    """

    __slots__ = ("memory_mb", "run_s", "signal", "start_s", "status")

    def __init__(self, start_s: float, run_s: float, code: int, memory_mb: float) -> None:
        self.start_s = start_s
        self.run_s = run_s
        self.status = code if code >= 0 else 128 - code
        self.signal = max(0, -code)
        self.memory_mb = memory_mb


class Command:
    """A command that runs from now on. While it does, there is time to load what comes after it.

    Signals are held back until `release`, also when it has ended, so that whoever wants to write
    down what it came to is not stopped from it.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
        self.start_s, self.began_s = time.time(), time.monotonic()
        self.pid = os.fork()
        if not self.pid:
            _become(argv, before)

    def wait(self) -> Ran:
        """See it to its end, passing signals on."""
        status, peak = _await_end(self.pid)
        run_s = time.monotonic() - self.began_s
        return Ran(self.start_s, run_s, os.waitstatus_to_exitcode(status), peak / MB)


def release() -> None:
    """Let signals come again; those that came after the command's end are dropped."""
    if sys.platform != "darwin":
        while signal.sigtimedwait(WATCHED, 0) is not None:
            pass
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)


def _become(argv: Sequence[str], mask: set[int]) -> None:
    """Be that command from now on."""
    for number in SET_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    _die_with_parent()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    status = NOT_EXECUTABLE
    try:
        _execute(argv)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: an empty name
        status = NOT_FOUND
        _say(f"{argv[0]}: not found")
    except OSError as error:
        _say(f"{argv[0]}: cannot be executed: {error.strerror}")
    finally:
        os._exit(status)  # whatever happens, there is no second wrapper


def _execute(argv: Sequence[str]) -> None:
    try:
        os.execvp(argv[0], list(argv))
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        # A script without a first line that says whose it is: shells take it as theirs.
        os.execv("/bin/sh", ["sh", _path(argv[0]), *argv[1:]])


def _path(name: str) -> str:
    if "/" in name:
        return name
    found = (f"{folder}/{name}" for folder in os.get_exec_path())
    return next((path for path in found if os.access(path, os.X_OK)), name)


def _say(text: str) -> None:
    os.write(2, f"jobsim: {text}\n".encode(errors="surrogateescape"))


def _die_with_parent() -> None:
    """Whoever kills the wrapper with SIGKILL means the command. Linux can see to that."""
    if sys.platform == "linux":
        try:
            import _ctypes  # ctypes itself takes 3 ms more

            program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]
            prctl = _ctypes.dlsym(program, "prctl")
            _ctypes.call_function(prctl, (PR_SET_PDEATHSIG, signal.SIGKILL))
        except (ImportError, AttributeError, OSError):
            return  # another Python than CPython: the command outlives a killed wrapper


def _await_end(pid: int) -> tuple[int, int]:
    """Its wait status and its peak memory, once it is over."""
    while True:
        ended, status, used = os.wait4(pid, os.WNOHANG | os.WUNTRACED)
        if not ended:
            _pass_on(pid)
        elif not os.WIFSTOPPED(status):
            return status, used.ru_maxrss
        elif os.WSTOPSIG(status) != signal.SIGSTOP:
            # Ctrl-Z: the shell waits until its own child, which is this process, stops too.
            os.kill(os.getpid(), signal.SIGSTOP)


def _pass_on(pid: int) -> None:
    """Wait for a signal, and send it on unless the command got it by itself.

    What the terminal sends (Ctrl-C, Ctrl-Z, hang-up) goes to the whole process group.
    """
    if sys.platform == "darwin":
        number = signal.sigwait(WATCHED)
        by_kernel = number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP)
    else:
        info = signal.sigwaitinfo(WATCHED)
        number, by_kernel = info.si_signo, info.si_code > 0
    if number != signal.SIGCHLD and not by_kernel:
        os.kill(pid, number)
