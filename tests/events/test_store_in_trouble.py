"""The store's contract when things go wrong, run on every kind of server: nothing lost, doubled or half written."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from events.chain import GENESIS
from events.store import EventStore, Pointer, Stored, StoreUnavailable, VersionConflict, connect
from tests import servers
from tests.events.logs import GAME, PLAYER, SHARDS, append_all, everything, on_every_node, whole_feeds
from tests.wires import wired as wires_to

ONCE = Retry(NoBackoff(), 0)


@pytest.fixture
def own_server(server: servers.Running, request: pytest.FixtureRequest) -> Iterator[servers.Running]:
    """A durable server of the same kind for one test, which may harm it."""
    running = servers.start(request.node.callspec.params["server"], **servers.DURABLE)
    yield running
    running.stop()


@contextmanager
def opened(server: servers.Running) -> Iterator[EventStore]:
    store = EventStore.from_url(server.url, SHARDS)
    try:
        store.prepare()
        yield store
    finally:
        store.close()


@contextmanager
def configured(server: servers.Running, **settings: str) -> Iterator[None]:
    """Change the configuration of every node for a while."""
    before = {}
    for node in server.nodes:
        with node.client() as client:
            before[node] = {name: client.config_get(name)[name] for name in settings}
            for name, value in settings.items():
                client.config_set(name, value)
    try:
        yield
    finally:
        for node, values in before.items():
            with node.client() as client:
                for name, value in values.items():
                    client.config_set(name, value)


def test_a_lost_answer_doubles_nothing(server: servers.Running, store: EventStore):
    """If the server's answer is lost, the append is sent again, stands once, and is a success."""
    with wires_to(server) as wired:
        there = EventStore(connect(wired.url, **wired.options), SHARDS)
        assert there.append(GAME, 0, b"1", GENESIS) == 1
        for version in (2, 3):
            for wire in wired.wires:
                wire.lose_answer_to(b"FCALL")
            assert there.append(GAME, version - 1, b"same", GENESIS) == version
        there.close()
    assert sum(wire.lost for wire in wired.wires) == 2
    entries, pointers = everything(store)
    assert entries == [Stored(1, b"1", GENESIS), Stored(2, b"same", GENESIS), Stored(3, b"same", GENESIS)]
    assert pointers == [Pointer(1, GAME, 1), Pointer(2, GAME, 2), Pointer(3, GAME, 3)]


def test_asking_again_after_a_lost_answer_is_a_success(server: servers.Running, store: EventStore):
    """A caller that was told nothing may ask again, even after others went on; another's entry is a conflict."""
    with wires_to(server) as wired:
        there = EventStore(connect(wired.url, retry=ONCE, **wired.options), SHARDS)
        there.version(GAME)
        for wire in wired.wires:
            wire.lose_answer_to(b"FCALL")
        with pytest.raises(StoreUnavailable):
            there.append(GAME, 0, b"mine", GENESIS)
        there.close()
    store.append(GAME, 1, b"next", GENESIS)
    assert store.append(GAME, 0, b"mine", GENESIS) == 1
    for body, chained in [(b"other", GENESIS), (b"mine", bytes(31) + b"1")]:
        with pytest.raises(VersionConflict):
            store.append(GAME, 0, body, chained)
    assert [entry.body for entry in store.read(GAME)] == [b"mine", b"next"]


def test_a_missing_library_is_loaded_when_needed(server: servers.Running, store: EventStore):
    """A server that lost its functions gets them again with the next append."""
    on_every_node(server, lambda client: client.function_flush())
    assert store.append(GAME, 0, b"1", GENESIS) == 1


@pytest.mark.parametrize(
    ("settings", "reason"),
    [({"maxmemory": "1", "maxmemory-policy": "noeviction"}, "OOM"), ({"min-replicas-to-write": "1"}, "NOREPLICAS")],
    ids=["full", "replicas-away"],
)
def test_a_server_that_takes_no_writes(
    server: servers.Running, store: EventStore, settings: dict[str, str], reason: str
):
    """A full server, or one without the replicas it must have, refuses the whole append; reading goes on."""
    append_all(store, GAME, [b"1"])
    before = everything(store)
    with configured(server, **settings):
        for stream, expected in ((GAME, 1), (PLAYER, 0)):
            with pytest.raises(StoreUnavailable) as refusal:
                store.append(stream, expected, b"new", GENESIS)
            assert refusal.value.reason.startswith(reason) or "maxmemory" in refusal.value.reason
        assert everything(store) == before
        assert store.read(PLAYER) == []
    assert store.append(GAME, 1, b"2", GENESIS) == 2


def test_a_cut_feed_refuses_the_entry(store: EventStore):
    """If somebody cut a feed by hand, an append fails loudly and leaves no entry without a pointer."""
    stored = append_all(store, GAME, [b"1"])
    store._ask("XDEL", store._feed(store.shard(GAME)), "1-0")
    with pytest.raises(redis.ResponseError, match="equal or smaller"):
        store.append(GAME, 1, b"2", GENESIS)
    assert store.read(GAME) == stored


def test_a_silent_server_is_unavailable(server: servers.Running, store: EventStore):
    """A server that takes requests and answers none is unavailable within the time given."""
    there = EventStore(connect(server.url, socket_timeout=0.2, retry=ONCE), SHARDS)
    there.version(GAME)
    for node in server.nodes:
        node.freeze()
    try:
        with pytest.raises(StoreUnavailable):
            there.version(GAME)
    finally:
        for node in server.nodes:
            node.thaw()
    assert there.version(GAME) == 0
    there.close()


@pytest.mark.crash
def test_a_server_that_is_away_is_unavailable(own_server: servers.Running):
    """With the server down, every call says that the store is unavailable, within seconds; so does opening one."""
    with opened(own_server) as store:
        own_server.kill()
        began = monotonic()
        for ask in (
            lambda: store.append(GAME, 0, b"1", GENESIS),
            lambda: store.read(GAME),
            lambda: store.version(GAME),
            lambda: store.read_feeds({0: 0}, 10, 100),
            store.feed_lengths,
            store.prepare,
            lambda: EventStore.from_url(own_server.url, SHARDS).prepare(),
        ):
            with pytest.raises(StoreUnavailable):
                ask()
        assert monotonic() - began < 40


@pytest.mark.crash
def test_what_was_acknowledged_survives_a_kill(own_server: servers.Running):
    """Entries and pointers that were acknowledged are there after kill -9, and the same store goes on."""
    with opened(own_server) as store:
        stored = append_all(store, GAME, [b"%d" % number for number in range(50)])
        append_all(store, PLAYER, [b"p"])
        before = everything(store)
        own_server.kill()
        own_server.start()
        assert everything(store) == before
        assert before[0] == stored
        assert store.append(GAME, 50, b"on", GENESIS) == 51
        assert store.append(PLAYER, 1, b"on", GENESIS) == 2
        assert len(whole_feeds(store)) == 53
