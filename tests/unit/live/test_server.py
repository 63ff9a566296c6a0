"""The throw-away server, with a real server."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import psutil
import pymysql
import pytest
import sqlalchemy as sa

from jobsim.errors import DatabaseError
from jobsim.live.binaries import ServerBinary, find_server, find_servers
from jobsim.live.server import ThrowAwayServer

pytestmark = pytest.mark.live
BOUND_S = 60

OWNER = """
import os, sys, time
from jobsim.live.server import ThrowAwayServer
with ThrowAwayServer() as server:
    if sys.argv[1] == "forks" and os.fork() == 0:
        time.sleep(5)
        os._exit(0)
    print(server.pid, server.folder, flush=True)
    if sys.argv[1] == "raises":
        raise ValueError("as asked")
    time.sleep(60)
"""


def ask(server: ThrowAwayServer, *statements: str) -> list[tuple[object, ...]]:
    """Run statements in one committed transaction; return the rows of the last."""
    engine = sa.create_engine(server.url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        for statement in statements:
            result = connection.execute(sa.text(statement))
        return [tuple(row) for row in result] if result.returns_rows else []


def gone(pid: int, folder: Path) -> bool:
    """Wait, within bounds, until a process and its folder are gone."""
    until_s = time.monotonic() + BOUND_S
    while (left := psutil.pid_exists(pid) or folder.exists()) and time.monotonic() < until_s:
        time.sleep(0.01)
    return not left


def test_it_answers_in_its_empty_database(mariadb):
    [(version, database)] = ask(mariadb, "SELECT VERSION(), DATABASE()")
    assert str(version).startswith(mariadb.binary.version)
    assert database == "jobsim"


def test_it_listens_on_its_port_of_this_machine_alone(mariadb):
    [own] = [c for c in psutil.Process(mariadb.pid).net_connections("tcp") if c.status == "LISTEN"]
    assert own.laddr == ("127.0.0.1", mariadb.port)


def test_nobody_gets_in_without_its_password(mariadb):
    with pytest.raises(pymysql.OperationalError, match="Access denied"):
        pymysql.connect(unix_socket=str(mariadb.socket), user="root")
    assert mariadb.folder.stat().st_mode & 0o077 == 0


def test_its_password_opens_the_port_too(mariadb):
    password = sa.make_url(mariadb.url).password
    with closing(
        pymysql.connect(host="127.0.0.1", port=mariadb.port, user="root", password=password)
    ) as connection:
        assert mariadb.binary.version in connection.get_server_info()


def test_what_it_runs_with_is_what_it_says(mariadb):
    names = "'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'log_bin', 'time_zone'"
    rows = ask(mariadb, f"SHOW VARIABLES WHERE Variable_name IN ({names})")
    assert dict(rows) == {
        "innodb_doublewrite": "OFF",
        "innodb_flush_log_at_trx_commit": "2",
        "log_bin": "OFF",
        "time_zone": "+00:00",
    }
    assert "--innodb-flush-log-at-trx-commit=2" in mariadb.options


def test_crashed_and_started_again_it_has_every_committed_row_and_then_leaves_nothing(tmp_path):
    with ThrowAwayServer(durable=True, folder=tmp_path) as server:
        pid, place = server.pid, server.socket
        [(flush,)] = ask(server, "SELECT @@innodb_flush_log_at_trx_commit")
        ask(server, "CREATE TABLE t (id INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)")
        server.kill()
        assert server.pid is None
        assert not psutil.pid_exists(pid)
        server.restart()
        assert server.pid not in (None, pid)
        assert server.socket == place
        assert ask(server, "SELECT id FROM t ORDER BY id") == [(1,), (2,)]
        pid = server.pid
    assert flush == 1
    assert gone(pid, server.folder)
    assert list(tmp_path.iterdir()) == []


def test_its_temporary_files_are_its_own(mariadb):
    """Another server that starts removes what it finds in a folder that both have."""
    assert ask(mariadb, "SELECT @@tmpdir") == [(str(mariadb.folder),)]


def own_by(how: str) -> tuple[subprocess.Popen[str], int, Path]:
    """Start another Python that owns a server; return it, and the server's pid and folder."""
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, how],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    pid, folder = owner.stdout.readline().split()
    assert psutil.pid_exists(int(pid))
    return owner, int(pid), Path(folder)


@pytest.mark.usefixtures("hang_up_is_heard")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_goes_away_with_an_owner_that_is_ended_by(how):
    owner, pid, folder = own_by("waits")
    with owner:
        owner.send_signal(how)
        owner.wait(BOUND_S)
        assert gone(pid, folder)


def test_it_goes_away_with_a_killed_owner_whose_forked_child_lives_on():
    owner, pid, folder = own_by("forks")
    with owner:
        owner.kill()
        owner.wait(BOUND_S)
        assert gone(pid, folder)


def test_it_goes_away_when_its_owner_raises():
    owner, pid, folder = own_by("raises")
    with owner:
        _, said = owner.communicate(timeout=BOUND_S)
        assert said.endswith("ValueError: as asked\n")
        assert gone(pid, folder)


def test_a_server_that_does_not_start_shows_the_end_of_its_log(tmp_path):
    broken = ThrowAwayServer(options=("--innodb-page-size=3",), folder=tmp_path)
    with pytest.raises(DatabaseError, match=r"ended at its start \(exit \d+\); its log ends:\n.+"):
        broken.__enter__()
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_cannot_make_its_tables_says_why(tmp_path):
    (tmp_path / "bin").mkdir()
    broken = tmp_path / "bin/mysqld"
    broken.write_text("#!/bin/sh\necho no room left >&2\nexit 1\n")
    broken.chmod(0o755)
    (tmp_path / "of").mkdir()
    server = ThrowAwayServer(ServerBinary(broken, "mysql", "9.4.0"), folder=tmp_path / "of")
    with pytest.raises(DatabaseError, match="could not make its system tables:\nno room left"):
        server.__enter__()
    assert list((tmp_path / "of").iterdir()) == []


def test_a_socket_whose_path_would_be_too_long_moves_to_a_short_folder(tmp_path):
    deep = tmp_path / ("x" * 100)
    with ThrowAwayServer(folder=deep) as server:
        assert len(os.fsencode(server.socket)) < 107
        assert ask(server, "SELECT 1") == [(1,)]


def test_a_mariadb_without_its_install_program_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    binary = ServerBinary(tmp_path / "opt/bin/mariadbd", "mariadb", "10.11.19")
    server = ThrowAwayServer(binary, folder=tmp_path)
    with pytest.raises(DatabaseError, match=r"no mariadb-install-db beside it; run: "):
        server.__enter__()


@pytest.mark.parametrize("binary", list(find_servers()), ids=str)
def test_every_server_that_is_found_on_this_machine_starts(binary):
    with ThrowAwayServer(binary) as server:
        assert server.binary.version in str(ask(server, "SELECT VERSION()"))


def test_the_server_found_is_used_when_none_is_given(mariadb):
    assert mariadb.binary == find_server()
