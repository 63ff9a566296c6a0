"""The database that the tests of the live driver share."""

import signal
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from jobsim.live.database import Database, on_throw_away
from jobsim.live.server import ThrowAwayServer


@pytest.fixture(scope="session")
def database(mariadb: ThrowAwayServer) -> Database:
    return on_throw_away(mariadb)


@pytest.fixture
def connection(database: Database) -> Iterator[sa.Connection]:
    with database.connect() as connection:
        yield connection


@pytest.fixture
def hang_up_is_heard() -> Iterator[None]:
    """What is started with nohup ignores hang-ups, and so do its children."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
