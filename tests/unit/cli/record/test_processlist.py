"""jobsim record processlist."""

import pytest

from jobsim.live.server import ThrowAwayServer
from tests.unit.cli.conftest import Jobsim


def test_a_server_of_another_kind_is_refused(jobsim: Jobsim) -> None:
    done = jobsim("record", "processlist", "--database", "sqlite:///x.db", "-o", "p.csv")
    assert done.returncode == 3
    assert "MariaDB and MySQL" in done.stderr


@pytest.mark.live
def test_a_quiet_server_exits_with_1_and_writes_no_log(
    jobsim: Jobsim, mariadb: ThrowAwayServer
) -> None:
    words = ["--every", "50ms", "--for", "0.1s", "-o", "p.csv"]
    done = jobsim("record", "processlist", "--database", mariadb.url, *words)
    assert done.returncode == 1
    assert "no statement was seen" in done.stderr
