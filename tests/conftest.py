"""What all tests share."""

from collections.abc import Iterator

import pytest

from jobsim.live.server import ThrowAwayServer


@pytest.fixture(scope="session")
def mariadb() -> Iterator[ThrowAwayServer]:
    """One throw-away server for the whole session: make your own tables, and drop them."""
    with ThrowAwayServer() as server:
        yield server
