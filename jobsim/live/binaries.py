"""Which database servers can be started on this machine, and how to get one.

``python -m jobsim.live.binaries`` prints the one that a throw-away server would use.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jobsim.errors import DatabaseError

Kind = Literal["mariadb", "mysql"]

PROJECT = Path(__file__).resolve().parents[2]
PLACES = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/opt/homebrew/opt/mariadb/bin")
CONTAINER = (
    "docker run -d -p 3306:3306 -e MARIADB_ROOT_PASSWORD=secret -e MARIADB_DATABASE=jobsim"
    " mariadb:lts  # then: --database mysql+pymysql://root:secret@127.0.0.1/jobsim"
)
OTHER_INSTALLERS = {
    "brew": "brew install mariadb",
    "mamba": "mamba install -c conda-forge mysql-server",
    "conda": "conda install -c conda-forge mysql-server",
    "dnf": "sudo dnf install -y mariadb-server",
    "zypper": "sudo zypper install -y mariadb",
    "pacman": "sudo pacman -S --noconfirm mariadb",
}


@dataclass(frozen=True, slots=True)
class ServerBinary:
    """A server program that can be started on this machine.

    Attributes
    ----------
    path
        The program itself.
    kind
        Which of the two families of server it is.
    version
        As it says itself, such as ``10.11.19``.
    library_path
        Where its shared libraries lie when it was unpacked rather than installed, else empty.
    """

    path: Path
    kind: Kind
    version: str
    library_path: str = ""

    @property
    def basedir(self) -> Path:
        """The folder that holds its ``bin`` and ``share``."""
        return self.path.parents[1]

    def environment(self) -> dict[str, str]:
        """Return the environment to run it in."""
        return _environment(self.library_path)

    def __str__(self) -> str:
        return f"{'MariaDB' if self.kind == 'mariadb' else 'MySQL'} {self.version} ({self.path})"


def find_server(project: Path = PROJECT) -> ServerBinary:
    """Return the server to use: MariaDB before MySQL, an installed one before an unpacked one.

    Parameters
    ----------
    project
        The folder in whose ``.mariadb`` set-up unpacks a server where it may not install one.

    Raises
    ------
    DatabaseError
        No server was found; the text has the command that installs one on this system.
    """
    for binary in find_servers(project):
        return binary
    raise DatabaseError(f"no mariadbd or mysqld was found; run: {install_command()}")


def find_servers(project: Path = PROJECT) -> Iterator[ServerBinary]:
    """Yield every usable server program once, the preferred one first."""
    unpacked = (project / ".mariadb").resolve()
    on_path = os.environ.get("PATH", "").split(os.pathsep)
    folders = [*filter(None, on_path), *PLACES, str(unpacked / "usr/sbin")]
    programs = [Path(folder, name) for name in ("mariadbd", "mysqld") for folder in folders]
    # Debian's mysqld is a link to its mariadbd: one program, not two.
    for path in dict.fromkeys(path.resolve() for path in programs):
        inside = path.is_relative_to(unpacked)
        if path.is_file() and (binary := _ask(path, _library_path(unpacked) if inside else "")):
            yield binary


def _ask(path: Path, library_path: str) -> ServerBinary | None:
    """Ask a program what it is; None when it does not run or is something else."""
    try:
        answer = subprocess.run(
            [path, "--no-defaults", "--version"],
            env=_environment(library_path), capture_output=True, text=True, timeout=20, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"Ver (\d+\.\d+\.\d+)(-MariaDB)?", answer.stdout)
    if answer.returncode or not found:
        return None
    return ServerBinary(path, "mariadb" if found[2] else "mysql", found[1], library_path)


def _library_path(unpacked: Path) -> str:
    return ":".join(
        str(folder) for top in ("usr/lib", "lib") for folder in unpacked.glob(f"{top}/*-linux-*")
    )


def _environment(library_path: str) -> dict[str, str]:
    if not library_path:
        return dict(os.environ)
    path = ":".join(filter(None, [library_path, os.environ.get("LD_LIBRARY_PATH")]))
    return {**os.environ, "LD_LIBRARY_PATH": path}


def install_command() -> str:
    """Return the one command that brings a server on this system."""
    if shutil.which("apt-get"):
        packages = "mariadb-server-core mariadb-client-core"
        command = f"apt-get install -y --no-install-recommends {packages}"
        if os.geteuid() == 0:
            return command
        return f"sudo {command}" if shutil.which("sudo") else "make setup"
    for program, command in OTHER_INSTALLERS.items():
        if shutil.which(program):
            return command
    return CONTAINER


if __name__ == "__main__":
    try:
        print(find_server())
    except DatabaseError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
