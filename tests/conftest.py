"""What all tests share."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from jobsim.live.server import ThrowAwayServer

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", settings.get_profile("steady"), derandomize=False)
settings.load_profile("steady")
"""The same examples each time, and no clock: the machine may be busy. To look for new ones:
``pytest --hypothesis-profile=search``."""


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """What is started in the background ignores ^C, and so do its children; tests send it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def mariadb() -> Iterator[ThrowAwayServer]:
    """One throw-away server for the whole session: make your own tables, and drop them."""
    with ThrowAwayServer() as server:
        yield server
