"""The database that the tests of the live driver share."""

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
