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
def signals_are_heard() -> Iterator[None]:
    """What is started in the background ignores ^C and hang-ups, and so do its children."""
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
