"""Finding a server to start, and naming the command that brings one."""

from pathlib import Path

import pytest

from jobsim.errors import DatabaseError
from jobsim.live import binaries
from jobsim.live.binaries import find_server, find_servers, install_command

MARIADB = "mariadbd  Ver 11.8.3-MariaDB-ubu2404 for debian-linux-gnu on x86_64 (Ubuntu)"
MYSQL = "/usr/sbin/mysqld  Ver 9.4.0 for Linux on x86_64 (MySQL Community Server - GPL)"


@pytest.fixture
def bare(monkeypatch, tmp_path) -> Path:
    """A machine whose PATH has one empty folder, which is returned."""
    folder = tmp_path / "opt/bin"
    folder.mkdir(parents=True)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(binaries, "PLACES", ())
    monkeypatch.setattr(binaries.os, "geteuid", lambda: 1000)
    return folder


def put(path: Path, says: str = "") -> Path:
    """Put a program there that prints something, and the library path it was given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "{says}"\n')
    path.chmod(0o755)
    return path


def test_a_mariadb_on_path_is_found_with_its_version(bare, tmp_path):
    path = put(bare / "mariadbd", MARIADB)
    found = find_server(tmp_path)
    assert (found.path, found.kind, found.version) == (path, "mariadb", "11.8.3")
    assert found.basedir == tmp_path / "opt"


def test_a_mysql_on_path_is_found_with_its_version(bare, tmp_path):
    put(bare / "mysqld", MYSQL)
    found = find_server(tmp_path)
    assert (found.kind, found.version) == ("mysql", "9.4.0")


def test_a_mysqld_that_is_mariadb_by_another_name_is_told_by_what_it_says(bare, tmp_path):
    put(bare / "mysqld", MARIADB)
    assert find_server(tmp_path).kind == "mariadb"


def test_a_link_to_a_server_is_not_a_second_server(bare, tmp_path):
    (bare / "mysqld").symlink_to(put(bare / "mariadbd", MARIADB))
    assert len(list(find_servers(tmp_path))) == 1


def test_mariadb_comes_before_mysql(bare, tmp_path):
    put(bare / "mysqld", MYSQL)
    put(bare / "mariadbd", MARIADB)
    assert [found.kind for found in find_servers(tmp_path)] == ["mariadb", "mysql"]


def test_an_installed_server_comes_before_an_unpacked_one(bare, tmp_path):
    unpacked = put(tmp_path / ".mariadb/usr/sbin/mariadbd", MARIADB)
    installed = put(bare / "mariadbd", MARIADB)
    assert [found.path for found in find_servers(tmp_path)] == [installed, unpacked]


def test_an_unpacked_server_runs_with_its_own_libraries(bare, tmp_path, monkeypatch):
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    put(tmp_path / ".mariadb/usr/sbin/mariadbd", MARIADB)
    libraries = [tmp_path / ".mariadb" / top / "x86_64-linux-gnu" for top in ("usr/lib", "lib")]
    for folder in libraries:
        folder.mkdir(parents=True)
    environment = find_server(tmp_path).environment()
    assert environment["LD_LIBRARY_PATH"] == ":".join(map(str, libraries))


def test_an_installed_server_runs_in_the_environment_as_it_is(bare, tmp_path, monkeypatch):
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    put(bare / "mariadbd", MARIADB)
    assert "LD_LIBRARY_PATH" not in find_server(tmp_path).environment()


def test_a_program_that_does_not_run_is_passed_over(bare, tmp_path):
    put(bare / "mariadbd", "what?")
    put(bare / "mysqld", MYSQL)
    assert find_server(tmp_path).kind == "mysql"


@pytest.mark.parametrize(
    ("programs", "command"),
    [
        (
            ["apt-get", "sudo"],
            "sudo apt-get install -y --no-install-recommends mariadb-server-core",
        ),
        (["apt-get"], "make setup"),
        (["brew"], "brew install mariadb"),
        (["conda"], "conda install -c conda-forge mysql-server"),
        ([], "docker run"),
    ],
)
def test_without_a_server_the_command_for_this_system_is_named(bare, tmp_path, programs, command):
    for program in programs:
        put(bare / program)
    with pytest.raises(
        DatabaseError, match=f"no mariadbd or mysqld was found; run: {command}"
    ) as e:
        find_server(tmp_path)
    assert e.value.exit_code == 3


def test_root_needs_no_sudo(bare, monkeypatch):
    put(bare / "apt-get")
    put(bare / "sudo")
    monkeypatch.setattr(binaries.os, "geteuid", lambda: 0)
    assert install_command().startswith("apt-get install")
