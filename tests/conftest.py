"""What all tests share."""

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


@pytest.fixture(scope="session")
def mariadb() -> Iterator[ThrowAwayServer]:
    """One throw-away server for the whole session: make your own tables, and drop them."""
    with ThrowAwayServer() as server:
        yield server
