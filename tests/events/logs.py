"""Logs for the tests of the store: writing some, and reading everything that a store holds."""

from collections.abc import Callable

import redis

from events.chain import GENESIS, link
from events.store import EventStore, Pointer, Stored, Stream
from tests import servers

GAME = Stream("game", "g7")
PLAYER = Stream("player", "p1")
SHARDS = 4


def append_all(store: EventStore, stream: Stream, bodies: list[bytes]) -> list[Stored]:
    """Append the bodies to the empty stream, chained, and return what should stand."""
    stored, last = [], GENESIS
    for version, body in enumerate(bodies, 1):
        last = link(last, body)
        assert store.append(stream, version - 1, body, last) == version
        stored.append(Stored(version, body, last))
    return stored


def whole_feeds(store: EventStore, count: int = 1000) -> list[Pointer]:
    """Read all feeds from the start, `count` at a time, in the order of shards."""
    feeds: dict[int, list[Pointer]] = {shard: [] for shard in range(SHARDS)}
    while found := store.read_feeds({shard: len(feed) for shard, feed in feeds.items()}, count, 0):
        for shard, pointers in found.items():
            assert 0 < len(pointers) <= count
            feeds[shard] += pointers
    for feed in feeds.values():
        assert [pointer.position for pointer in feed] == list(range(1, len(feed) + 1))
    assert store.feed_lengths() == [len(feed) for feed in feeds.values()]
    return [pointer for feed in feeds.values() for pointer in feed]


def everything(store: EventStore) -> tuple[list[Stored], list[Pointer]]:
    return store.read(GAME), whole_feeds(store)


def on_every_node(server: servers.Running, act: Callable[[redis.Redis], object]) -> None:
    for node in server.nodes:
        with node.client() as client:
            act(client)
