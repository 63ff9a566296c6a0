"""What is installed, what is missing, and the command that mends it."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

import platformdirs
import psutil
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rich.table import Table

from jobsim.live.binaries import find_servers, install_command

DISTRIBUTION = "jobsim-lab"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SERVER_GB = 0.5  # what one throw-away server may take, of memory and of disk
GB = 1e9


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for.

    Attributes
    ----------
    what
        Its name.
    status
        Whether it is there; ``optional`` is missing, and most of jobsim works without it.
    found
        What there is of it: a version, a path, an amount.
    mend
        The command that brings what is missing, else empty.
    """

    what: str
    status: Literal["ok", "missing", "optional"]
    found: str
    mend: str = ""


def examine() -> list[Finding]:
    """Look at this machine.

    Returns
    -------
    list of Finding
        Python, each package, each database server, the browser, folders, cores and memory.
    """
    return [
        *_python_and_packages(),
        *_servers(),
        _browser(),
        _cache(),
        _temporary_folder(),
        _cores(),
        _memory(),
    ]


def doctor_table(findings: Iterable[Finding]) -> Table:
    """Return the findings as a table for the terminal, a row each."""
    marks = {"ok": "[green]ok[/]", "missing": "[red]missing[/]", "optional": "[yellow]optional[/]"}
    table = Table("", "what", "found", "mend it with", box=None, pad_edge=False)
    for finding in findings:
        table.add_row(marks[finding.status], finding.what, finding.found, finding.mend)
    return table


def _python_and_packages() -> Iterator[Finding]:
    try:
        about = metadata.metadata(DISTRIBUTION)
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        yield Finding(DISTRIBUTION, "missing", "not installed in this Python", "make setup")
        return
    fits = SpecifierSet(about["Requires-Python"]).contains(platform.python_version())
    python = f"{platform.python_version()}, needs {about['Requires-Python']}"
    yield Finding("python", "ok" if fits else "missing", python, "" if fits else _set_up())
    for text in sorted(requirements, key=str.lower):
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _package(requirement)


def _package(requirement: Requirement) -> Finding:
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return Finding(requirement.name, "missing", f"needs {requirement.specifier}", _set_up())
    if requirement.specifier.contains(version, prereleases=True):
        return Finding(requirement.name, "ok", version)
    found = f"{version}, needs {requirement.specifier}"
    return Finding(requirement.name, "missing", found, _set_up())


def _set_up() -> str:
    """Return the command that installs Python and the packages, the way it was done here."""
    conda = os.environ.get("CONDA_PREFIX")
    return "conda env update -f environment.yml" if conda else "make setup"


def _servers() -> Iterator[Finding]:
    found = [Finding("database server", "ok", str(binary)) for binary in find_servers()]
    none = Finding("database server", "missing", "no mariadbd or mysqld", install_command())
    yield from found or [none]


def _browser() -> Finding:
    for name in BROWSERS:
        if path := shutil.which(name):
            return Finding("browser", "ok", path)
    installer = "brew install --cask" if shutil.which("brew") else "sudo apt-get install -y"
    tests = "none; only the notebooks' browser tests want one"
    return Finding("browser", "optional", tests, f"{installer} chromium")


def _cache() -> Finding:
    folder = platformdirs.user_cache_path("jobsim")
    if _can_write(folder):
        return Finding("cache folder", "ok", str(folder))
    mend = f"export XDG_CACHE_HOME={tempfile.gettempdir()}/cache"
    return Finding("cache folder", "missing", f"{folder} cannot be written", mend)


def _can_write(folder: Path) -> bool:
    """Tell whether a folder is writable, or could be made, without making it."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def _temporary_folder() -> Finding:
    folder = tempfile.gettempdir()
    free_gb = shutil.disk_usage(folder).free / GB
    found = f"{folder}, {free_gb:.1f} GB free"
    if free_gb >= SERVER_GB:
        return Finding("temporary folder", "ok", found)
    return Finding("temporary folder", "missing", found, "export TMPDIR=/a/folder/with/room")


def _cores() -> Finding:
    cores = len(psutil.Process().cpu_affinity()) if hasattr(psutil.Process, "cpu_affinity") else 0
    cores = cores or psutil.cpu_count() or 1
    if cores >= 2:
        return Finding("cores", "ok", str(cores))
    return Finding("cores", "optional", "1: live runs will wait for the processor, not for locks")


def _memory() -> Finding:
    memory = psutil.virtual_memory()
    found = f"{memory.available / GB:.1f} of {memory.total / GB:.1f} GB available"
    enough = memory.available / GB >= SERVER_GB
    return Finding("memory", "ok" if enough else "missing", found)
