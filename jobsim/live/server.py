"""A throw-away database server: started from an installed binary, private, and gone afterwards.

The server belongs to the process that started it. A `watchdog` process beside it waits for the end
of that process, by whatever cause, and then kills the server and removes its folder.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import pymysql

from jobsim.errors import DatabaseError
from jobsim.live import watchdog
from jobsim.live.binaries import ServerBinary, find_server, find_servers, install_command

__all__ = ["ServerBinary", "ThrowAwayServer", "find_server", "find_servers"]

LONGEST_SOCKET = 103  # bytes: macOS has 104 with the closing zero, Linux 108
START_S = 60.0
STOP_S = 10.0
ASK_AGAIN_S = 0.01

RELAXED = (
    "--innodb-flush-log-at-trx-commit=2",
    "--skip-innodb-doublewrite",
    "--innodb-use-native-aio=0",
)
# MariaDB's system tables are flushed with each change: on a busy disk that took 4 of 5 seconds.
NO_SYNC = "--debug-no-sync"
DURABLE = ("--innodb-flush-log-at-trx-commit=1", "--innodb-doublewrite=1")
OWN_OPTIONS = {
    "mariadb": ("--innodb-log-file-size=48M",),
    "mysql": (
        "--skip-log-bin",
        "--secure-file-priv=NULL",  # its default is a folder that only a full installation makes
        "--loose-mysqlx=OFF",
        "--loose-innodb-redo-log-capacity=96M",
    ),
}


class ThrowAwayServer:
    """A private server, as a context manager.

    Parameters
    ----------
    binary
        The server program; found by `find_server` when left out.
    durable
        Write and flush every commit to disk, as a server in earnest does. The default does not,
        which makes commits cheaper and lock holds shorter: say so beside every number.
    options
        Further options of the server's command line; later ones win.
    folder
        Where to make the server's own folder; a durable server's should be on a real disk.
        Default: the system's folder for temporary files, and ``/var/tmp`` for a durable server,
        since the former may be in memory.

    Attributes
    ----------
    folder
        Holds the data, the socket and the error log; mode 0700; removed at the end.
    port
        The port on 127.0.0.1.
    options
        The options it runs with, apart from places: a calibration names them.

    Raises
    ------
    DatabaseError
        No server is installed, or, on entering, it does not start.

    Notes
    -----
    The server listens on a socket in its folder and on 127.0.0.1, and only for one account,
    ``root`` with a random password. It ends with the process that made it, also when that is ended
    by SIGTERM or SIGKILL. It does not see the terminal's Ctrl-C: its owner decides.
    """

    def __init__(
        self,
        binary: ServerBinary | None = None,
        *,
        durable: bool = False,
        options: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> None:
        self.binary = binary or find_server()
        self.durable = durable
        self.options = (
            "--skip-name-resolve",
            "--innodb-buffer-pool-size=128M",
            "--max-connections=500",
            "--character-set-server=utf8mb4",
            "--default-time-zone=+00:00",
            *OWN_OPTIONS[self.binary.kind],
            *(DURABLE if durable else RELAXED),
            *options,
        )
        self._above = folder or Path("/var/tmp" if durable else tempfile.gettempdir())
        self._owner = os.getpid()
        self._password = secrets.token_hex(12)
        self._server: subprocess.Popen[bytes] | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="jobsim-", dir=_short(self._above)))
        try:
            self._watchdog = subprocess.Popen(
                [sys.executable, "-I", "-S", watchdog.__file__, str(os.getpid()), self.folder],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, bufsize=0, start_new_session=True,
            )  # fmt: skip
            self.port = _free_port()
            self._initialise()
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def socket(self) -> Path:
        """The Unix socket that it listens on."""
        return self.folder / "socket"

    @property
    def url(self) -> str:
        """The SQLAlchemy URL, with password, of its empty database ``jobsim``."""
        place = quote(str(self.socket), safe="")
        return f"mysql+pymysql://root:{self._password}@localhost/jobsim?unix_socket={place}"

    @property
    def pid(self) -> int | None:
        """The server's process id; None while it is down."""
        if self._server is None or self._server.poll() is not None:
            return None
        return self._server.pid

    def stop(self) -> None:
        """Shut it down in good order (SIGTERM); its data stay. Does nothing when it is down."""
        if self._server is not None:
            self._server.terminate()
            try:
                self._server.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._server.kill()
            self._reap(self._server)

    def kill(self) -> None:
        """Crash it (SIGKILL); its data stay as they are. Does nothing when it is down."""
        if self._server is not None:
            self._server.kill()
            self._reap(self._server)

    def restart(self) -> None:
        """Start it again on the same data, socket and port, after stopping it if it is up.

        Raises
        ------
        DatabaseError
            It does not come up again.
        """
        self.stop()
        self._start()

    def close(self) -> None:
        """End it for good and remove its folder. May be called again; a forked child may not."""
        if os.getpid() != self._owner:
            return
        self.kill()
        if self._watchdog is not None and self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
            self._watchdog.wait(watchdog.CLEAR_UP_S + STOP_S)
            self._watchdog = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def error_log(self, lines: int = 20) -> str:
        """Return the last lines of the server's error log."""
        log = self.folder / "error.log"
        text = log.read_text(errors="replace") if log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def _initialise(self) -> None:
        """Make the system tables, and the statements that every start begins with."""
        (self.folder / "init.sql").write_text(_first_statements(self._password))
        made = subprocess.run(
            [*self._initialiser(), *_as_root()],
            env=self._environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        if made.returncode:
            said = self.error_log() or (made.stdout + made.stderr)[-2000:]
            raise DatabaseError(f"{self.binary} could not make its system tables:\n{said}")

    def _environment(self) -> dict[str, str]:
        """Temporary files go beside its data: in a folder that servers share, each that starts
        removes those of the others, which it takes for left over.
        """
        return {**self.binary.environment(), "TMPDIR": str(self.folder)}

    def _initialiser(self) -> list[str]:
        places = [f"--basedir={self.binary.basedir}", f"--datadir={self.folder / 'data'}"]
        if self.binary.kind == "mysql":
            log = f"--log-error={self.folder / 'error.log'}"
            return [str(self.binary.path), "--no-defaults", "--initialize-insecure", *places, log]
        return [
            _install_db(self.binary), "--no-defaults", *places,
            "--auth-root-authentication-method=normal", "--skip-test-db",
            "--innodb-log-file-size=48M", NO_SYNC,
        ]  # fmt: skip

    def _start(self) -> None:
        self._server = subprocess.Popen(
            [
                self.binary.path, "--no-defaults", *_as_root(),
                f"--basedir={self.binary.basedir}", f"--datadir={self.folder / 'data'}",
                f"--socket={self.socket}", f"--pid-file={self.folder / 'server.pid'}",
                f"--log-error={self.folder / 'error.log'}",
                f"--init-file={self.folder / 'init.sql'}",
                "--bind-address=127.0.0.1", f"--port={self.port}", *self.options,
            ],
            env=self._environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self._tell_watchdog(self._server.pid)
        until_s = time.monotonic() + START_S
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > until_s:
                raise self._did_not_start(self._server.poll())
            time.sleep(ASK_AGAIN_S)

    def _answers(self) -> bool:
        try:
            # PyMySQL leaves its own socket open when nobody listens, so ask with another first.
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(str(self.socket))
            pymysql.connect(
                unix_socket=str(self.socket), user="root", password=self._password
            ).close()
        except (OSError, pymysql.MySQLError):
            return False
        return True

    def _did_not_start(self, exit_code: int | None) -> DatabaseError:
        how = f"did not answer within {START_S:g} s" if exit_code is None else "ended at its start"
        code = "" if exit_code is None else f" (exit {exit_code})"
        return DatabaseError(f"{self.binary} {how}{code}; its log ends:\n{self.error_log()}")

    def _reap(self, server: subprocess.Popen[bytes]) -> None:
        server.wait()
        self._server = None
        self._tell_watchdog(0)  # its number may soon be another process's

    def _tell_watchdog(self, pid: int) -> None:
        if self._watchdog is not None and self._watchdog.stdin is not None:
            with suppress(BrokenPipeError):  # somebody ended the watchdog: carry on without it
                self._watchdog.stdin.write(b"%d\n" % pid)


def _short(above: Path) -> Path:
    """Return the folder to make a server's own in: /tmp where its socket's path got too long."""
    longest = len(os.fsencode(above / "jobsim-12345678/socket"))
    return above if longest <= LONGEST_SOCKET else Path("/tmp")


def _install_db(binary: ServerBinary) -> str:
    """Return MariaDB's program that makes the system tables."""
    for folder in ("bin", "scripts"):
        path = binary.basedir / folder / "mariadb-install-db"
        if path.exists():
            return str(path)
    if found := shutil.which("mariadb-install-db"):
        return found
    raise DatabaseError(f"{binary} has no mariadb-install-db beside it; run: {install_command()}")


def _as_root() -> list[str]:
    """Both servers refuse to run as root unless told to."""
    return ["--user=root"] if os.geteuid() == 0 else []


def _first_statements(password: str) -> str:
    """Return what the server executes before it lets anybody in; each start does it again."""
    accounts = ("'root'@'localhost'", "'root'@'127.0.0.1'")
    return "".join(
        f"CREATE USER IF NOT EXISTS {account};\n"
        f"ALTER USER {account} IDENTIFIED BY '{password}';\n"
        f"GRANT ALL PRIVILEGES ON *.* TO {account} WITH GRANT OPTION;\n"
        for account in accounts
    ) + ("CREATE DATABASE IF NOT EXISTS jobsim;\n")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
