#!/usr/bin/env python3
"""Make this checkout ready to use: Python packages in ``.venv``, and a MariaDB or MySQL server.

    python3 .ci/setup.py

Needs nothing but Python's standard library. Packages of the system are installed as root or with a
sudo that asks for no password. Where neither is possible, exactly the packages that apt would
install are downloaded and unpacked: the server into ``.mariadb``, and nothing outside of this
folder is touched. What is there already is left alone, so that a second run does nothing.
"""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
VENV = PROJECT / ".venv"
PYTHON = VENV / "bin/python"
BEGAN = time.monotonic()
OLDEST = (3, 11)
SERVER = ("mariadb-server-core", "mariadb-client-core")
APT_GET = ("apt-get", "-q", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120")


def main():
    """Do what is not done yet, one step after the other."""
    with contextlib.ExitStack() as stack:
        apt = Apt(stack)
        make_venv(apt)
        install_packages(apt)
        install_server(apt)
    say("ready")


# Python: an environment, uv in it, and the packages by uv


def make_venv(apt):
    """Make ``.venv``; without its pip where this system keeps that in a package of its own."""
    if runs(PYTHON, "-c", "pass"):
        return
    python = find_python()
    say(f"making .venv with {python}")
    if runs(python, "-m", "venv", "--clear", VENV):
        return
    if apt.may_install:
        minor = output(python, "-c", "import sys; print(sys.version_info[1])").strip()
        apt.install(f"python3.{minor}-venv")
        run(python, "-m", "venv", "--clear", VENV)
    else:
        run(python, "-m", "venv", "--clear", "--without-pip", VENV)


def find_python():
    """Return a Python that is new enough: this one, else a newer one on PATH."""
    if sys.version_info >= OLDEST:
        return sys.executable
    for minor in range(20, OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            return found
    have = ".".join(map(str, sys.version_info[:2]))
    wanted = "install Python 3.11 or newer, and run: make setup PYTHON=python3.11"
    raise SystemExit(f"setup: this Python is {have}; {wanted}")


def install_packages(apt):
    """Install this project with its tools for developers, by uv: ten times as fast as pip."""
    uv = VENV / "bin/uv"
    if not uv.exists():
        say("installing uv")
        pip = ["-m", "pip"] if runs(PYTHON, "-m", "pip", "--version") else [pip_wheel(apt)]
        run(PYTHON, *pip, "install", "-q", "--disable-pip-version-check", "uv")
    say("installing the Python packages (about 240 MB to download the first time)")
    install = command(uv, "pip", "install", "--python", PYTHON, "-e", ".[dev]")
    quiet = [] if sys.stderr.isatty() else ["-q"]
    if subprocess.call([*install, *quiet], cwd=str(PROJECT)):
        fail(f"uv could not install the packages; run again: {shlex.join(install)}")


def pip_wheel(apt):
    """Return pip as a wheel, unpacked from the system's package: Python can run it as it is."""
    if not apt.may_unpack:
        fail(f"this Python has no pip; install it, and run: {PYTHON} -m ensurepip && make setup")
    folder = apt.unpack(["python3-pip-whl"], apt.scratch / "pip")
    return next(folder.glob("usr/share/python-wheels/pip-*.whl")) / "pip"


# The database server


def install_server(apt):
    """Install or unpack MariaDB, unless jobsim finds a server that it can start."""
    find = (PYTHON, "-m", "jobsim.live.binaries")
    if not runs(*find):
        if apt.may_install:
            apt.install(*SERVER)
        elif apt.may_unpack:
            apt.unpack(SERVER, PROJECT / ".mariadb")
    found = subprocess.run(command(*find), capture_output=True, cwd=str(PROJECT))
    if found.returncode:
        fail(found.stderr.decode().strip())
    say(f"throw-away servers will be {found.stdout.decode().strip()}")


class Apt:
    """Debian's and Ubuntu's packages: installed when we may, else unpacked into a folder."""

    def __init__(self, stack):
        self._stack = stack
        self._scratch = None
        self._private = None
        self._sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
        there = shutil.which("apt-get") is not None
        self.may_install = there and (not self._sudo or runs("sudo", "-n", "true"))
        self.may_unpack = there and shutil.which("dpkg-deb") is not None

    @property
    def scratch(self):
        """A folder for what is needed during this run only."""
        if self._scratch is None:
            self._scratch = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        return self._scratch

    def install(self, *packages):
        """Install packages; fetch the lists of packages only where they are missing or stale."""
        say(f"installing {' '.join(packages)} by apt")
        apt_get = [*self._sudo, "env", "DEBIAN_FRONTEND=noninteractive", *APT_GET]
        if not runs(*apt_get, "install", *packages):
            run(*apt_get, "update")
            run(*apt_get, "install", *packages)

    def unpack(self, packages, folder):
        """Unpack packages, and what they need that is not installed, into a folder; return it."""
        say(f"unpacking {' '.join(packages)}, without root")
        apt_get = self._private_apt_get()
        plan = output(*apt_get, "-s", "install", *packages).splitlines()
        # Such as "Inst libaio1 (0.3.113-4 Debian:12/stable [amd64])".
        wanted = [line.split()[1] for line in plan if line.startswith("Inst ")]
        debs = self.scratch / f"{folder.name}-debs"
        debs.mkdir()
        run(*apt_get, "download", *wanted, cwd=debs)
        for deb in sorted(debs.glob("*.deb")):
            run("dpkg-deb", "-x", deb, folder)
        return folder

    def _private_apt_get(self):
        """Return an apt-get that keeps its lists and cache in our folder, and fetch the lists."""
        if self._private is None:
            lists, cache = self.scratch / "lists", self.scratch / "cache"
            (lists / "partial").mkdir(parents=True)
            (cache / "archives/partial").mkdir(parents=True)
            settings = (
                f"Dir::State::Lists={lists}", f"Dir::Cache={cache}",
                "Debug::NoLocking=1", "APT::Sandbox::User=",
            )  # fmt: skip
            self._private = [*APT_GET, *(word for setting in settings for word in ("-o", setting))]
            run(*self._private, "update")
        return self._private


# Running programs


def command(*words):
    """Return a program with its arguments as strings."""
    return [str(word) for word in words]


def runs(*words):
    """Tell whether a program is there and ends well."""
    try:
        done = subprocess.run(command(*words), cwd=PROJECT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    except OSError:
        return False
    return done.returncode == 0


def output(*words, cwd=PROJECT):
    """Run a program and return what it prints; when it fails, show that and end."""
    done = subprocess.run(command(*words), cwd=str(cwd), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        sys.stderr.write(text)
        fail(f"exit {done.returncode} from: {' '.join(map(shlex.quote, command(*words)))}")
    return text


def run(*words, cwd=PROJECT):
    """Run a program; when it fails, show what it printed and end."""
    output(*words, cwd=cwd)


def say(text):
    """Tell the user what is going on."""
    seconds = time.monotonic() - BEGAN
    print(f"setup: {seconds:4.0f} s  {text}", flush=True)


def fail(text):
    """End with one line that says what is missing."""
    sys.exit(f"setup: {text}")


if __name__ == "__main__":
    main()
