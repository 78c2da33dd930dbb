"""Fixtures of the API's tests: a service on an emptied real server, and a second process on the same store."""

from collections.abc import Iterator

import pytest

from events.seal import KeyRing
from tests.service.api.playing import Match, Person, Service, match


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyRing:
    """One key ring for the whole session."""
    return KeyRing.load_or_create(tmp_path_factory.mktemp("keys") / "keys.json")


@pytest.fixture
def service(fresh_redis_url: str, keys: KeyRing) -> Iterator[Service]:
    """A service on an empty store."""
    opened = Service(fresh_redis_url, keys)
    yield opened
    opened.close()


@pytest.fixture
def other(service: Service, fresh_redis_url: str, keys: KeyRing) -> Iterator[Service]:
    """A second process on the same store, with caches of its own."""
    opened = Service(fresh_redis_url, keys)
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
